// Workers on many machines, and what happens to machines: killed, frozen, cut off, their database
// restarted. Every game is judged, exactly once, and the evaluations are to the byte those of a run
// without any fault.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, run, serve, sql, until } from './lib.mjs';
import { host, namespacesWork, ownServer, worker } from './cluster.mjs';
import { defineFaulty, shortGames } from './games.mjs';

const GAMES = 12;

/** A database with the games queued. */
function queue(t, url) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'games.pgn');
    writeFileSync(file, shortGames(GAMES), 'latin1');
    defineFaulty(url);
    run(['import', '--analyse', '--judge=faulty', '--quiet', file], url);
    assert.equal(count(url), GAMES, 'all games are queued');
}

const count = (url, where = 'true') => Number(sql(url, `SELECT count(*) FROM job WHERE ${where}`));
const amidst = (url, w) => until(`${w.pid} is in the middle of a game`,
    () => count(url, `worker LIKE '%:${w.pid}' AND state = 'leased' AND turns_done > 2`) > 0);
const gameOf = (url, w) => Number(sql(url, `SELECT game_id FROM job
    WHERE worker LIKE '%:${w.pid}' AND state = 'leased' AND turns_done > 2 LIMIT 1`));
const done = (url) => until('all games are judged', () => count(url) === 0);
const taken = (url, game, w) => until(`another has game ${game}`, () => Number(sql(url,
    `SELECT count(*) FROM job WHERE game_id = ${game} AND (state <> 'leased' OR worker LIKE '%:${w.pid}')`)) === 0);
const refused = (w) => until('the lease is known to be lost',
    () => /lease_lost|late_result_refused/.test(w.log()));

let undisturbed; // what a run without faults gives

async function judgements(url) {
    return run(['export', '--judge=faulty'], url).split('\n').sort().join('\n');
}

/** Every game whole, once, and the same as without faults. */
async function sameAsUndisturbed(t, url) {
    assert.equal(count(url), 0);
    const rows = sql(url, `SELECT g.id, g.plies, count(t.*), count(DISTINCT t.ply)
        FROM game g LEFT JOIN turn t ON t.game_id = g.id GROUP BY g.id`)
        .split('\n').map((l) => l.split('\t').map(Number));
    assert.equal(rows.length, GAMES);
    for (const [game, plies, turns, distinct] of rows) {
        assert.equal(turns, plies - 16, `turns of game ${game}`);
        assert.equal(distinct, turns);
    }
    assert.equal(sql(url, 'SELECT count(*), count(DISTINCT judge_id) FROM judged_side'),
        `${2 * GAMES}\t1`);
    assert.equal(sql(url, 'SELECT sum(games), sum(sides) FROM judge_total'),
        `${GAMES}\t${2 * GAMES}`, 'and is counted once');
    if (!undisturbed) {
        const clean = freshDatabase(t);
        queue(t, clean);
        const w = worker(t, clean, { settings: { INTRINSIC_WORKERS: '2', INTRINSIC_LEASE_S: '20' } });
        await done(clean);
        assert.equal(await w.end('SIGTERM'), 0);
        assert.doesNotMatch(w.log(), / level=(warn|error) /);
        undisturbed = await judgements(clean);
    }
    assert.equal(await judgements(url), undisturbed);
}

test('one worker killed and one frozen past its lease, both in the middle of games', async (t) => {
    const url = freshDatabase(t);
    queue(t, url);
    const killed = worker(t, url), frozen = worker(t, url);
    await Promise.all([amidst(url, killed), amidst(url, frozen)]);
    killed.signal('SIGKILL');
    frozen.signal('SIGSTOP');
    const game = gameOf(url, frozen);
    const third = worker(t, url);
    await taken(url, game, frozen);
    frozen.signal('SIGCONT');
    await refused(frozen);
    await done(url);
    await sameAsUndisturbed(t, url);
    assert.equal(await frozen.end('SIGTERM'), 0);
    assert.equal(await third.end('SIGTERM'), 0);
});

test('PostgreSQL restarted in the middle: an orderly restart, then a crash', async (t) => {
    const server = await ownServer(t), url = freshDatabase(t, server.url);
    queue(t, url);
    const workers = [worker(t, url), worker(t, url)];
    for (const mode of ['fast', 'immediate']) {
        await Promise.all(workers.map((w) => amidst(url, w)));
        server.stop(mode);
        await until('it is noticed', () => workers.every((w) => / level=warn /.test(w.log())));
        server.start();
    }
    await done(url);
    await sameAsUndisturbed(t, url);
    for (const w of workers) {
        assert.ok(!w.gone(), 'no worker has ended over it');
        assert.equal(await w.end('SIGTERM'), 0);
    }
});

/** Crashes PostgreSQL, and stops it in the middle of its recovery: the process that recovers. */
const caughtRecovering = (server, url) => until('it is caught while it recovers', async () => {
    sql(url, `CREATE TABLE much AS SELECT n, repeat('x', 200) AS x FROM generate_series(1, 200000) AS n; DROP TABLE much`);
    server.kill();
    for (let tries = 0; tries < 600; tries++) {
        const pid = server.recovering();
        if (pid) {
            process.kill(pid, 'SIGSTOP');
            return server.recovering() === pid && pid;
        }
        if (tries % 100 === 0) try { server.begin(); } catch { /* a backend has not yet noticed */ }
        await sleep(10);
    }
    return false;
});

test('PostgreSQL killed while it recovers: the service is back with it, and so is one that has started meanwhile', async (t) => {
    const server = await ownServer(t);
    server.configure(["max_wal_size = '4GB'", "checkpoint_timeout = '1h'", 'synchronous_commit = on', 'full_page_writes = on']);
    const url = freshDatabase(t, server.url), s = await serve(t, url);
    queue(t, url);
    const w = worker(t, url);
    await amidst(url, w);
    const pid = await caughtRecovering(server, url);
    const starts = serve(t, url);
    assert.throws(() => sql(url, 'SELECT 1'), /starting up|not yet accepting/);
    assert.equal((await s.get('/ready')).status, 503);
    assert.equal((await s.get('/health')).status, 200);
    server.kill();
    process.kill(pid, 'SIGKILL');
    await until('PostgreSQL starts', () => {
        try {
            server.start();
            return true;
        } catch {
            return false; // a backend has not yet noticed
        }
    });
    const since = Date.now();
    await until('the service is ready', async () => (await s.get('/ready')).status === 200, 60);
    console.log(`ready ${Date.now() - since} ms after the database`);
    const other = await starts;
    console.log(`and the other one ${Date.now() - since} ms after it`);
    assert.equal((await other.get('/ready')).status, 200);
    await done(url);
    await sameAsUndisturbed(t, url);
    assert.equal(await w.end('SIGTERM'), 0);
});

test('the network cut between a worker and the database, for longer than the lease',
    { skip: !namespacesWork() && 'no network namespaces here' }, async (t) => {
        const server = await ownServer(t);
        const near = host(t, 1), far = host(t, 2);
        server.listen();
        const url = freshDatabase(t, server.url);
        const over = (h) => url.replace(/host=\S+/, `host=${h.here}`);
        queue(t, url);
        const cutOff = worker(t, over(near), { inside: near.name });
        await amidst(url, cutOff);
        const game = gameOf(url, cutOff);
        near.cut();
        const other = worker(t, over(far), { inside: far.name });
        await taken(url, game, cutOff);
        await done(url); // what is cut off goes on meanwhile, and has a result nobody wants
        near.mend();
        await refused(cutOff);
        await sameAsUndisturbed(t, url);
        assert.equal(sql(url, `SELECT DISTINCT source LIKE '%:${other.pid}' FROM judged_side
            WHERE game_id = ${game}`), 't', 'the late result is not what is stored');
        for (const w of [cutOff, other])
            assert.equal(await w.end('SIGTERM'), 0);
    });
