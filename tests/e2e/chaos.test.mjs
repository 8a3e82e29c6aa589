// Kills by the hundred: in each round the service, a worker, an engine, a backend of PostgreSQL or its
// postmaster gets a SIGKILL in the middle of analyses, while another game is uploaded. Afterwards
// every accepted game is stored once, every job has ended, evaluations are to the byte those of a
// run without faults, and a service that lived through all of it holds no more than at first.
//
// `make chaos ROUNDS=300 SEED=7` makes many rounds; by default there is one of each kind.
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { children, held, ownServer, worker } from './cluster.mjs';
import { defineFaulty, gamesOf, tag } from './games.mjs';
import { freshDatabase, run, serve, sql, until } from './lib.mjs';

const rounds = Number(process.env.CHAOS_ROUNDS ?? 5), seed = Number(process.env.CHAOS_SEED ?? 1);
const kinds = process.env.CHAOS_KINDS?.split(' ') ?? ['server', 'worker', 'engine', 'backend', 'postmaster'];
const FEW = 4, MANY = 8; // games in the queue when a round begins
const EACH = 50;         // rounds between two looks at what is held

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
function randomOf(state) {
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

const random = randomOf(seed);
const choose = (list) => list[Math.floor(random() * list.length)];

function shuffled(list) {
    return list.map((value) => [random(), value]).sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** What a query gives, or undefined while the database is away. */
function asked(url, text) {
    try {
        return sql(url, text);
    } catch {
        return undefined;
    }
}

const jobs = (url, where = 'true') => Number(asked(url, `SELECT count(*) FROM job WHERE ${where}`) ?? NaN);
const evaluations = (url) => run(['export', '--judge=faulty'], url).split('\n').sort().join('\n');
const years = (url) => sql(url, `SELECT p.name, y.year, y.games, y.turns, y.counted, y.at_0, y.at_30
    FROM player_year AS y JOIN player AS p ON p.id = y.player_id ORDER BY 1, 2`);

/** Uploads a game to a service that may be dying: '' if it was accepted, or why not. */
async function upload(site, game) {
    let r, text;
    try {
        r = await site.post(game, '?judge=faulty');
        text = await r.text();
    } catch {
        return 'cut off';
    }
    const lines = () => site.log().split('\n').filter((l) => l.includes(` id=${JSON.parse(text).request_id}`));
    assert.ok(r.status < 300 || r.status === 503, `${r.status} ${text}${lines().join('\n')}`);
    return r.status < 300 ? '' : JSON.parse(text).type.split('/').pop();
}

/** One of these processes that is in the middle of a game; `more` brings another game. */
const amidst = (url, pids, more) => until(`one of ${pids} is in the middle of a game`, async () => {
    if (jobs(url) < FEW) await more();
    const who = asked(url, "SELECT worker FROM job WHERE state = 'leased' AND turns_done > 1") ?? '';
    const busy = who.split('\n').map((w) => Number(w.split(':').pop()));
    return pids.find((p) => busy.includes(p));
});

/** A cluster with a service and a worker that get killed, and a service that sees it all. */
async function site(t) {
    const server = await ownServer(t);
    server.configure(['synchronous_commit = on']); // what is accepted outlives the postmaster
    const url = freshDatabase(t, server.url), spool = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(spool, { recursive: true }));
    defineFaulty(url);
    const settings = { INTRINSIC_WORKERS: '1', INTRINSIC_LEASE_S: '2', TMPDIR: spool };
    const s = { url, spool, witness: await serve(t, url, settings),
        server: await serve(t, url, settings), worker: worker(t, url, { settings }) };
    const pids = () => [s.witness.child.pid, s.server.child.pid, s.worker.pid];
    const killed = { server: () => [s.server.child.pid], worker: () => [s.worker.pid] };
    const kill = {
        server: () => s.server.stop('SIGKILL'),
        worker: () => s.worker.end('SIGKILL'),
        engine: (pid) => children(pid).forEach(([engine]) => process.kill(engine, 'SIGKILL')),
        backend: () => process.kill(Number(choose(sql(url, `SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`)
            .split('\n'))), 'SIGKILL'),
        postmaster: () => server.kill(),
    };
    const restart = {
        server: async () => { s.server = await serve(t, url, settings); },
        worker: () => { s.worker = worker(t, url, { settings }); },
        postmaster: () => until('PostgreSQL starts', () => {
            try {
                server.start();
                return true;
            } catch {
                return false; // the last of its backends has not yet noticed
            }
        }),
    };
    /** Kills one in the middle of a game, `after` milliseconds from the call of `meanwhile`. */
    s.kill = async (kind, after, more, meanwhile) => {
        const pid = await amidst(url, killed[kind]?.() ?? pids(), more);
        const engines = kind in killed ? children(pid) : [];
        const other = meanwhile();
        other.catch(() => {}); // awaited below
        await sleep(after);
        await kill[kind](pid);
        const at = Date.now();
        await restart[kind]?.();
        await until('all is ready', async () => asked(url, 'SELECT 1') === '1' &&
            (await s.witness.get('/ready')).status === 200);
        await until('its engine is gone', () => !engines.some(([e]) => existsSync(`/proc/${e}`)));
        await other;
        return Date.now() - at;
    };
    s.held = () => ({ ...held(s.witness.child.pid), backends: Number(sql(url,
        'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()')),
    engines: pids().flatMap(children).length });
    return s;
}

/** All is analysed. An engine that was killed three times in one game has failed that game, as it
 * should: it is tried again, and counted. */
async function drained(s, made) {
    await until('every job ends', () => jobs(s.url, "state IN ('ready', 'leased')") === 0);
    const failed = jobs(s.url);
    if (failed === 0) return;
    assert.equal(jobs(s.url, "state = 'failed' AND attempts = 3"), failed);
    made.failed += failed;
    const r = await s.witness.get('/api/v1/analyses', { method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ all: true, action: 'retry' }) });
    assert.equal(r.status, 200);
    await drained(s, made);
}

/** Every accepted game is stored, once, and is analysed, once. */
function accounted(s, accepted) {
    const stored = sql(s.url, `SELECT w.name, b.name, g.date, count(*)
        FROM game AS g JOIN player AS w ON w.id = g.white_id JOIN player AS b ON b.id = g.black_id
        GROUP BY 1, 2, 3`).split('\n');
    const counts = new Map();
    for (const game of accepted) {
        const key = ['White', 'Black', 'Date'].map((name) => tag(game, name)).join('\t');
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const expected = [...counts].map(([key, n]) => `${key}\t${n}`);
    assert.deepEqual(expected.filter((line) => !stored.includes(line)), [], 'accepted, not stored');
    assert.deepEqual(stored.filter((line) => !expected.includes(line)), [], 'stored, not accepted');
    assert.equal(sql(s.url, `SELECT count(*) FROM (SELECT g.id FROM game AS g
        LEFT JOIN turn AS t ON t.game_id = g.id GROUP BY g.id
        HAVING count(*) <> g.plies - 16 OR count(DISTINCT t.ply) <> g.plies - 16) AS x`), '0');
    assert.equal(sql(s.url, 'SELECT count(*) FROM judged_side'), String(2 * accepted.length));
    assert.equal(sql(s.url, 'SELECT sum(games), sum(sides) FROM judge_total'),
        `${accepted.length}\t${2 * accepted.length}`);
}

/** The same games without faults: what they give. */
async function undisturbed(t, games) {
    const url = freshDatabase(t);
    defineFaulty(url);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '2' });
    assert.equal(await upload(s, games.join('')), '');
    await until('the other queue is empty', () => jobs(url) === 0, 3600);
    return [evaluations(url), years(url)];
}

function told(made) {
    const sorted = (list) => list.toSorted((a, b) => a - b);
    for (const [kind, times] of Object.entries(made.recovery))
        console.log(`${kind}: ${times.length} killed amidst analyses; all ready again after ` +
            `${sorted(times)[times.length >> 1]} ms in the median, ${sorted(times).pop()} ms at most`);
    console.log(`uploads: ${made.accepted.length} accepted, others ${JSON.stringify(made.refused)}; ` +
        `games failed by three killed engines, and tried again: ${made.failed}`);
}

test(`${rounds} rounds of SIGKILL, seed ${seed}`, async (t) => {
    const games = shuffled(gamesOf(24)), s = await site(t), holds = [];
    const made = { accepted: [], again: [], refused: {}, failed: 0, recovery: {} };
    const bring = async (to) => {
        const game = made.again.shift() ?? games.shift(), why = await upload(to, game);
        (why === '' ? made.accepted : made.again).push(game);
        if (why !== '') made.refused[why] = (made.refused[why] ?? 0) + 1;
    };
    const look = async () => {
        while (made.again.length > 0) await bring(s.witness); // one may be stored, its answer lost
        await drained(s, made);
        accounted(s, made.accepted);
        holds.push(s.held());
        console.log(`${made.accepted.length} games: ${JSON.stringify(holds.at(-1))}`);
    };

    await bring(s.witness);
    await look();
    for (let round = 0, order = []; round < rounds; round++) {
        if (order.length === 0) order = shuffled(kinds);
        const kind = order.pop();
        await until('few games wait', () => jobs(s.url) <= MANY);
        const took = await s.kill(kind, choose([15, 150]) * random(), () => bring(s.witness),
            () => bring(choose([s.server, s.witness])));
        (made.recovery[kind] ??= []).push(took);
        if (round % EACH === EACH - 1) await look();
    }
    await look();
    told(made);

    const first = holds[Math.min(1, holds.length - 2)], last = holds.at(-1);
    assert.equal(last.engines, 3, 'no engine is left over');
    assert.ok(last.descriptors <= first.descriptors + 8, 'descriptors are back');
    assert.ok(last.kib <= first.kib + 16384, 'memory is back');
    assert.deepEqual(readdirSync(s.spool), []);
    const [clean, cleanYears] = await undisturbed(t, made.accepted);
    assert.equal(evaluations(s.url), clean);
    assert.equal(years(s.url), cleanYears);
});
