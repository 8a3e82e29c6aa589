// The main job, end to end: three games over HTTP, judged by the real engine at low depth,
// followed to a rating with its interval; and what becomes of bad input.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { freshDatabase, run, serve, until } from './lib.mjs';
import { threeGames, quickCalibration } from './games.mjs';

async function follow(base, id) {
    const seen = [];
    const reply = await fetch(`${base}/api/v1/uploads/${id}/events`);
    assert.equal(reply.headers.get('content-type').split(';')[0], 'text/event-stream');
    let text = '';
    for await (const chunk of reply.body) {
        text += Buffer.from(chunk).toString();
        let end;
        while ((end = text.indexOf('\n\n')) >= 0) {
            const block = text.slice(0, end);
            text = text.slice(end + 2);
            const data = /^data: (.*)$/m.exec(block);
            if (data) seen.push({ event: /^event: (.*)$/m.exec(block)?.[1], data: JSON.parse(data[1]) });
        }
        if (seen.at(-1)?.event === 'done') break;
    }
    return seen;
}

test('three games, from the upload to a rating with its interval', async (t) => {
    const url = freshDatabase(t);
    run(['calibrate', `--load=${quickCalibration(t)}`], url);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '2' });

    const reply = await s.post(threeGames(), '?judge=quick');
    assert.equal(reply.status, 202, await reply.clone().text());
    const upload = await reply.json();
    assert.equal(reply.headers.get('location'), `/api/v1/uploads/${upload.id}`);
    assert.equal(upload.games_read, 3);
    assert.equal(upload.imported, 3);

    const events = await follow(s.base, upload.id);
    assert.equal(events.at(-1).event, 'done');
    const done = await s.json(`/api/v1/uploads/${upload.id}`);
    assert.equal(done.analysed, 3);
    assert.equal(done.failed, 0);

    const { players } = await s.json('/api/v1/players?q=botvinnik');
    assert.equal(players.length, 1);
    const rating = await s.json(`/api/v1/players/${players[0].id}/ratings?year=1961&judge=quick`);
    assert.equal(rating.judge.name, 'quick');
    assert.equal(rating.judge.depth ?? rating.judge.limit.depth, 8);
    assert.ok(rating.ipr.turns >= 150, `turns ${rating.ipr.turns}`);
    assert.equal(rating.ipr.games, 3);
    const { low, high, level } = rating.ipr.interval;
    assert.equal(level, 0.95);
    assert.ok(low < rating.ipr.estimate && rating.ipr.estimate < high);
    assert.ok(rating.conformance.at_0.share > 0.2 && rating.conformance.at_0.share < 1);
    assert.ok(rating.conformance.at_30.share >= rating.conformance.at_0.share);
    const excluded = Object.values(rating.ipr.excluded).reduce((a, b) => a + b, 0);
    assert.equal(rating.ipr.turns + excluded, rating.turns, 'every judged turn is used or excluded');

    const again = await s.get(`/api/v1/players/${players[0].id}/ratings?year=1961&judge=quick`,
        { headers: { 'if-none-match': (await s.get(`/api/v1/players/${players[0].id}/ratings?year=1961&judge=quick`)).headers.get('etag') } });
    assert.equal(again.status, 304);
});

test('what Content-Type says of boundary and code page holds, in any form', async (t) => {
    const s = await serve(t, freshDatabase(t));
    let n = 0;
    const pgn = (white) => `[White "${white}"]\n[Black "Bo ${++n}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n`;
    const post = async (type, body) => {
        const reply = await fetch(`${s.base}/api/v1/uploads?analyse=false`, { method: 'POST', headers: { 'content-type': type }, body });
        return { status: reply.status, ...await reply.json() };
    };
    const part = (body, type = 'text/plain') => Buffer.concat([Buffer.from(`--ab\r\nContent-Disposition: form-data; name="file"; filename="a.pgn"\r\nContent-Type: ${type}\r\n\r\n`),
        Buffer.from(body), Buffer.from('\r\n--ab--\r\n')]);
    for (const params of ['boundary=ab', 'boundary=ab; charset=UTF-8', 'charset=UTF-8;boundary="ab";x=y', 'Boundary=ab', 'BOUNDARY="ab" ; charset=utf-8'])
        assert.equal((await post(`multipart/form-data; ${params}`, part(pgn('Ann')))).imported, 1, params);
    // "Иванов" of Windows and of KOI8.
    const cp1251 = [0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2], koi8 = [0xe9, 0xd7, 0xc1, 0xce, 0xcf, 0xd7];
    const written = (bytes) => Buffer.concat([Buffer.from('[White "'), Buffer.from(bytes), Buffer.from(pgn('').slice(8))]);
    for (const [type, body] of [['application/x-chess-pgn; charset=windows-1251', written(cp1251)], ['text/plain; charset="KOI8-R"', written(koi8)],
        ['text/plain; charset=utf-8', pgn('Иванов')], ['multipart/form-data; boundary=ab', part(written(cp1251), 'text/plain; charset=CP1251')],
        ['text/plain; charset=windows-1251', gzipSync(pgn('Иванов'))]])
        assert.deepEqual((await post(type, body)).players?.map(({ player }) => player.name).filter((name) => !/Bo/.test(name)), ['Иванов'], type);
    for (const charset of ['iso-2022-jp', 'klingon', 'windows-9999']) {
        const refused = await post(`text/plain; charset=${charset}`, pgn('Ann'));
        assert.deepEqual([refused.status, refused.type], [400, '/problems/unknown_encoding'], JSON.stringify(refused));
    }
    // JSON is known by what it holds.
    const users = Object.fromEntries(['white', 'black'].map((side) => [side, { user: { name: side } }]));
    assert.equal((await post('text/plain', `${JSON.stringify({ id: 'q7ZvsdUF', variant: 'standard', speed: 'blitz', players: users, moves: 'd4 Nf6 c4 g6' })}\n`)).imported, 1);
    assert.match((await post('text/plain', '{"game":1}\n')).detail, /not of lichess or chess\.com/);
});

test('an upload rates its players as `intrinsic rate` does, from the first games on', async (t) => {
    const s = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '1' });
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-upload-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'three.pgn'), threeGames());

    const { id } = await (await s.post(threeGames())).json();
    const upload = () => s.json(`/api/v1/uploads/${id}`);
    const first = await until('the first rating', async () => {
        const { ratings: [row], done } = await upload();
        return row.rating.games > 0 && { ...row.rating, done };
    });
    const page = await (await s.get(`/uploads/${id}`)).text();
    assert.match(page, /<section id="ratings"[^]*Botvinnik/);
    assert.equal(/data-refresh="[^"]*#ratings"/.test(page), /data-events/.test(page));
    await until('all three games', async () => (await upload()).done);

    const { ratings } = await upload();
    const { rows } = JSON.parse(run(['rate', '--format=json', path.join(folder, 'three.pgn')], ''));
    assert.equal(ratings.length, 2);
    for (const { player, games, rating } of ratings) {
        const row = rows.find((one) => one.player.name === player.name);
        assert.deepEqual([games, rating.games, rating.turns], [3, 3, row.rating.turns]);
        assert.deepEqual([rating.estimate, rating.interval], [row.rating.estimate, row.rating.interval]);
        if (!first.done && first.games < 3) assert.ok(rating.standard_error < first.standard_error);
    }

    assert.equal((await upload()).choice, undefined, 'nobody stands out');
    for (const { player, games, rating } of ratings) {
        const { choice } = await s.json(`/api/v1/uploads/${id}?player=${player.id}`);
        assert.deepEqual([choice.player, choice.games, choice.guessed], [player, games, false]);
        assert.deepEqual([choice.rating.estimate, choice.rating.interval], [rating.estimate, rating.interval]);
        const own = await (await s.get(`/uploads/${id}?player=${player.id}`)).text();
        assert.equal(/<a href="(\/uploads\/[^"]*)" aria-current="true">/.exec(own)[1], `/uploads/${id}?player=${player.id}`);
    }
    assert.equal((await s.get(`/api/v1/uploads/${id}?player=999`)).status, 404);
});

test('in the file of one player the upload guesses who it is, of all years together', async (t) => {
    const s = await serve(t, freshDatabase(t));
    const game = (black, year, move) => `[Event "Club"]\n[Date "${year}.01.01"]\n[White "Me, Myself"]\n[Black "${black}"]\n[Result "*"]\n\n1. e4 e5 2. ${move} *\n\n`;
    const { id } = await (await s.post(game('A, B', 2019, 'Nf3') + game('C, D', 2020, 'Nc3') + game('A, B', 2020, 'Bc4'), '?analyse=false')).json();
    const { choice } = await until('the players', async () => {
        const upload = await s.json(`/api/v1/uploads/${id}`);
        return upload.choice && upload;
    });
    assert.deepEqual([choice.player.name, choice.games, choice.guessed, choice.rating.estimate], ['Me, Myself', 3, true, null]);
    assert.match(choice.rating.reason, /analysed/);
});

test('the same games again are recognised, in any packing', async (t) => {
    const s = await serve(t, freshDatabase(t));
    const first = await (await s.post(threeGames(), '?analyse=false')).json();
    assert.deepEqual([first.imported, first.duplicate], [3, 0]);
    const second = await (await s.post(gzipSync(threeGames() + '\n'), '?analyse=false',
        { 'content-encoding': 'gzip' })).json();
    assert.deepEqual([second.imported, second.duplicate], [0, 3]);
});

test('a bad game has a place in the file, and the good ones are kept', async (t) => {
    const s = await serve(t, freshDatabase(t));
    const bad = '[Event "x"]\n[White "A, B"]\n[Black "C, D"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n\n';
    const upload = await (await s.post(bad + threeGames(), '?analyse=false')).json();
    assert.deepEqual([upload.games_read, upload.imported, upload.rejected], [4, 3, 1]);
    const [error] = upload.errors;
    assert.equal(error.type, 'illegal_move');
    assert.deepEqual([error.game, error.line, error.column, error.ply], [1, 6, 13, 2]);
});

test('what is no PGN is refused whole, with a problem document, and nothing is stored', async (t) => {
    const url = freshDatabase(t);
    const s = await serve(t, url, { INTRINSIC_MAX_UPLOAD_MB: '1' });
    const cases = [
        ['', {}, 400, 'empty_body'],
        ['there is no game in this text', {}, 400, 'no_games'],
        ['x', { 'content-encoding': 'br' }, 415, null],
        ['x', { 'content-type': 'image/png' }, 415, null],
        ['{"tags":{}}', {}, 415, 'judged_games'],
        ['{"tags":{}}', { 'content-type': 'application/x-ndjson' }, 415, 'judged_games'],
        [gzipSync(threeGames()).subarray(0, 900), {}, 400, 'bad_archive'],
        ['a'.repeat(1100 * 1024), {}, 413, null],
    ];
    for (const [body, headers, status, type] of cases) {
        const reply = await s.post(body, '', headers);
        const text = await reply.text();
        assert.equal(reply.status, status, text);
        assert.equal(reply.headers.get('content-type'), 'application/problem+json');
        const problem = JSON.parse(text);
        assert.equal(problem.status, status);
        assert.ok(problem.title && problem.detail && problem.type, text);
        if (type) assert.ok(problem.type.endsWith(type), text);
    }
    for (const [type, name] of [['application/octet-stream', 'no_evaluations'],
        ['application/x-chess-pgn', 'unsupported_type']]) {
        const r = await s.get('/api/v1/evaluations', { method: 'POST', body: threeGames(), headers: { 'content-type': type } });
        const problem = await r.json();
        assert.deepEqual([r.status, problem.type], [415, `/problems/${name}`]);
        assert.match(problem.detail, /POST .*to \/api\/v1\/uploads/);
    }
    const list = await s.json('/api/v1/players');
    assert.equal(list.players.length, 0);
});

test('an unknown judge is refused before anything is stored', async (t) => {
    const s = await serve(t, freshDatabase(t));
    const reply = await s.post(threeGames(), '?judge=oracle');
    assert.equal(reply.status, 400);
    assert.match((await reply.json()).detail, /oracle/);
    assert.equal((await s.json('/api/v1/players')).players.length, 0);
});

test('a broken connection in the middle of a body stores nothing', async (t) => {
    const s = await serve(t, freshDatabase(t));
    const { Socket } = await import('node:net');
    const socket = new Socket();
    await new Promise((r) => socket.connect(Number(new URL(s.base).port), '127.0.0.1', r));
    socket.write(`POST /api/v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n${threeGames()}`);
    await new Promise((r) => setTimeout(r, 300));
    socket.destroy();
    await until('the service answers', async () => (await s.get('/health')).ok);
    assert.equal((await s.json('/api/v1/players')).players.length, 0);
});
