// Uploads and games that are deleted: afterwards everything is as if they had never been there, and
// what is sent again is there again. Judged games over HTTP from one database into another.
import test, { after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { fitted, freshDatabase, root, run, serve, sql } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
after(async () => { for (const f of cleanups) await f(); });

const judged = path.join(root, 'static/samples/judged');
const sample = (name) => execFileSync('zstdcat',
    [path.join(judged, readdirSync(judged).find((f) => f.includes(name)))],
    { encoding: 'utf8', maxBuffer: 1 << 28 });

async function site(t) {
    const url = freshDatabase(suite);
    run(['calibrate', '--load=static/calibrations/standard.json.zst'], url);
    return { url, ...await serve(t, url, { SCID_RATINGS_PATH: '' }) };
}

const send = async (s, address, body, headers = {}) => {
    const r = await fetch(s.base + address, { method: 'POST', body, headers });
    assert.equal(r.status, 202, await r.clone().text());
    return r.json();
};
const lines = async (s, address) => (await (await fetch(s.base + address)).text()).trimEnd()
    .split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** What there is to see, without ids that a sequence gives and times. */
async function state(s) {
    await fitted(s.url);
    const plain = ({ id, ...rest }) => rest;
    const sorted = (rows) => rows.map((row) => JSON.stringify(row)).toSorted();
    const players = await lines(s, '/api/v1/players.ndjson?judge=standard');
    const shown = {
        games: sorted((await lines(s, '/api/v1/games.ndjson')).map(({ id, event_id: e, ...g }) => (
            { ...g, white: plain(g.white), black: plain(g.black) }))),
        events: sorted((await lines(s, '/api/v1/events.ndjson')).map(plain)),
        players: sorted(players.map(plain)),
        years: sorted((await lines(s, '/api/v1/player-years.ndjson')).map(
            (y) => ({ ...y, player: y.player.name }))),
        evaluations: sorted(await lines(s, '/api/v1/evaluations.ndjson')),
        spellings: sorted(sql(s.url, `SELECT p.name, s.key FROM spelling AS s
            INNER JOIN player AS p ON p.id = s.player_id
            WHERE EXISTS (SELECT FROM game WHERE p.id IN (white_id, black_id))`).split('\n')),
        sums: sql(s.url, `SELECT (SELECT sum(turns) FROM judge_total), (SELECT sum(games) FROM
            judge_total), (SELECT sum(turns) FROM player_total), (SELECT count(*) FROM turn),
            (SELECT count(*) FROM job), (SELECT coalesce(sum(jobs), 0) FROM job_total)`),
    };
    for (const p of players) {
        const { judge, calibration, years } = await (await fetch(`${s.base}/api/v1/players/${p.id}`)).json();
        shown[p.name] = { judge: judge?.name, calibration, years };
    }
    return shown;
}

/** Names of what differs: whole states are too long to read. */
const same = (is, was) => assert.deepEqual(Object.keys({ ...is, ...was })
    .filter((name) => JSON.stringify(is[name]) !== JSON.stringify(was[name])), []);

const game = (white, black, date, moves, more = '') => `[Event "Club"]\n[Date "${date}"]\n` +
    `[White "${white}"]\n[Black "${black}"]\n[Result "1-0"]\n${more}\n${moves} 1-0\n\n`;
const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6';
const pgnA = game('Tal, M', 'Keres, P', '1960.01.02', moves) +
    game('Keres, P', 'Tal, M', '1961.01.02', moves);
/* The first game again with Elo, and longer; one of the same players under another name; others. */
const pgnB = game('Tal, M', 'Keres, P', '1960.01.02', `${moves} 8. c3 O-O`, '[WhiteElo "2600"]\n') +
    game('Tal, M', 'Smyslov, V', '1962.05.06', '1. d4 d5 2. c4 e6') +
    game('Smyslov, V', 'Bronstein, D', '1962.05.07', '1. c4 e5 2. Nc3 Nf6', '[Site "Baku"]\n');

test('after A, B and DELETE of B everything is as after A alone', async (t) => {
    const s = await site(t);
    await send(s, '/api/v1/evaluations', sample('1961_botvinnik'));
    await send(s, '/api/v1/uploads?analyse=false', pgnA);
    const alone = await state(s);
    /* B has evaluations of new games, those of A again, and one of A's under another judge. */
    const again = sample('1961_botvinnik').split('\n').slice(0, 3).join('\n');
    const b = [
        await send(s, '/api/v1/evaluations', `${sample('1960_tal')}${again}\n` +
            `${again.replaceAll('"name":"standard","engine":"Stockfish 15.1"', '"name":"second","engine":"X"')}\n`),
        await send(s, '/api/v1/uploads', pgnB),
    ];
    const both = await state(s);
    assert.notDeepEqual(both, alone);
    assert.ok(sql(s.url, 'SELECT count(*) FROM game_before') > 0);
    for (const upload of b) {
        const r = await fetch(`${s.base}/api/v1/uploads/${upload.id}`, { method: 'DELETE' });
        assert.equal(r.status, 200, await r.clone().text());
        const done = await r.json();
        assert.equal(done.games, upload.imported);
        assert.ok(done.games + done.restored + done.evaluations > 0);
        assert.equal((await fetch(`${s.base}/api/v1/uploads/${upload.id}`)).status, 404);
        assert.equal((await fetch(`${s.base}/api/v1/uploads/${upload.id}`, { method: 'DELETE' })).status, 404);
    }
    same(await state(s), alone);
    for (const [address, body] of [['/api/v1/evaluations', `${sample('1960_tal')}${again}\n` +
            `${again.replaceAll('"name":"standard","engine":"Stockfish 15.1"', '"name":"second","engine":"X"')}\n`],
        ['/api/v1/uploads', pgnB]]) await send(s, address, body);
    same(await state(s), both);
});

test('what another upload confirmed stays', async (t) => {
    const s = await site(t);
    const first = await send(s, '/api/v1/evaluations', sample('1960_tal'));
    const second = await send(s, '/api/v1/evaluations', `${sample('1960_tal')}\n`);
    assert.equal(second.duplicate, first.imported);
    const before = await state(s);
    const done = await (await fetch(`${s.base}/api/v1/uploads/${first.id}`, { method: 'DELETE' })).json();
    assert.deepEqual([done.games, done.kept, done.evaluations], [0, first.imported, 0]);
    same(await state(s), before);
    const row = await (await fetch(`${s.base}/api/v1/uploads/${second.id}`)).json();
    assert.deepEqual([row.imported, row.duplicate], [first.imported, 0]);
    await fetch(`${s.base}/api/v1/uploads/${second.id}`, { method: 'DELETE' });
    assert.equal(sql(s.url, `SELECT (SELECT count(*) FROM game) + (SELECT count(*) FROM turn)
        + (SELECT count(*) FROM player WHERE id <> 0) + (SELECT count(*) FROM event WHERE id <> 0)
        + (SELECT sum(turns) FROM judge_total) + (SELECT count(*) FROM upload)`), '0');
});

test('a game is deleted; writing needs what other writes need', async (t) => {
    const s = await site(t);
    const upload = await send(s, '/api/v1/uploads', pgnB);
    const [one] = await lines(s, '/api/v1/games.ndjson?year=1960');
    const address = `${s.base}/api/v1/games/${one.id}`;
    assert.equal((await fetch(address, { method: 'DELETE', headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
    run(['token', 'create', 'ann'], s.url);
    assert.equal((await fetch(address, { method: 'DELETE' })).status, 401);
    const token = run(['token', 'create', 'bob'], s.url).match(/\S{20,}/)[0];
    const headers = { authorization: `Bearer ${token}` };
    const r = await fetch(address, { method: 'DELETE', headers });
    assert.equal(r.status, 200, await r.clone().text());
    assert.equal((await r.json()).games, 1);
    assert.equal((await fetch(address)).status, 404);
    assert.equal((await fetch(address, { method: 'DELETE', headers })).status, 404);
    assert.deepEqual((await lines(s, '/api/v1/games.ndjson?sort=id')).length, 2);
    assert.equal(sql(s.url, `SELECT count(*) FROM job`), '2');
    const form = await fetch(`${s.base}/uploads/${upload.id}`, { method: 'POST',
        redirect: 'manual', body: new URLSearchParams({ token }), headers: { accept: 'text/html' } });
    assert.equal(form.status, 303);
    assert.equal(form.headers.get('location'), '/uploads#deleted');
    assert.deepEqual(await lines(s, '/api/v1/games.ndjson'), []);
    const page = await (await fetch(`${s.base}/uploads/${(await send(s, '/api/v1/uploads', pgnA, headers)).id}`)).text();
    assert.match(page, /Delete this upload/);
    assert.match(page, /name="token"/);
});

test('evaluations go from one database into another, equal to the byte', async (t) => {
    const a = await site(t), b = await site(t);
    for (const name of ['1960_tal', '1972_fischer', '1894']) await send(a, '/api/v1/evaluations', sample(name));
    const out = await (await fetch(`${a.base}/api/v1/evaluations.ndjson`)).text();
    run(['token', 'create', 'ann'], b.url);
    assert.equal((await fetch(`${b.base}/api/v1/evaluations`, { method: 'POST', body: out })).status, 401);
    const token = run(['token', 'create', 'bob'], b.url).match(/\S{20,}/)[0];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const bad = out.replace('"played":', '"played":9');
    const first = await send(b, '/api/v1/evaluations', gzipSync(bad), { ...headers, 'content-encoding': 'gzip' });
    assert.equal(first.rejected, 1);
    assert.deepEqual([first.errors[0].type, first.errors[0].line], ['bad_evaluation', 1]);
    await fetch(`${b.base}/api/v1/uploads/${first.id}`, { method: 'DELETE', headers });
    const done = await send(b, '/api/v1/evaluations', execFileSync('zstd', ['-qc'], { input: out, maxBuffer: 1 << 28 }), headers);
    const n = out.trimEnd().split('\n').length;
    assert.deepEqual([done.games_read, done.imported, done.judged, done.rejected, done.created_by],
        [n, n, n, 0, 'bob']);
    assert.equal(await (await fetch(`${b.base}/api/v1/evaluations.ndjson`)).text(), out);
    const [some] = await lines(b, '/api/v1/games.ndjson');
    const shown = await (await fetch(`${b.base}/api/v1/games/${some.id}`)).json();
    assert.ok(JSON.stringify(shown).includes('"import:bob"'));
});

test('figures leave imported evaluations out on request', async (t) => {
    const s = await site(t);
    await send(s, '/api/v1/evaluations', sample('1960_tal'));
    const [player] = await lines(s, '/api/v1/players.ndjson');
    const of = (query) => fetch(`${s.base}/api/v1/players/${player.id}/ratings?year=1960${query}`)
        .then((r) => r.json());
    assert.ok((await of('')).turns > 0);
    assert.equal((await of('&imported=true')).turns, (await of('')).turns);
    const own = await of('&imported=false');
    assert.deepEqual([own.turns, own.imported], [0, false]);
    assert.deepEqual(await lines(s, '/api/v1/player-years.ndjson?imported=false'), []);
    /* As if the service had judged the first half itself. */
    sql(s.url, `UPDATE judged_side SET imported = false, upload_id = NULL, source = 'w'
        WHERE game_id IN (SELECT id FROM game ORDER BY id LIMIT 10);
        UPDATE player_total SET version = version + 1; UPDATE player_year SET version = version + 1`);
    await new Promise((wait) => setTimeout(wait, 200)); // others' writes are seen within 0.1 s
    const half = await of('&imported=false');
    assert.ok(half.turns > 0 && half.turns < (await of('')).turns);
    const { events } = await (await fetch(`${s.base}/api/v1/events`)).json();
    const event = (query) => fetch(`${s.base}/api/v1/events/${events[0].id}${query}`).then((r) => r.json());
    const turns = (e) => JSON.stringify(e.players.map((p) => p.turns));
    assert.notEqual(turns(await event('?imported=false')), turns(await event('')));
    assert.equal((await fetch(`${s.base}/api/v1/players/${player.id}/ratings?imported=no`)).status, 400);
});

test('a large upload is deleted in parts, between which games are imported; what is sent meanwhile stays', async (t) => {
    const s = await site(t), n = 45000;
    const game = (i) => `[White "W${i % 300}, A"]\n[Black "B${i % 299}, B"]\n[Result "1-0"]\n[Date "2001.01.01"]\n\n1. e4 e5 2. Nf3 1-0\n\n`;
    const sent = await send(s, '/api/v1/uploads?analyse=false', gzipSync(Array.from({ length: n }, (_, i) => game(i)).join('')));
    assert.equal(sent.imported, n);
    let ended = false;
    const counts = new Set(), waits = [];
    const deleted = fetch(`${s.base}/api/v1/uploads/${sent.id}`, { method: 'DELETE' }).then((r) => r.json()).finally(() => { ended = true; });
    for (let i = 0; !ended; i++) {
        counts.add(sql(s.url, 'SELECT count(*) FROM game'));
        const began = Date.now();
        await send(s, '/api/v1/uploads?analyse=false', game(n - 1 - i) + `[White "New ${i}"]\n\n1. d4 *\n`);
        waits.push(Date.now() - began);
    }
    const { games, kept, ...others } = await deleted;
    assert.ok(waits.length >= 3, `${waits} ms`);
    assert.ok(counts.size >= 2, [...counts].join());
    assert.ok(games <= n && games + kept >= n, JSON.stringify({ games, kept, others }));
    assert.equal(sql(s.url, `SELECT count(*), count(DISTINCT tags ->> 'White') FROM game WHERE upload_id = ${sent.id} OR tags ->> 'White' NOT LIKE 'New%'`),
        `${waits.length}\t${waits.length}`);
    assert.equal(sql(s.url, `SELECT count(*) FROM upload WHERE id = ${sent.id}`), '0');
    assert.equal(sql(s.url, "SELECT count(*) FROM player WHERE name LIKE 'W%' OR name LIKE 'B%'"), String(2 * waits.length));

    // One that ended after a part is gone on with.
    const other = await send(s, '/api/v1/uploads?analyse=false', game(1) + game(2));
    sql(s.url, `UPDATE upload SET state = 'cancelled', ended = now() - interval '2 minutes' WHERE id = ${other.id}`);
    for (let i = 0; i < 100 && sql(s.url, `SELECT count(*) FROM upload WHERE id = ${other.id}`) !== '0'; i++)
        await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(sql(s.url, `SELECT count(*) FROM upload WHERE id = ${other.id}`), '0');
});
