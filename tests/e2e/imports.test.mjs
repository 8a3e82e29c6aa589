// Imports beside each other: a small upload passes a large one, large ones take turns, each can be
// watched, cancelled and interrupted, and nothing of an unfinished one is left. A trigger holds an
// import at the games that a test has chosen, as long as the test wants.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { attempt, freshDatabase, run, serve, sql, until } from './lib.mjs';

const BATCH = 1000; // games that are stored at once (IPR_BATCH_ROWS)
const TURN_MS = 5000; // until an import of about the same size is let pass (import_queue.c)
const SHARE = 16;     // uploads of one token that may wait (IPR_IMPORTS_SHARE)
const ASYNC = { prefer: 'respond-async' };

const game = (white, event = 'Open', tags = '', more = '') => `[Event "${event}"]\n[White "${white}"]
[Black "Rival, R"]\n[Date "1999.01.02"]\n[Round "1"]\n[Result "1-0"]\n${tags}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ${more}1-0\n\n`;

/** A file of `batches` batches; import is held in those of `gates`, numbers from 0. */
const file = (name, batches, gates = []) => Array.from({ length: batches * BATCH }, (_, i) =>
    game(`${name} ${i}, P`, gates.includes((i - 500) / BATCH) ? `gate ${(i - 500) / BATCH}` : 'Open')).join('');

const all = ['SELECT count(*) FROM game', "SELECT count(*) FROM player WHERE id <> 0", 'SELECT count(*) FROM event',
    'SELECT count(*) FROM job', 'SELECT count(*) FROM upload_error', 'SELECT count(*) FROM upload_duplicate',
    'SELECT count(*) FROM spelling', 'SELECT coalesce(sum(games), 0) FROM player_games'];
const stored = (url) => all.map((query) => sql(url, query)).join(' ');

/** The service with gates; close(n) before an import comes to gate n, which open(n) lets through. */
async function site(t, extra = {}) {
    const url = freshDatabase(t);
    sql(url, `CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(77, substr(NEW.name, 6)::integer); RETURN NULL; END $$;
        CREATE TRIGGER gate AFTER INSERT ON event FOR EACH ROW WHEN (NEW.name LIKE 'gate %') EXECUTE FUNCTION gate()`);
    const held = new Map();
    const close = async (n) => {
        const psql = spawn('psql', ['-X', '-q', '-A', '-t', '-d', url], { stdio: ['pipe', 'pipe', 'inherit'] });
        psql.stdin.write(`SELECT 'closed' FROM (SELECT pg_advisory_lock(77, ${n})) AS l;\n`);
        await once(psql.stdout, 'data');
        held.set(n, psql);
    };
    const open = async (n) => {
        const psql = held.get(n);
        held.delete(n);
        psql.stdin.end();
        await once(psql, 'close');
    };
    t.after(() => Promise.all([...held.keys()].map(open)));
    const s = await serve(t, url, extra);
    const at = (n) => until(`an import at gate ${n}`, () => sql(url, `SELECT count(*) FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 77 AND objid = ${n} AND NOT granted`) === '1');
    const send = async (body, headers = ASYNC) => {
        const r = await s.post(body, '?analyse=false', headers);
        assert.equal(r.status, 202, await r.clone().text());
        return { ...await r.json(), address: r.headers.get('location'), applied: r.headers.get('preference-applied') };
    };
    const end = (u) => until(`the end of ${u.address}`, async () => {
        const now = await s.json(u.address);
        return !['waiting', 'importing'].includes(now.state) && now;
    });
    return { url, s, close, open, at, send, end };
}

/** A large upload of which a part is stored, since a small one has passed it at gate 1; held at
 * gate 3. `first` is how it was sent. */
async function parted(c, first) {
    await c.close(1);
    await c.close(3);
    const large = await first(game('Kept, K') + file('Large', 6, [1, 3]));
    await c.at(1);
    const small = await c.send(game('Large 4700, P') + game('Small, S'));
    await c.open(1);
    await c.at(3);
    return { large, small: await c.end(small) };
}

test('a small upload passes a large one, and both are whole', async (t) => {
    const c = await site(t);
    await c.close(1);
    await c.close(3);
    // The last game adds to the hundredth, which is stored by then.
    const large = await c.send(file('Large', 6, [1, 3]) + game('Large 100, P', 'Open', '[WhiteElo "2500"]\n', '4. Ba4 Nf6 '));
    assert.equal(large.applied, 'respond-async');
    assert.ok(['waiting', 'importing'].includes(large.state), large.state);
    assert.equal(large.done, false);
    assert.equal(large.ended, null);

    await c.at(1);
    const early = await until('progress', async () => {
        const now = await c.s.json(large.address);
        return now.games_read >= BATCH && now;
    });
    assert.equal(early.state, 'importing');
    assert.equal(early.imported, BATCH);
    assert.ok(early.bytes_read > 0 && early.bytes_read <= early.bytes);
    assert.equal(sql(c.url, 'SELECT count(*) FROM game'), '0', 'no part is stored yet');
    const page = await (await c.s.get(`/uploads/${large.id}`, { headers: { accept: 'text/html' } })).text();
    assert.match(page, /<progress [^>]*data-import/);

    const small = await c.send(game('Large 4700, P') + game('Small, S'));
    assert.equal((await c.s.json(small.address)).state, 'waiting');
    await c.open(1);
    const passed = await c.end(small);
    assert.deepEqual([passed.state, passed.imported], ['stored', 2]);
    await c.at(3);
    assert.equal((await c.s.json(large.address)).state, 'importing');
    assert.equal(sql(c.url, 'SELECT count(*) FROM game'), String(2 * BATCH + 2));

    await c.open(3);
    const ended = await c.end(large);
    assert.deepEqual([ended.state, ended.games_read, ended.imported, ended.duplicate],
        ['stored', 6 * BATCH + 1, 6 * BATCH - 1, 2], 'what the small one has brought is a duplicate of the rest');
    assert.equal(ended.bytes_read, ended.bytes);
    assert.match(ended.ended, /Z$/);
    assert.equal(ended.done, true);
    const sides = `(SELECT white_id AS id, white_elo AS elo FROM game UNION ALL SELECT black_id, black_elo FROM game)`;
    assert.equal(sql(c.url, `SELECT count(*) FROM (SELECT player_id, sum(games), sum(elo_games), sum(elo_sum) FROM player_games GROUP BY 1
        EXCEPT SELECT id, count(*), count(elo), coalesce(sum(elo), 0) FROM ${sides} AS s GROUP BY 1) AS x`), '0');
    assert.equal(sql(c.url, 'SELECT sum(games), sum(elo_games), sum(elo_sum) FROM player_games'), `${12 * BATCH + 2}\t1\t2500`);
});

test('one token cannot take the room of all others in the queue', async (t) => {
    const c = await site(t);
    const headers = ['greedy', 'other'].map((name) =>
        ({ ...ASYNC, authorization: `Bearer ${run(['token', 'create', '--scopes=upload', name], c.url).trim()}` }));
    await c.close(1);
    const held = await c.send(file('Large', 2, [1]), headers[1]);
    await c.at(1);
    const sent = [];
    for (let i = 0; i < SHARE; i++) sent.push(await c.send(game(`Greedy ${i}, G`), headers[0]));
    const refused = await c.s.post(game('Greedy last, G'), '?analyse=false', headers[0]);
    assert.equal(refused.status, 503);
    assert.match((await refused.json()).detail, /^16 uploads with this token, or of this address, are waiting/);
    const other = await c.send(game('Other, O'), headers[1]);
    // Who has sent one may stop it, and nobody else without the scope admin.
    const stopped = sent.pop();
    const stop = async (u, { authorization }) => (await c.s.get(u.address, { method: 'DELETE', headers: { authorization } })).status;
    assert.equal(await stop(stopped, headers[1]), 403);
    assert.equal(await stop(stopped, headers[0]), 200);
    await c.open(1);
    assert.equal((await c.end(held)).state, 'stored');
    assert.equal(await stop(held, headers[1]), 403, 'it is stored');
    for (const u of [other, ...sent]) assert.equal((await c.end(u)).state, 'stored');
});

test('a copy of a game brings no player and no event that has no game', async (t) => {
    const c = await site(t);
    const moves = '4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 ';
    const u = await c.send(game('Known, K', 'Open', '[WhiteFideId "7000001"]\n', moves) +
        game('Known, K', 'Open A', '[WhiteFideId "7000002"]\n', moves));
    const { imported, duplicate } = await c.end(u);
    assert.deepEqual([imported, duplicate], [1, 1]);
    assert.equal(sql(c.url, 'SELECT count(*) FROM player WHERE id <> 0'), '2');
    assert.equal(sql(c.url, 'SELECT count(*) FROM event WHERE id <> 0'), '1');
    assert.equal((await c.s.get(u.address, { method: 'DELETE' })).status, 200);
    assert.equal(stored(c.url), '0 0 1 0 0 0 0 0');
});

test('a quota of bytes counts what a packed file unpacks to', async (t) => {
    const c = await site(t);
    const headers = { ...ASYNC, authorization: `Bearer ${run(['token', 'create', '--quota-mb=1', 'club'], c.url).trim()}`,
        'content-type': 'application/gzip' };
    const packed = gzipSync(file('Packed', 10));
    assert.ok(packed.length < 2e5, `${packed.length} bytes`);
    await c.end(await c.send(packed, headers));
    const again = await c.s.post(packed, '?analyse=false', headers);
    assert.equal(again.status, 429);
    assert.match((await again.json()).type, /quota_exceeded/);
});

test('an upload is cancelled while it is imported: its client is told, and nothing of it remains', async (t) => {
    const c = await site(t);
    const before = await c.send(game('Kept, K'));
    await c.end(before);
    let answer;
    const { small } = await parted(c, async (body) => { answer = c.s.post(body, '?judge=quick'); });
    assert.equal(sql(c.url, 'SELECT count(*) FROM game'), String(2 * BATCH + 2), 'one of them is a duplicate');
    assert.equal(sql(c.url, 'SELECT count(*) FROM job'), String(2 * BATCH));
    const [large] = (await c.s.json('/api/v1/uploads')).uploads.filter((u) => u.state === 'importing');

    const deletion = c.s.get(`/api/v1/uploads/${large.id}`, { method: 'DELETE' });
    await until('cancelled', () => sql(c.url, `SELECT state FROM upload WHERE id = ${large.id}`) === 'cancelled');
    await c.open(3);
    const told = await answer;
    assert.equal(told.status, 409);
    assert.equal((await told.json()).type, '/problems/upload_cancelled');
    let gone = await deletion;
    while (gone.status === 503) gone = await c.s.get(`/api/v1/uploads/${large.id}`, { method: 'DELETE' });
    assert.equal(gone.status, 200);
    assert.equal((await gone.json()).games, 2 * BATCH - 1);
    assert.equal((await c.s.get(`/api/v1/uploads/${large.id}`)).status, 404);

    const left = stored(c.url);
    assert.equal(small.imported, 2);
    for (const one of (await c.s.json('/api/v1/uploads')).uploads)
        assert.equal((await c.s.get(`/api/v1/uploads/${one.id}`, { method: 'DELETE' })).status, 200);
    for (const one of [game('Kept, K'), game('Large 4700, P') + game('Small, S')]) await c.end(await c.send(one));
    assert.equal(stored(c.url), left, 'as if it had never been there');
});

test('one that waits is cancelled at once', async (t) => {
    const c = await site(t);
    await c.close(1);
    await c.send(file('Large', 3, [1]));
    await c.at(1);
    const answer = c.s.post(game('Small, S'), '?analyse=false');
    const waiting = await until('it waits', async () =>
        (await c.s.json('/api/v1/uploads')).uploads.find((u) => u.state === 'waiting'));
    const gone = await c.s.get(`/api/v1/uploads/${waiting.id}`, { method: 'DELETE' });
    assert.equal(gone.status, 200);
    assert.equal((await gone.json()).games, 0);
    assert.equal((await answer).status, 409);
});

test('a client that leaves finds the result at the address', async (t) => {
    const c = await site(t);
    await c.close(1);
    const leaving = new AbortController();
    const sent = c.s.get('/api/v1/uploads?analyse=false', { method: 'POST', body: file('Large', 3, [1]),
        headers: { 'content-type': 'application/x-chess-pgn' }, signal: leaving.signal }).catch(() => 'left');
    await c.at(1);
    leaving.abort();
    assert.equal(await sent, 'left');
    const [large] = (await c.s.json('/api/v1/uploads')).uploads;
    await c.open(1);
    const ended = await c.end({ address: `/api/v1/uploads/${large.id}` });
    assert.deepEqual([ended.state, ended.imported], ['stored', 3 * BATCH]);

    const bad = await c.end(await c.send('no game'));
    assert.deepEqual([bad.state, bad.problem, bad.games_read], ['failed', 'no_games', 0]);
    const page = await (await c.s.get(`/uploads/${bad.id}`, { headers: { accept: 'text/html' } })).text();
    assert.match(page, /The import failed/);
});

test('after SIGKILL nothing of an unfinished upload remains', async (t) => {
    const c = await site(t);
    const { large, small } = await parted(c, c.send);
    const waiting = await c.send(file('Later', 7));
    await c.s.stop('SIGKILL');
    await c.open(3);
    const s = await serve(t, c.url);
    for (const one of [large, waiting]) {
        const now = await until('failed', async () => {
            const u = await s.json(one.address);
            return u.state === 'failed' && u;
        });
        assert.equal(now.problem, 'upload_interrupted');
        assert.equal(now.imported, 0);
    }
    assert.equal((await s.json(small.address ?? `/api/v1/uploads/${small.id}`)).state, 'stored');
    assert.equal(sql(c.url, 'SELECT count(*) FROM game'), '2');
    const left = stored(c.url);
    await s.get(`/api/v1/uploads/${small.id}`, { method: 'DELETE' });
    await s.post(game('Large 4700, P') + game('Small, S'), '?analyse=false');
    assert.equal(stored(c.url), left);
    const again = await (await s.post(file('Large', 6), '?analyse=false')).json();
    assert.deepEqual([again.imported, again.duplicate], [6 * BATCH - 1, 1]);
});

test('two large uploads take turns', async (t) => {
    const c = await site(t);
    await c.close(1);
    await c.close(2);
    const first = await c.send(file('First', 6, [1]));
    await c.at(1);
    const second = await c.send(file('Second', 6, [2]));
    await sleep(TURN_MS);
    await c.open(1);
    await c.at(2);
    const [a, b] = [await c.s.json(first.address), await c.s.json(second.address)];
    assert.deepEqual([a.state, b.state], ['importing', 'importing']);
    assert.equal(a.games_read, 2 * BATCH, 'it has stored a part');
    await c.open(2);
    for (const one of [first, second]) {
        const ended = await c.end(one);
        assert.deepEqual([ended.state, ended.imported], ['stored', 6 * BATCH]);
    }
});

test('an upload has a time, also in parts', async (t) => {
    const c = await site(t, { INTRINSIC_IMPORT_MAX_S: '8' });
    let answer;
    const { small } = await parted(c, async (body) => { answer = c.s.post(body, '?analyse=false'); });
    await sleep(8000);
    await c.open(3);
    const told = await answer;
    assert.equal(told.status, 413);
    assert.equal((await told.json()).type, '/problems/import_too_long');
    const large = (await c.s.json('/api/v1/uploads')).uploads.find((u) => u.id !== small.id);
    assert.deepEqual([large.state, large.problem, large.imported], ['failed', 'import_too_long', 0]);
    assert.equal(sql(c.url, 'SELECT count(*) FROM game'), '2');
});

test('the command lets an upload pass, too', async (t) => {
    const c = await site(t);
    const dir = mkdtempSync(path.join(tmpdir(), 'intrinsic-imports-'));
    t.after(() => rmSync(dir, { recursive: true }));
    writeFileSync(path.join(dir, 'large.pgn'), file('Large', 6, [1, 5]));
    await c.close(1);
    await c.close(5);
    const command = attempt(['import', path.join(dir, 'large.pgn')], c.url);
    await c.at(1);
    const small = await c.send(game('Small, S'));
    await sleep(1000);
    await c.open(1);
    assert.equal((await c.end(small)).state, 'stored');
    await c.at(5);
    await c.open(5);
    const { code, stdout } = await command;
    assert.equal(code, 0);
    assert.match(stdout, /6000 games read, 6000 new/);
});
