// Answers are read from a streaming replica where it has what was asked for: nobody sees less than
// what was stored, whatever becomes of the replica.
import test from 'node:test';
import assert from 'node:assert/strict';
import path from 'node:path';
import { ownServer, replicaOf } from './cluster.mjs';
import { threeGames } from './games.mjs';
import { bareDatabase, fitted, freshDatabase, root, run, serve, sql, until } from './lib.mjs';

const lines = (log, event) => log.split('\n').filter((l) => l.includes(` event=${event} `));
const lists = ['/api/v1/players', '/api/v1/games', '/api/v1/events'];

/** The service with a replica of its database, and what they say. */
async function together(t) {
    const server = await ownServer(t);
    server.configure(['synchronous_commit = on']); // else the replica gets commits later than others see them
    const url = freshDatabase(t, server.url);
    const replica = replicaOf(t, server);
    const there = url.replace(/host=\S+/, `host=${replica.dir}`);
    const site = await serve(t, url, { DATABASE_URL_READ: there, INTRINSIC_RATE_LIMIT: '0' });
    const reads = async () => Object.fromEntries([...(await (await site.get('/metrics')).text())
        .matchAll(/^intrinsic_replica_reads_total\{result="(\w+)"\} (\d+)$/gm)]
        .map(([, k, v]) => [k, Number(v)]));
    /** How many reads became what, while `what` is done. */
    const during = async (what) => {
        const before = await reads();
        await what();
        const after = await reads();
        return Object.fromEntries(Object.keys(after).map((k) => [k, after[k] - before[k]]));
    };
    const caughtUp = () => until('the replica has everything', () => sql(url,
        'SELECT pg_current_wal_flush_lsn()') === sql(there, 'SELECT pg_last_wal_replay_lsn()'));
    const ready = async () => (await site.json('/ready')).replica;
    return { server, replica, url, there, site, during, caughtUp, ready };
}

const game = (name) => `[Event "Lag"]\n[Site "?"]\n[Date "1999.01.02"]\n[Round "1"]\n[White "${name}"]\n[Black "Ze, B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n`;

test('pages and answers come from the replica, and never without what was stored', async (t) => {
    const { url, there, site, during, caughtUp, ready } = await together(t);
    assert.equal((await site.post(threeGames())).status, 202);
    await fitted(url); // what is counted in the background moves the versions, too
    await caughtUp();

    const current = await during(async () => {
        for (const list of [...lists, '/players', '/api/v1/games.ndjson', '/api/v1/games/1.pgn'])
            assert.equal((await site.get(list)).status, 200, list);
    });
    assert.deepEqual({ answered: current.answered, failed: current.failed, unused: current.unused },
        { answered: 6, failed: 0, unused: 0 });
    assert.equal((await ready()).used, true);

    // The replica stands still; what is stored meanwhile is answered at once, under its own version.
    const before = await site.get('/api/v1/players');
    await before.text();
    sql(there, 'SELECT pg_wal_replay_pause()');
    await until('it has paused', () => sql(there, 'SELECT pg_get_wal_replay_pause_state()') === 'paused');
    assert.equal((await site.post(game('Laggard, A'))).status, 202);
    const stands = await during(async () => {
        const after = await site.get('/api/v1/players');
        assert.ok((await after.json()).players.some((p) => p.name === 'Laggard, A'));
        assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
        assert.match(await (await site.get('/api/v1/games.ndjson')).text(), /Laggard, A/);
        assert.match(await (await site.get('/players')).text(), /A Laggard/);
    });
    assert.deepEqual([stands.behind, stands.answered], [3, 0]);
    await until('the lag is seen', async () => (await ready()).lag_s > 1);
    assert.match(await (await site.get('/metrics')).text(), /^intrinsic_replica_lag_seconds [1-9]/m);

    sql(there, 'SELECT pg_wal_replay_resume()');
    await fitted(url);
    await caughtUp();
    await until('the lag is gone', async () => (await ready()).lag_s === 0);
    assert.deepEqual([(await during(() => site.json('/api/v1/games'))).answered], [1]);
    assert.equal(lines(site.log(), 'replica_unused').length, 0);
    // What the primary answered and what the replica answers is the same, byte by byte.
    const cold = await serve(t, url, { INTRINSIC_CACHE_MB: '0' });
    for (const list of lists)
        assert.equal(await (await site.get(list)).text(), await (await cold.get(list)).text(), list);
});

test('what is computed on the replica is kept; what must write is done by the primary', async (t) => {
    const { url, site, during, caughtUp } = await together(t);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    run(['import', '--quiet', path.join(root, 'static/samples/judged/1921_capablanca_lasker.ndjson.zst')], url);
    await fitted(url);
    await caughtUp();
    const [person, year] = sql(url, `SELECT player_id, year FROM player_year
        ORDER BY turns DESC LIMIT 1`).split('\t');
    const rated = await during(() => site.json(`/api/v1/players/${person}/ratings?year=${year}`));
    assert.deepEqual([rated.answered, rated.failed], [1, 0]);
    assert.equal(sql(url, `SELECT count(*) FROM rating WHERE player_id = ${person}`), '1');

    // The list of player-years is brought up to date by who asks for it first: that writes.
    await caughtUp();
    const listed = await during(() => site.json('/api/v1/player-years?sort=rating'));
    assert.deepEqual([listed.answered, listed.failed], [0, 1]);
    await caughtUp();
    const again = await during(() => site.json('/api/v1/player-years?sort=rating&limit=3'));
    assert.deepEqual([again.answered, again.failed], [1, 0]);

    const report = await during(() => until('the report is computed', async () =>
        (await site.json('/api/v1/reports/comparisons')).report.state === 'kept'));
    assert.deepEqual([report.answered, report.failed], [1, 0]);
});

test('a replica that ends, hangs or comes back is one line each', async (t) => {
    const { replica, site, during, ready } = await together(t);
    assert.equal((await site.post(threeGames())).status, 202);
    replica.stop('immediate');
    const without = await during(async () => {
        for (const list of lists)
            assert.equal((await site.get(list)).status, 200, list);
    });
    assert.equal(without.answered, 0);
    await until('it is not used', async () => (await ready()).used === false);
    assert.equal((await ready()).reason, 'away');
    assert.equal(lines(site.log(), 'replica_unused').length, 1);
    replica.start();
    await until('it is used again', async () => (await ready()).used);
    assert.ok((await during(() => site.json('/api/v1/games?limit=2'))).answered <= 1);

    // It accepts connections and says nothing: every answer still comes.
    const pids = replica.processes();
    t.after(() => pids.forEach((p) => { try { process.kill(p, 'SIGCONT'); } catch { /* ended */ } }));
    pids.forEach((p) => process.kill(p, 'SIGSTOP'));
    const begun = Date.now();
    const statuses = await Promise.all(Array.from({ length: 12 }, async (_, i) =>
        (await site.get(`/api/v1/games?limit=${i + 3}`)).status));
    assert.deepEqual(statuses, Array(12).fill(200));
    assert.ok(Date.now() - begun < 20000, `${Date.now() - begun} ms`);
    await until('that is noticed', async () => (await ready()).used === false);
    pids.forEach((p) => process.kill(p, 'SIGCONT'));
    await until('it is used once more', async () => (await ready()).used);
    await until('that is logged', () => lines(site.log(), 'replica_used').length > 0);
});

test('another database, a primary and an older schema are not read from', async (t) => {
    const server = await ownServer(t);
    const url = freshDatabase(t, server.url), other = await ownServer(t);
    const elsewhere = freshDatabase(t, other.url);
    for (const [read, reason] of [[elsewhere, 'not_a_standby'], [url, 'not_a_standby'],
        ['host=/nonexistent dbname=x', 'away']]) {
        const site = await serve(t, url, { DATABASE_URL_READ: read });
        assert.deepEqual((await site.json('/ready')).replica, { used: false, lag_s: null, reason });
        assert.equal((await site.get('/api/v1/players')).status, 200);
        assert.equal(lines(site.log(), 'replica_unused').length, 1);
        await site.stop();
    }
    const replica = replicaOf(t, server);
    const empty = bareDatabase(t, server.url);
    await until('the replica has it', () => {
        try {
            return sql(empty.replace(/host=\S+/, `host=${replica.dir}`), 'SELECT 1');
        } catch {
            return false;
        }
    });
    const there = empty.replace(/host=\S+/, `host=${replica.dir}`);
    const site = await serve(t, url, { DATABASE_URL_READ: there });
    assert.equal((await site.json('/ready')).replica.reason, 'other_database');
    await site.stop();

    // The program is newer than what the replica has: the migrations have not come to it yet.
    sql(there, 'SELECT pg_wal_replay_pause()');
    await until('it has paused', () => sql(there, 'SELECT pg_get_wal_replay_pause_state()') === 'paused');
    run(['migrate'], empty);
    const newer = await serve(t, empty, { DATABASE_URL_READ: there });
    assert.equal((await newer.json('/ready')).replica.reason, 'other_schema');
    assert.match(lines(newer.log(), 'replica_unused')[0], /migration 0 of/);
    assert.equal((await newer.get('/api/v1/players')).status, 200);
    sql(there, 'SELECT pg_wal_replay_resume()');
    await until('it is used', async () => (await newer.json('/ready')).replica.used);
});

test('while the primary is away the replica answers', async (t) => {
    const { server, site, caughtUp } = await together(t);
    assert.equal((await site.post(threeGames())).status, 202);
    await caughtUp();
    server.stop('fast');
    for (const list of [...lists, '/players', '/api/v1/games.ndjson'])
        assert.equal((await site.get(list)).status, 200, list);
    assert.equal((await site.post(game('Nobody, A'))).status, 503);
    assert.equal((await site.get('/ready')).status, 503);
    server.start();
    await until('the primary is back', async () => (await site.get('/ready')).status === 200);
});
