// setup/backup.sh and restore.sh: a dump taken while games are uploaded and analysed is one moment, and
// goes on from there; and an upgrade is taken back by the dump from before it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bareDatabase, environment, freshDatabase, intrinsic, root, run, serve, sql, until } from './lib.mjs';
import { shortGames } from './games.mjs';
import { worker } from './cluster.mjs';

/** Every analysed game, by whatever engine setting. */
const lines = (url) => sql(url, 'SELECT DISTINCT name FROM judge WHERE id IN (SELECT judge_id FROM judged_side)').split('\n')
    .flatMap((judge) => run(['export', `--judge=${judge}`], url).split('\n')).filter((l) => l !== '').sort();

function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-dump-'));
    t.after(() => rmSync(dir, { recursive: true }));
    return path.join(dir, 'dump');
}

async function backup(url, file) {
    const to = openSync(file, 'w');
    const child = spawn('setup/backup.sh', { cwd: root, env: environment(url), stdio: ['ignore', to, 'inherit'] });
    const [code] = await once(child, 'close');
    closeSync(to);
    assert.equal(code, 0);
}

const restore = (url, file, extra = {}) => spawnSync('sh', ['-c', `exec setup/restore.sh '${intrinsic}' <'${file}'`],
    { cwd: root, env: environment(url, extra), encoding: 'utf8' });

// What is stored of the sums over games, and what they are.
const sums = (url) => ({
    stored: sql(url, `SELECT (SELECT sum(games) FROM player_total), (SELECT sum(jobs) FROM job_total)`),
    counted: sql(url, `SELECT (SELECT count(*) FROM judged_side), (SELECT count(*) FROM job)`),
});

test('a dump under load', async (t) => {
    const url = freshDatabase(t), file = folder(t), s = await serve(t, url);
    run(['import', '--quiet', path.join(root, 'tests/upgrade/analysed.ndjson')], url);
    const w = worker(t, url), games = shortGames(12).split(/\n(?=\[Event )/);
    const send = async (game) => (await s.post(game, '?judge=quick')).json();
    const before = [];
    for (const game of games.slice(0, 4)) before.push(await send(game));
    await until('a game is being analysed', () => sql(url, "SELECT count(*) FROM job WHERE state = 'leased'") === '1');
    const analysed = lines(url);
    assert.ok(analysed.length >= 5);

    let stop = false, sent = 4;
    const load = (async () => {
        while (!stop && sent < games.length) await send(games[sent++]);
    })();
    await backup(url, file);
    stop = true;
    await load;

    const copy = bareDatabase(t);
    assert.equal(restore(copy, file).status, 0);
    const stored = (id) => sql(copy, `SELECT count(*) FROM game WHERE upload_id = ${id}`);
    for (const upload of before) assert.equal(stored(upload.id), '1');
    const { stored: kept, counted } = sums(copy);
    assert.equal(kept.replace(/^\t/, '0\t'), counted);
    const there = lines(copy), source = new Set(lines(url));
    assert.deepEqual(analysed.filter((l) => !there.includes(l)), []);
    assert.deepEqual(there.filter((l) => !source.has(l)), []);

    // Nothing happens any more: then both are equal in every table.
    await w.end('SIGTERM');
    await s.stop();
    await backup(url, file);
    const whole = bareDatabase(t);
    assert.equal(restore(whole, file).status, 0);
    const data = (of) => execFileSync('pg_dump', ['--data-only', '--no-owner', of], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
        .split('\n').filter((l) => !/^\\(un)?restrict /.test(l)).sort().join('\n');
    assert.equal(data(whole), data(url));

    // Not over what is there.
    const again = restore(whole, file);
    assert.equal(again.status, 1);
    assert.match(again.stderr, /not empty; nothing was changed/);

    const restored = await serve(t, copy), goes = worker(t, copy);
    assert.equal((await restored.get('/ready')).status, 200);
    const claimed = `SELECT count(*) FROM job WHERE state = 'leased' AND worker = '${os.hostname()}:${goes.pid}'`;
    await until('the copy is analysed on', () => sql(copy, claimed) === '1');
    await goes.end('SIGTERM');
});

/** PATH with programs of PostgreSQL that note their arguments and password, and go on as what they are. */
function noting(t, log, goesOn = true) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-bin-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const name of ['psql', 'pg_dump', 'pg_restore'])
        writeFileSync(path.join(dir, name), `#!/bin/sh\necho "$0 $* [$PGPASSWORD]" >>'${log}'\n${goesOn
            ? `PATH=\${PATH#*:} exec ${name} "$@"` : 'exit 0'}\n`, { mode: 0o755 });
    return { PATH: `${dir}:${process.env.PATH}` };
}

test('no password is among the arguments of a program', async (t) => {
    const url = freshDatabase(t), file = folder(t), log = `${file}.log`, copy = bareDatabase(t);
    const noted = () => readFileSync(log, 'utf8').trim().split('\n');
    const secret = String.raw`it's 100%\&a`;
    const words = (of) => `${of} password='${secret.replace(/[\\']/g, String.raw`\$&`)}'`;
    const pattern = /^[^[]*(dbname|-d)[^[]* \[it's 100%\\&a\]$/;
    execFileSync('setup/backup.sh', { cwd: root, env: environment(words(url), noting(t, log)), stdio: ['ignore', openSync(file, 'w'), 'inherit'] });
    assert.equal(restore(words(copy), file, noting(t, log)).status, 0);
    assert.equal(noted().length, 4);
    for (const of of [`postgresql://u:${encodeURIComponent(secret)}@h/d`, `postgresql:///d?password=${encodeURIComponent(secret)}&user=u`])
        execFileSync('setup/backup.sh', { cwd: root, env: environment(of, noting(t, log, false)) });
    const roles = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-roles-'));
    t.after(() => rmSync(roles, { recursive: true }));
    for (const from of ['docker/roles.sh', 'setup/password.sh', 'sql/roles.sql'])
        copyFileSync(path.join(root, from), path.join(roles, path.basename(from)));
    execFileSync('bash', [path.join(roles, 'roles.sh')], { env: environment('', { ...noting(t, log, false), OWNER_DATABASE_URL: words('dbname=d') }) });
    // The same from files.
    const kept = (name, text) => {
        writeFileSync(path.join(roles, name), `${text}\r\n`);
        return path.join(roles, name);
    };
    const files = (text) => ({ ...noting(t, log, false), OWNER_DATABASE_URL: 'dbname=d', PGPASSWORD_FILE: kept('owner', secret),
        SERVICE_PASSWORD_FILE: kept('service', 's'), WORKER_PASSWORD_FILE: kept(`worker${text.length}`, text) });
    execFileSync('setup/backup.sh', { cwd: root, env: environment('', { ...noting(t, log, false), DATABASE_URL_FILE: kept('url', words('dbname=d')) }) });
    execFileSync('bash', [path.join(roles, 'roles.sh')], { env: environment('', files('w')) });
    assert.equal(noted().length, 11);
    for (const line of noted()) assert.match(line, pattern);
    for (const [env, why] of [[files(''), /^WORKER_PASSWORD_FILE: \S+\/worker0 is empty$/m], [files('a\nb'), /^WORKER_PASSWORD_FILE: \S+\/worker3 is not one line$/m],
        [{ ...files('w'), WORKER_PASSWORD_FILE: '/nowhere/w' }, /^WORKER_PASSWORD_FILE: \/nowhere\/w cannot be read$/m],
        [{ ...files('w'), SERVICE_PASSWORD: 's' }, /^SERVICE_PASSWORD and SERVICE_PASSWORD_FILE are both set/m]]) {
        const refused = spawnSync('bash', [path.join(roles, 'roles.sh')], { env: environment('', env), encoding: 'utf8' });
        assert.equal(refused.status, 1);
        assert.match(refused.stderr, why);
    }
    assert.equal(noted().length, 11, 'nothing was asked without a secret');
});

test('an upgrade is taken back', async (t) => {
    const url = bareDatabase(t), file = folder(t);
    const text = execFileSync('zstd', ['-dcq', path.join(root, 'tests/upgrade/25.sql.zst')]);
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url], { input: text, stdio: ['pipe', 'ignore', 'inherit'] });
    const whole = (of) => execFileSync('pg_dump', ['--no-owner', of], { encoding: 'utf8' })
        .split('\n').filter((l) => !/^\\(un)?restrict /.test(l)).join('\n');
    const before = whole(url);
    await backup(url, file);
    run(['migrate'], url);
    assert.notEqual(whole(url), before);
    const back = bareDatabase(t);
    assert.equal(restore(back, file, { MIGRATE: 'no' }).status, 0);
    assert.equal(whole(back), before);
    // And with the newer program again.
    const forth = bareDatabase(t);
    assert.equal(restore(forth, file).status, 0);
    assert.equal(run(['export', '--judge=standard'], forth), run(['export', '--judge=standard'], url));
});
