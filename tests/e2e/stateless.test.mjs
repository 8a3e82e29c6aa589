// POST /api/v1/rate: what `intrinsic rate` prints, by the service; nothing is stored, and nothing goes on without a client.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { shortGames } from './games.mjs';
import { environment, freshDatabase, intrinsic, root, run, serve, sql, until } from './lib.mjs';

const engine = { INTRINSIC_WORKERS: '2' };
const lines = spawnSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')],
    { maxBuffer: 1 << 28 }).stdout.toString().split('\n');
const analysed = `${lines.slice(0, 4).join('\n')}\n`;
const evaluated = spawnSync('node', ['tests/support/strip_evals.mjs'], { cwd: root, input: analysed, encoding: 'utf8' }).stdout;

const post = (site, body, query = '', headers = {}, more = {}) => fetch(`${site.base}/api/v1/rate${query}`,
    { method: 'POST', body, headers: { 'content-type': 'application/x-chess-pgn', ...headers }, ...more });
const printed = (input, ...args) => spawnSync(intrinsic, ['rate', '--quiet', ...args, '-'],
    { cwd: root, input, encoding: 'utf8', env: environment('') }).stdout;
const problem = async (answer) => ({ status: answer.status, type: (await answer.json()).type.replace('/problems/', '') });

/** Processes below a service: its engines. */
function children(pid) {
    return readdirSync('/proc').filter((n) => /^\d+$/.test(n)).filter((n) => {
        try { return readFileSync(`/proc/${n}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid); } catch { return false; }
    });
}

const stored = (url) => sql(url, `SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM player), (SELECT count(*) FROM upload),
    (SELECT count(*) FROM idempotent_answer)`);

test('the answer is that of the command line, byte for byte, in every form', async (t) => {
    const url = freshDatabase(t), site = await serve(t, url, engine), before = stored(url);
    const games = shortGames(2);
    const cases = [[games, {}], [games, { by: 'game', format: 'csv' }], [games, { format: 'pgn' }], [evaluated, {}], [evaluated, { by: 'year', format: 'ndjson' }],
        [evaluated, { format: 'pgn' }], [analysed, { format: 'pgn', player: 'Lasker' }], [analysed, { by: 'event', evals: 'only' }],
        [analysed, { by: 'month', since: '1894-04', time_class: 'unknown,rapid' }]];
    for (const [body, options] of cases) {
        const query = new URLSearchParams(options);
        const args = Object.entries({ format: 'json', ...options }).map(([k, v]) => `--${k.replace('_class', '')}=${v}`);
        const answer = await post(site, body, `?${query}`, { 'idempotency-key': `"${query}"` });
        const wanted = printed(body, ...args), text = await answer.text();
        if (wanted === '') // without a game to rate
            assert.equal(answer.status, 422, `${query}: ${text}`);
        else
            assert.equal(text, wanted, `${query}`);
    }
    assert.equal(stored(url), before, 'nothing is stored');
    // Accept, packed, and as a form.
    for (const [accept, format] of [['text/csv', 'csv'], ['application/x-ndjson', 'ndjson'], ['application/x-chess-pgn', 'pgn'], ['*/*', 'json']]) {
        const answer = await post(site, gzipSync(evaluated), '', { accept, 'content-encoding': 'gzip' });
        assert.equal(await answer.text(), printed(evaluated, `--format=${format}`));
        assert.ok(answer.headers.get('content-type').startsWith(accept === '*/*' ? 'application/json' : accept));
    }
    const accounts = evaluated.replace('"Lasker, Emanuel"', '"lasker_e"'), both = ['Lasker, Emanuel', 'lasker_e'];
    const joined = await post(site, accounts, `?${both.map((name) => `player=${encodeURIComponent(name)}`).join('&')}`);
    const [mine, ...others] = (await joined.clone().json()).rows;
    assert.deepEqual([mine.player.name, mine.games, others], ['Lasker, Emanuel', 4, []]);
    assert.equal(await joined.text(), printed(accounts, '--format=json', ...both.map((name) => `--player=${name}`)));
    const form = new FormData();
    form.set('file', new Blob([evaluated]), 'games.pgn');
    const answer = await fetch(`${site.base}/api/v1/rate`, { method: 'POST', body: form });
    assert.equal(await answer.text(), printed(evaluated, '--format=json'));
});

test('what cannot be rated is refused, and rejected games are counted', async (t) => {
    const site = await serve(t, freshDatabase(t), { INTRINSIC_MAX_UPLOAD_MB: '1', ...engine });
    const bad = '[White "A, B"]\n[Black "C, D"]\n\n1. e4 e4 1-0\n\n';
    const refused = async (...args) => problem(await post(site, ...args));
    assert.deepEqual(await refused(''), { status: 400, type: 'empty_body' });
    assert.deepEqual(await refused('not a game'), { status: 400, type: 'no_games' });
    assert.deepEqual(await refused(bad), { status: 400, type: 'illegal_move' });
    assert.deepEqual(await refused(evaluated, '?since=1972-13'), { status: 400, type: 'bad_parameter' });
    assert.deepEqual(await refused(evaluated, '?by=week'), { status: 400, type: 'bad_parameter' });
    assert.deepEqual(await refused(evaluated, '?judge=deep'), { status: 400, type: 'unknown_parameter' });
    assert.deepEqual(await refused(evaluated, '?player=nobody'), { status: 422, type: 'too_little_data' });
    assert.deepEqual(await refused(evaluated, '', { 'content-type': 'image/png' }), { status: 415, type: 'unsupported_type' });
    assert.deepEqual(await refused(evaluated, '', { accept: 'image/png' }), { status: 406, type: 'not_acceptable' });
    assert.deepEqual(await refused('x'.repeat(2 << 20)), { status: 413, type: 'upload_too_large' });
    assert.deepEqual(await refused(gzipSync(`${evaluated}${'\n'.repeat(2 << 20)}`)), { status: 413, type: 'too_large' });
    const many = Array.from({ length: 101 }, (_, i) => shortGames(1).replace(/\[Round ".*"\]/, `[Round "${i}"]`)
        .replace(/\[White "/, `[White "P${i} `)).join('');
    assert.deepEqual(await refused(many), { status: 413, type: 'limit_passed' });
    assert.equal((await post(site, many, '?evals=only')).status, 422);
    const some = await post(site, `${bad}${evaluated}${evaluated}`);
    assert.equal(some.headers.get('left-out'), 'rejected=1');
    assert.equal(some.status, 200);
    const idle = await serve(t, freshDatabase(t));
    assert.equal((await post(idle, evaluated)).status, 200);
    assert.deepEqual(await problem(await post(idle, shortGames(1))), { status: 413, type: 'limit_passed' });
});

test('an answer takes no longer than an import may', async (t) => {
    const site = await serve(t, freshDatabase(t), { ...engine, INTRINSIC_IMPORT_MAX_S: '1' });
    assert.deepEqual(await problem(await post(site, shortGames(60))), { status: 413, type: 'limit_passed' });
    await until('only the engines of the queue are left', () => children(site.child.pid).length <= 2, 20);
});

test('a token with the scope of uploads; one request an address, two in all; nothing goes on without a client', async (t) => {
    const url = freshDatabase(t);
    const create = (scope) => run(['token', 'create', `--scopes=${scope}`, scope], url).trim();
    const upload = create('upload'), read = create('judge'), site = await serve(t, url, { ...engine, INTRINSIC_TRUSTED_PROXIES: '127.0.0.1' });
    const as = (token, from = '203.0.113.5') => ({ authorization: `Bearer ${token}`, 'x-forwarded-for': from });
    assert.deepEqual(await problem(await post(site, evaluated)), { status: 401, type: 'token_needed' });
    assert.deepEqual(await problem(await post(site, evaluated, '', as(read))), { status: 403, type: 'scope_needed' });
    assert.equal((await post(site, evaluated, '', as(upload))).status, 200);

    // One at a time an address, two in all; no engine goes on when its client has left.
    const long = shortGames(60), idle = children(site.child.pid).length;
    const leaving = ['203.0.113.5', '203.0.113.6'].map((from) => {
        const ends = new AbortController();
        const answer = post(site, long, '', as(upload, from), { signal: ends.signal }).catch(({ name }) => name);
        return { ends, answer };
    });
    await until('engines run for both', () => children(site.child.pid).length >= idle + 2);
    for (const from of ['203.0.113.5', '203.0.113.7']) {
        const busy = await post(site, evaluated, '', as(upload, from));
        assert.ok(Number(busy.headers.get('retry-after')) > 0);
        assert.deepEqual(await problem(busy), { status: 503, type: 'busy_computing' });
    }
    leaving.forEach(({ ends }) => ends.abort());
    assert.deepEqual(await Promise.all(leaving.map(({ answer }) => answer)), ['AbortError', 'AbortError']);
    await until('no engine is left', () => children(site.child.pid).length === idle, 20);
    await until('there is room again', async () => (await post(site, evaluated, '', as(upload))).status === 200, 20);

    // The service stops at once with such a request.
    const last = post(site, long, '', as(upload)).then((answer) => answer.status, () => 'closed');
    await until('an engine runs', () => children(site.child.pid).length > idle);
    const begun = Date.now();
    assert.equal(await site.stop(), 0);
    assert.ok(Date.now() - begun < 10000);
    assert.ok([503, 'closed'].includes(await last));
});

test('by game the answer has the opening: by the tag, else by the moves', async (t) => {
    const site = await serve(t, freshDatabase(t), engine);
    const ruy = (...tags) => `[White "Adler, Ann"]\n[Black "Brandt, Bo"]\n[Date "2001.05.12"]\n[Result "1-0"]\n${tags.map((tag) => `${tag}\n`).join('')}\n` +
        '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O {[%eval 0.25]} 9. h3 {[%eval 0.24]} Na5 {[%eval 0.28]} 10. Bc2 {[%eval 0.25]} ' +
        'c5 {[%eval 0.31]} 11. d4 {[%eval 0.30]} Nd7 {[%eval 0.45]} 12. d5 {[%eval 0.21]} f5 {[%eval 1.62]} 13. exf5 {[%eval 1.60]} Nb6 {[%eval 2.05]} 1-0\n\n';
    const opened = async (pgn) => JSON.parse(await (await post(site, pgn, '?by=game')).text()).rows.map(({ game: { eco, opening } }) => [eco, opening]);

    assert.deepEqual(await opened(ruy('[ECO "?"]')), Array(2).fill(['C96', 'Ruy Lopez']));
    assert.deepEqual(await opened(ruy('[ECO "B22"]')), Array(2).fill(['B22', 'Sicilian Defence']));
    const [first] = JSON.parse(await (await post(site, ruy())).text()).rows;
    assert.equal(first.game, undefined);
});

/** The events of a stream: [name, data]. */
const events = (text) => text.split('\n\n').filter(Boolean).map((event) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event);
    return [name, JSON.parse(data)];
});

test('a stream tells how far it is, then the answer or what is wrong; it ends with its client, and with the service', async (t) => {
    const site = await serve(t, freshDatabase(t), { ...engine, INTRINSIC_MAX_UPLOAD_MB: '1' }), idle = children(site.child.pid).length;
    const games = shortGames(6), answer = await post(site, games, '?progress=true&by=game');
    assert.ok(answer.headers.get('content-type').startsWith('text/event-stream'));
    const told = events(await answer.text());
    assert.deepEqual(told.at(-1), ['done', JSON.parse(printed(games, '--format=json', '--by=game'))]);
    const far = told.slice(0, -1).map(([name, { games: all, analysed }]) => { assert.deepEqual([name, all], ['progress', 6]); return analysed; });
    assert.ok(far.length >= 2 && far[0] === 0, `${far}`);
    assert.deepEqual(far, [...far].sort((a, b) => a - b));
    assert.deepEqual(events(await (await post(site, evaluated, '?progress=true')).text()), [['done', JSON.parse(printed(evaluated, '--format=json'))]]);
    const bad = '[White "A, B"]\n[Black "C, D"]\n\n1. e4 e4 1-0\n\n';
    const [[name, { status, type, line }]] = events(await (await post(site, bad, '?progress=true')).text());
    assert.deepEqual([name, status, type, line], ['failed', 400, '/problems/illegal_move', 4]);
    assert.deepEqual(await problem(await post(site, evaluated, '?progress=true&format=csv')), { status: 400, type: 'bad_parameter' });

    const ends = new AbortController(), long = shortGames(60);
    const left = await post(site, long, '?progress=true', {}, { signal: ends.signal });
    await until('engines run', () => children(site.child.pid).length > idle);
    assert.equal((await post(site, evaluated)).status, 503, 'one at a time an address');
    ends.abort();
    await assert.rejects(left.text(), { name: 'AbortError' });
    await until('no engine is left', () => children(site.child.pid).length === idle, 20);
    await until('there is room again', async () => (await post(site, evaluated)).status === 200, 20);

    const last = await post(site, long, '?progress=true');
    await until('an engine runs', () => children(site.child.pid).length > idle);
    const begun = Date.now();
    assert.equal(await site.stop(), 0);
    assert.ok(Date.now() - begun < 10000);
    assert.equal(events(await last.text()).at(-1)[1].status, 503);
});
