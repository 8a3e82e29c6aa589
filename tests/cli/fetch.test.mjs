// `intrinsic fetch` against stand-ins for the two sites: what it asks, what it keeps when an answer is late, cut
// or wrong, and that nothing is in a file twice. The answers are of our own making.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';
import os from 'node:os';
import path from 'node:path';
import { attempt, environment, intrinsic, root } from '../e2e/lib.mjs';

const pgn = { 'content-type': 'application/x-chess-pgn' };
const second = 1000, day = 86400 * second, start = Date.UTC(2024, 0, 10);
const stamp = (ms) => new Date(ms).toISOString().replace(/-/g, '.');

/** Game `i` of a player, two hours after the one before it. */
function game(i, address = `[Site "https://lichess.org/game${i}"]`, at = start + i * 7200 * second) {
    return `[Event "Rated blitz game"]\n${address}\n[White "Ann"]\n[Black "Bo${i}"]\n[Result "1-0"]\n[UTCDate "${stamp(at).slice(0, 10)}"]\n`
        + `[UTCTime "${stamp(at).slice(11, 19)}"]\n\n1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { 0-1 or\n[no tag] } 2. Nf3 Nc6 1-0\n\n\n`;
}
const games = (from, to) => Array.from({ length: to - from }, (_, i) => game(from + i)).join('');
const count = (file) => readFileSync(file, 'utf8').split('[Event ').length - 1;

/** A server whose answers the test gives, one a request: a function of response and address. */
async function site(t, ...answers) {
    const asked = [];
    const server = createServer((req, res) => {
        const url = new URL(req.url, 'http://x');
        asked.push({ path: url.pathname, ...Object.fromEntries(url.searchParams), headers: req.headers, at: Date.now() });
        (answers[asked.length - 1] ?? answers.at(-1))(res, url);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => { server.closeAllConnections(); server.close(); });
    return { asked, url: `http://127.0.0.1:${server.address().port}` };
}
const whole = (text) => (res) => res.writeHead(200, pgn).end(text);
const status = (code, headers = {}) => (res) => res.writeHead(code, headers).end('<html>no</html>');
/** Of an answer `text` only the first `n` bytes come. */
const cut = (text, n) => (res) => {
    res.writeHead(200, { ...pgn, 'content-length': text.length });
    res.write(text.slice(0, n), () => setTimeout(() => res.destroy(), 50));
};

/** 1 GiB of blank lines, packed: a block is repeated. */
function endless(res) {
    const block = deflateRawSync(Buffer.alloc(1 << 20, `${' '.repeat(1023)}\n`), { finishFlush: constants.Z_FULL_FLUSH });
    res.writeHead(200, { ...pgn, 'content-encoding': 'gzip' });
    res.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
    for (let i = 0; i < 1024; i++) res.write(block);
    res.end();
}

function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-fetch-'));
    t.after(() => rmSync(dir, { recursive: true }));
    return (name) => path.join(dir, name);
}
const clean = { no_proxy: '127.0.0.1', http_proxy: '', https_proxy: '' };
const fetchGames = (who, { url }, file, ...more) =>
    attempt(['fetch', `--url=${url}`, `--output=${file}`, ...more, who], '', clean);

test('a player of lichess: what is asked, and what is new another time', async (t) => {
    const file = folder(t)('ann.pgn');
    const lichess = await site(t, whole(games(0, 5)), whole(games(3, 8)), whole(''));
    const first = await fetchGames('lichess:Ann_1', lichess, file, '--perf=blitz,rapid', '--since=2024-01-10', '--contact=ann@example.com');
    assert.deepEqual([first.code, first.stdout], [0, `${file}: 5 games, 5 new\n`], first.stderr);
    const { headers, at, ...asked } = lichess.asked[0];
    assert.deepEqual(asked, { path: '/api/games/user/ann_1', evals: 'true', clocks: 'true', sort: 'dateAsc', since: String(start), perfType: 'blitz,rapid' });
    assert.ok(at > 0);
    assert.equal(headers.accept, 'application/x-chess-pgn');
    assert.match(headers['user-agent'], /^intrinsic\/[0-9.]+ \(fetch; contact: ann@example\.com\)$/);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^% intrinsic fetch lichess:ann_1 perf=blitz,rapid since=\d+\n\n\[Event /);
    assert.equal(existsSync(`${file}.part`), false);
    const read = await attempt(['import', '--dry-run', file], '');
    assert.match(read.stdout, /games 5, accepted 5, rejected 0/, read.stderr);

    const second = await fetchGames('lichess:ann_1', lichess, file, '--perf=blitz,rapid', '--since=2024-01-10');
    assert.deepEqual([second.code, second.stdout], [0, `${file}: 8 games, 3 new\n`], second.stderr);
    assert.ok(readFileSync(file, 'utf8').startsWith(text), 'what is there stays as it is');
    const last = start + 7 * 7200 * 1000;
    const third = await fetchGames('lichess:ann_1', lichess, file, '--perf=blitz,rapid', '--since=2024-01-10');
    assert.equal(third.stdout, `${file}: 8 games, 0 new\n`);
    assert.equal(Number(lichess.asked[2].since), Math.max(start, last - day));

    const other = await fetchGames('lichess:ann_1', lichess, file);
    assert.deepEqual([other.code, /not of this fetch/.test(other.stderr)], [1, true], other.stderr);
    assert.equal(count(file), 8);
});

test('a cut answer is gone on with, and a half written file never has the name of a whole one', async (t) => {
    const name = folder(t), file = name('ann.pgn'), all = games(0, 40);
    const lichess = await site(t, cut(all, all.length / 2), whole(games(5, 40)));
    const out = await fetchGames('lichess:ann', lichess, file);
    assert.deepEqual([out.code, out.stdout], [0, `${file}: 40 games, 40 new\n`], out.stderr);
    assert.match(out.stderr, /lichess\.org: .*; again in 1 s/);
    assert.equal(Number(lichess.asked[1].since), start + 19 * 7200 * second - day, 'from a day before the last whole game');
    const undisturbed = await site(t, whole(all));
    assert.equal((await fetchGames('lichess:ann', undisturbed, name('whole.pgn'))).code, 0);
    assert.deepEqual(readFileSync(file), readFileSync(name('whole.pgn')));

    // Killed in the middle, at any byte: the next run ends with the same file.
    const hanging = await site(t, (res) => res.writeHead(200, pgn).write(all.slice(0, all.length / 2)));
    const killed = name('killed.pgn');
    const child = spawn(intrinsic, ['fetch', `--url=${hanging.url}`, `--output=${killed}`, 'lichess:ann'], { cwd: root, env: environment('', clean) });
    while (hanging.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    let said = '';
    child.stderr.on('data', (d) => { said += d; });
    const [code] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(said, /stopped/);
    assert.equal(existsSync(killed), false);
    for (const bytes of [0, 10, 30, 200, 600, 5001]) {
        writeFileSync(`${killed}.part`, readFileSync(file).subarray(0, bytes));
        assert.equal((await fetchGames('lichess:ann', undisturbed, killed)).code, 0);
        assert.deepEqual(readFileSync(killed), readFileSync(file), `after ${bytes} bytes`);
        rmSync(killed);
    }
});

test('an answer that ends in the middle of a game is not whole, whatever the connection says', async (t) => {
    const file = folder(t)('ann.pgn'), all = games(0, 3);
    const lichess = await site(t, whole(all.slice(0, all.length - 20)), whole(all));
    const out = await fetchGames('lichess:ann', lichess, file);
    assert.equal(out.stdout, `${file}: 3 games, 3 new\n`, out.stderr);
    assert.match(out.stderr, /ends in the middle of a game/);
});

test('who is asked to wait waits: of chess.com as long as it says, of lichess a minute at least', async (t) => {
    const name = folder(t);
    const chesscom = await site(t, status(429, { 'retry-after': '2' }), status(503),
        (res) => res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify({ archives: [] })));
    const out = await fetchGames('chesscom:ann', chesscom, name('ann.pgn'));
    assert.match(out.stderr, /chess\.com asks to wait: 2 s\n.*error of its own; again in 2 s\n.*has no such games/s);
    assert.equal(out.code, 1);
    const [first, second_, third] = chesscom.asked.map(({ at }) => at);
    assert.ok(second_ - first >= 1900 && third - second_ >= 1900);
    assert.deepEqual([existsSync(name('ann.pgn')), existsSync(name('ann.pgn.part'))], [false, false]);

    const lichess = await site(t, status(429, { 'retry-after': '2' }));
    const child = spawn(intrinsic, ['fetch', `--url=${lichess.url}`, `--output=${name('bo.pgn')}`, 'lichess:bo'], { cwd: root, env: environment('', clean) });
    let said = '';
    child.stderr.on('data', (d) => { said += d; });
    while (!said.includes('wait')) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.match(said, /lichess\.org asks to wait: 60 s/);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(lichess.asked.length, 1);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [1, null], 'and ends at once when told to');
});

test('a player of chess.com: month after month, and only those that are not whole', async (t) => {
    const file = folder(t)('ann.pgn');
    const link = (i, at) => game(i, `[Site "Chess.com"]\n[Link "https://www.chess.com/game/live/${i}"]`, at);
    const months = { '2023/11': [Date.UTC(2023, 10, 3), Date.UTC(2023, 10, 2)], '2023/12': [Date.UTC(2023, 11, 9)], '2024/02': [Date.UTC(2024, 1, 2), Date.UTC(2024, 1, 1)] };
    const text = (month, n = Infinity) => months[month].slice(0, n).map((at) => link(at / day, at)).join('');
    const answer = (res, { pathname }) => {
        if (pathname.endsWith('/archives'))
            return res.writeHead(200, { 'content-type': 'application/json' })
                .end(JSON.stringify({ archives: [...Object.keys(months).reverse(), '2023/12', '2023/12', '2999/01'].map((month) => `https://elsewhere.example/pub/player/ann/games/${month}`) }));
        return whole(text(/(\d{4}\/\d\d)\/pgn$/.exec(pathname)[1]))(res);
    };
    const broken = await site(t, answer, answer, (res) => { res.writeHead(200, { ...pgn, 'content-length': 99999 }); res.write(text('2023/12').slice(0, 50), () => res.destroy()); }, status(404));
    const half = await fetchGames('chesscom:Ann', broken, file);
    assert.equal(half.code, 1);
    assert.match(half.stderr, /no player 'ann'.*2 games are kept: started again/);
    assert.deepEqual([existsSync(file), count(`${file}.part`)], [false, 2]);
    assert.deepEqual(broken.asked.map(({ path: p }) => p.replace('/pub/player/ann/games/', '')), ['archives', '2023/11/pgn', '2023/12/pgn', '2023/12/pgn']);

    const chesscom = await site(t, answer);
    const out = await fetchGames('chesscom:ann', chesscom, file);
    assert.deepEqual([out.code, out.stdout], [0, `${file}: 5 games, 3 new\n`], out.stderr);
    assert.equal(chesscom.asked.length, 4);
    months['2024/02'].unshift(Date.UTC(2024, 1, 5));
    const again = await fetchGames('chesscom:ann', chesscom, file);
    assert.equal(again.stdout, `${file}: 6 games, 1 new\n`, again.stderr);
    assert.deepEqual(chesscom.asked.slice(4).map(({ path: p }) => p.slice(-12)), ['mes/archives', '/2024/02/pgn'], 'earlier months are whole');

    const some = folder(t)('some.pgn');
    const chosen = await fetchGames('chesscom:ann', chesscom, some, '--since=2023-11-03', '--until=2023-12-09');
    assert.equal(chosen.stdout, `${some}: 2 games, 2 new\n`, chosen.stderr);
});

test('the newest games are fetched anew each time', async (t) => {
    const file = folder(t)('ann.pgn');
    const lichess = await site(t, whole(game(9) + game(8)), whole(game(10) + game(9)));
    for (const wanted of ['game9', 'game10']) {
        const out = await fetchGames('lichess:ann', lichess, file, '--max=2', '--until=2024-02-01');
        assert.equal(out.stdout, `${file}: 2 games, 2 new\n`, out.stderr);
        assert.match(readFileSync(file, 'utf8'), new RegExp(`^% .*max=2.*\n\n\\[Event .*\n\\[Site ".*${wanted}"`));
    }
    const { max, until, sort, since } = lichess.asked[1];
    assert.deepEqual([max, Number(until), sort, since], ['2', Date.UTC(2024, 1, 2) - 1, undefined, undefined]);
});

test('what cannot be fetched is said plainly, and leaves nothing behind', async (t) => {
    const name = folder(t), file = name('ann.pgn');
    const cases = [
        [status(404), /^intrinsic fetch: lichess\.org has no player 'ann', or the account is closed\n$/],
        [status(410), /the account 'ann' is closed/],
        [status(403), /refuses \(403\).*--contact/],
        [status(418), /lichess\.org answers 418/],
        [(res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), /lichess\.org: the answer is text\/html, not application\/x-chess-pgn/],
        [(res) => res.socket.end('HTTP/1.1 200 OK\r\nContent-Type: \x1b[31mevil\x07\r\nContent-Length: 2\r\n\r\nhi'), /the answer is  \[31mevil , not/],
        [(res) => endless(res), /sends and sends: 256 MB, 256 MB of it since the last new game/],
        [(res) => res.writeHead(200, pgn).end('[Event "x"]\n\n1. e4\n\n[Event "y"]\n\n1. d4 1-0\n'), /a game has no result/],
        [(res) => res.writeHead(200, pgn).end(`[Event "${'x'.repeat(5 << 20)}`), /a line has more than 4194304 bytes/],
        [(res) => res.writeHead(302, { location: 'ftp://127.0.0.1/games' }).end(), /no answer from lichess\.org: .*rotocol/],
        [(res) => res.writeHead(302, { location: '/again' }).end(), /redirects/],
    ];
    for (const [answer, message] of cases) {
        const out = await fetchGames('lichess:ann', await site(t, answer), file);
        assert.deepEqual([out.code, message.test(out.stderr)], [1, true], `${message}: ${out.stderr}`);
        assert.equal(existsSync(file) || existsSync(`${file}.part`), false, message.source);
    }
    const silent = await site(t, (res) => res.writeHead(200, pgn).write(game(0)), whole(games(0, 2)));
    const late = await fetchGames('lichess:ann', silent, file, '--timeout=2');
    assert.deepEqual([late.code, /imeout|too slow/.test(late.stderr), count(file)], [0, true, 2], late.stderr);
    const nobody = await fetchGames('lichess:ann', { url: 'http://127.0.0.1:9' }, name('no.pgn'));
    assert.match(nobody.stderr, /no answer from lichess\.org: Couldn't connect/);
    const usage = [['lichess:../etc/passwd'], ['lichess:a'], ['lichess:'], ['lichess:-a'], ['ann'], ['lichess:ann', 'lichess:bo'], [],
        ['--perf=blitz&x=1', 'lichess:ann'], ['--max=3', 'chesscom:ann'], ['--since=2024-1-1', 'lichess:ann'],
        ['--since=2024-02-01', '--until=2024-01-01', 'lichess:ann'], ['--contact=a\r\nX: y', 'lichess:ann'], ['--url=file:///etc/passwd', 'lichess:ann']];
    for (const args of usage)
        assert.equal(spawnSync(intrinsic, ['fetch', ...args], { cwd: root, env: environment('', clean) }).status, 2, args.join(' '));
    writeFileSync(name('mine.pgn'), game(1));
    const mine = await fetchGames('lichess:ann', await site(t, whole(game(0))), name('mine.pgn'));
    assert.equal(mine.code, 1);
    assert.equal(readFileSync(name('mine.pgn'), 'utf8'), game(1), 'a file of somebody else is not touched');
});

test('a certificate that the system does not trust is refused', async (t) => {
    const name = folder(t);
    spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost',
        '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', name('key'), '-out', name('cert')]);
    const server = createSecureServer({ key: readFileSync(name('key')), cert: readFileSync(name('cert')) }, (req, res) => whole(games(0, 2))(res));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => { server.closeAllConnections(); server.close(); });
    const there = { url: `https://127.0.0.1:${server.address().port}` };
    const refused = await fetchGames('lichess:ann', there, name('ann.pgn'));
    assert.deepEqual([refused.code, /no answer from lichess\.org: .*certificate/.test(refused.stderr)], [1, true], refused.stderr);
});

test('what serves loads no library that goes out', () => {
    const loads = (file) => spawnSync('ldd', [file], { encoding: 'utf8' }).stdout;
    assert.match(loads(intrinsic), /libmicrohttpd/);
    assert.doesNotMatch(loads(intrinsic), /libcurl/);
    assert.match(loads(`${intrinsic}-fetch`), /libcurl/);
});

test('without the program beside it the command says what is missing', (t) => {
    const alone = folder(t)('intrinsic');
    copyFileSync(intrinsic, alone);
    const out = spawnSync(alone, ['fetch', 'lichess:ann'], { encoding: 'utf8', env: environment('', clean) });
    assert.deepEqual([out.status, out.stderr], [1, `intrinsic fetch: cannot start ${alone}-fetch: No such file or directory\n`]);
});
