// What the end-to-end tests share: a database of their own, the real service, the real engine.
import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const intrinsic = path.join(root, process.env.INTRINSIC_BIN ?? 'build/release/intrinsic');
const server = process.env.INTRINSIC_TEST_PG;
let databases = 0;

export function sql(database, text) {
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1',
        '-d', database, '-c', text], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

const named = (on, name) => (on.includes('://') ? on.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
    : `${on.replace(/\bdbname=\S+/, '')} dbname=${name}`);

/** A new database without a schema; dropped when the test ends, unless its server goes with the
 * test anyway. Gives its connection string. */
export function bareDatabase(t, on = server, options = '') {
    if (!on)
        throw new Error('INTRINSIC_TEST_PG is not set: run the tests by `make test`');
    const name = `e2e_${process.pid}_${++databases}`;
    sql(on, `CREATE DATABASE ${name} ${options}`);
    const url = named(on, name);
    if (on === server)
        t.after(() => sql(on, `DROP DATABASE ${name} WITH (FORCE)`));
    return url;
}

/** The same with the schema: on the server that all test files share, a copy of the first one migrated there. */
export function freshDatabase(t, on = server) {
    const migrated = 'e2e_migrated', exists = `SELECT count(*) FROM pg_database WHERE datname = '${migrated}'`;
    if (on === server && sql(on, exists) === '1')
        return bareDatabase(t, on, `TEMPLATE ${migrated}`);
    const url = bareDatabase(t, on);
    run(['migrate'], url);
    if (on === server)
        try {
            sql(on, `CREATE DATABASE ${migrated} TEMPLATE ${/e2e_\w+/.exec(url)[0]}`);
        } catch (e) {
            if (!/already exists|being accessed/.test(e.stderr)) throw e;
        }
    return url;
}

/** A new database with what `fill` puts into one: the first of the server's test files that asks for it by this name has
 * it filled, and all have copies. `fill` leaves no connection open. */
export async function filledDatabase(t, name, fill) {
    let first = true;
    try {
        sql(server, `CREATE DATABASE ${name}`);
    } catch (e) {
        if (!/already exists/.test(e.stderr)) throw e;
        first = false;
    }
    if (first) {
        const url = named(server, name);
        run(['migrate'], url);
        await fill(url);
        sql(server, `ALTER DATABASE ${name} IS_TEMPLATE true`);
    } else
        await until(`${name} is filled`, () =>
            sql(server, `SELECT datistemplate FROM pg_database WHERE datname = '${name}'`) === 't');
    return bareDatabase(t, server, `TEMPLATE ${name}`);
}

export function environment(url, extra = {}) {
    const clean = Object.fromEntries(Object.entries(process.env)
        .filter(([k]) => !k.startsWith('INTRINSIC_')));
    // No test waits for confirmations but those of them.
    return { ...clean, DATABASE_URL: url, INTRINSIC_HOME: root, INTRINSIC_CONFIRM_NODES: '0', ...extra };
}

/** Runs a subcommand to its end; its standard output. Throws on a non-zero exit. */
export function run(args, url, extra) {
    return execFileSync(intrinsic, args, { encoding: 'utf8', cwd: root, maxBuffer: 1 << 28,
        env: environment(url, extra) });
}

/** Runs a subcommand that is expected to end by itself: {code, stdout, stderr}. */
export async function attempt(args, url, extra) {
    const child = spawn(intrinsic, args, { cwd: root, env: environment(url, extra) });
    let stdout = '', stderr = '';
    child.stdout.on('data', (d) => { stdout += d; });
    child.stderr.on('data', (d) => { stderr += d; });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
}

/** The service on a port of its own; stopped when the test ends. */
export async function serve(t, url, extra = {}, program = intrinsic) {
    const child = spawn(program, ['serve', '--listen=127.0.0.1:0'],
        { cwd: root, env: environment(url, { INTRINSIC_WORKERS: '0', ...extra }) });
    let stderr = '', stdout = '';
    child.stderr.on('data', (d) => { stderr += d; });
    const base = await new Promise((resolve, reject) => {
        child.stdout.on('data', (d) => {
            stdout += d;
            const at = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout);
            if (at) resolve(at[0]);
        });
        child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
    });
    const stop = async (signal = 'SIGTERM') => {
        if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
        child.kill(signal);
        const [code] = await once(child, 'close');
        return code;
    };
    t.after(() => stop());
    return { base, child, stop, log: () => stderr,
        get: async (p, options) => fetch(base + p, options),
        json: async (p) => {
            const r = await fetch(base + p);
            if (!r.ok) throw new Error(`${p}: ${r.status} ${await r.text()}`);
            return r.json();
        },
        post: async (body, query = '', headers = {}) => fetch(`${base}/api/v1/uploads${query}`,
            { method: 'POST', body, headers: { 'content-type': 'application/x-chess-pgn', ...headers } }) };
}

/** Polls until `probe` gives something true. The bound is generous: no test depends on speed. */
export async function until(what, probe, seconds = 600) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
        const value = await probe();
        if (value) return value;
        if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
        await new Promise((r) => setTimeout(r, 200));
    }
}

/** A file under ../shared, or undefined: the test then skips by name. */
export function shared(relative) {
    const file = path.join(process.env.IPR_SHARED ?? path.join(root, '../shared'), relative);
    return existsSync(file) ? file : undefined;
}

/** Waits for the strengths from results, which are fitted in the background. */
export async function fitted(url) {
    const current = `SELECT count(*) FROM results_fit WHERE version
        = (SELECT coalesce(sum(epoch), 0) FROM player WHERE epoch > 0)
        + (SELECT coalesce(sum(transactions), 0) FROM game_change WHERE time_class IN (0, 1, 99))`;
    for (let tries = 0; sql(url, current) !== '1'; tries++) {
        if (tries === 300) throw new Error('strengths from results are not fitted');
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}
