// The page of a game: every position as pgn-extract has it, the board with and without JavaScript,
// keys and addresses, what is sent to the browser.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { close, launch, open as openAddress } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';

const cleanups = [];
let site, game, id;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    const url = freshDatabase(suite);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    run(['import', path.join(root, 'static/samples/judged/1894_lasker_steinitz.ndjson.zst'),
        path.join(root, 'static/samples/judged/1951_botvinnik_bronstein.ndjson.zst'),
        path.join(root, 'static/samples/rating.ndjson.zst'),
        path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst')], url);
    site = await serve(suite, url);
    await launch();
    const { games } = await site.json('/api/v1/games?year=1894&judge=standard&limit=20');
    for (const row of games) {
        game = await site.json(`/api/v1/games/${row.id}`);
        id = row.id;
        if (game.turning?.kind === 'move' && game.turns.some((t) => t.mark === 'blunder')) break;
    }
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, options) => openAddress(t, site.base + where, { width: 1280, ...options });

const boards = existsSync(path.join(root, 'static/vendor/chessground.min.js'));
const ready = (page) => page.locator('#board cg-board piece').first().waitFor();
const at = (page) => page.locator('.ply:not([hidden])');

/** Pieces on the board as a FEN has them: of chessground, or of the server's drawing. */
const placed = (page) => page.evaluate(() => {
    const rows = Array.from({ length: 8 }, () => Array(8).fill(''));
    const letter = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
    const board = document.querySelector('cg-board');
    if (board) {
        for (const piece of board.querySelectorAll('piece:not(.fading)')) {
            const name = [...piece.classList].find((c) => letter[c]), key = piece.cgKey;
            const one = letter[name];
            rows[8 - key[1]][key.charCodeAt(0) - 97] = piece.classList.contains('white') ? one.toUpperCase() : one;
        }
    } else {
        for (const use of document.querySelectorAll('.squares use')) {
            const [colour, one] = use.getAttribute('href').slice(7);
            rows[use.getAttribute('y')][use.getAttribute('x')] = colour === 'w' ? one.toUpperCase() : one;
        }
    }
    return rows.map((row) => row.map((x) => x || '1').join('').replace(/1+/g, (ones) => ones.length)).join('/');
});
const pieces = (fen) => fen.split(' ')[0];

test('the hardest moves found are hard: fewer than half of 2400s find one as good, the fewest first', async (t) => {
    const { games } = await site.json('/api/v1/games?judge=standard&limit=40');
    let none = null, some = null;
    for (const row of games) {
        const { sides } = await site.json(`/api/v1/games/${row.id}`);
        if (!sides) continue;
        const all = [sides.white, sides.black].map((side) => side.hardest.map((m) => m.as_good));
        for (const shares of all) {
            assert.ok(shares.every((x) => x < 0.5), `game ${row.id}: ${shares}`);
            assert.deepEqual(shares, shares.toSorted((a, b) => a - b));
        }
        if (all.every((shares) => shares.length === 0)) none = row.id;
        if (all.some((shares) => shares.length > 0)) some = row.id;
    }
    const text = async (game) => (await open(t, `/games/${game}`)).page.innerText('main');
    assert.match(await text(some), /Hardest moves found\s+\S+ \S+: .+ at 2400/);
    if (none !== null) assert.doesNotMatch(await text(none), /Hardest moves/);
});

test('every position of 50 games is what pgn-extract makes of the moves', async () => {
    const { games } = await site.json('/api/v1/games?limit=50&sort=date');
    assert.equal(games.length, 50);
    let positions = 0;
    for (const row of games) {
        const { moves } = await site.json(`/api/v1/games/${row.id}`);
        const pgn = await (await site.get(`/api/v1/games/${row.id}.pgn?form=plain`)).text();
        const out = execFileSync('/usr/games/pgn-extract', ['-s', '--fencomments'], { input: pgn, encoding: 'utf8' });
        const fens = [...out.replaceAll(/\s+/g, ' ').matchAll(/\{ ([^}]+) \}/g)].map(([, fen]) => fen);
        assert.equal(moves.length, fens.length, `game ${row.id}`);
        moves.forEach(({ fen }, i) => {
            const ours = fen.split(' '), theirs = fens[i].split(' ');
            if (ours[3] === '-') theirs[3] = '-'; // here only where a capture en passant is legal
            assert.deepEqual(ours, theirs, `game ${row.id}, ply ${i}`);
        });
        positions += fens.length;
    }
    assert.ok(positions > 3000, `${positions}`);
});

test('without JavaScript: the position of the address, its links, everything said of the move', async (t) => {
    for (const ply of [0, 1, game.turning.to + 1, game.plies]) {
        const { page, complaints } = await open(t, `/games/${id}?ply=${ply}`, { javaScriptEnabled: false });
        const { position } = await site.json(`/api/v1/games/${id}?ply=${ply}`);
        assert.equal(position.ply, ply);
        assert.equal(await placed(page), pieces(position.fen));
        if (ply > 0) assert.equal(position.fen, game.moves[ply - 1].fen);
        assert.equal(await at(page).count(), 1);
        assert.equal(await at(page).getAttribute('data-ply'), String(ply));
        assert.deepEqual(complaints, []);
    }
    const { page } = await open(t, `/games/${id}`, { javaScriptEnabled: false });
    assert.equal(await placed(page), pieces(game.moves[game.turning.to].fen), 'first where the game turned');
    const { number, san } = game.moves[game.turning.to];
    assert.match(await page.innerText('.verdict'), new RegExp(` in \\d+ moves\\b.*\\b${number}\\W+${san}.* turned the game`));
    await Promise.all([page.waitForURL(/ply=/), page.locator('[data-step=back]').click()]);
    assert.equal(await placed(page), pieces(game.moves[game.turning.to - 1].fen));
    await Promise.all([page.waitForURL(/ply=20/), page.locator('.list a[id="20"]').click()]);
    assert.equal(await placed(page), pieces(game.moves[19].fen));
    assert.equal(await page.locator('.list a').count(), game.plies, 'every move is in the list, those of the opening, too');
    await page.locator('#details > summary').click();
    assert.equal(await page.locator('table.moves tbody tr').count(), game.plies - 16 + 1, 'the opening is one row');
    assert.equal((await site.get(`/games/${id}?ply=${game.plies + 1}`)).status, 400);
});

test('keys, list, graph, address and the lines move the board', { skip: !boards && 'no chessground' }, async (t) => {
    const { page, complaints, requests } = await open(t, `/games/${id}#23`);
    await ready(page);
    const stands = async (ply, fen = ply > 0 ? game.moves[ply - 1].fen : undefined) => {
        await page.waitForFunction((wanted) => location.hash === `#${wanted}`, ply);
        await page.waitForTimeout(250); // a move slides
        assert.equal(await at(page).getAttribute('data-ply'), String(ply));
        if (fen) assert.equal(await placed(page), pieces(fen));
    };
    await stands(23);
    await page.keyboard.press('ArrowRight');
    await stands(24);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await stands(22);
    await page.keyboard.press('End');
    await stands(game.plies);
    await page.keyboard.press('ArrowRight');
    await stands(game.plies);
    await page.keyboard.press('Home');
    await stands(0, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    await page.locator('.list a[id="40"]').click();
    await stands(40);
    assert.equal(await page.locator('.list a[aria-current]').getAttribute('id'), '40');
    await page.locator('[data-step=on]').click();
    await stands(41);
    await page.evaluate(() => { location.hash = '#30'; });
    await stands(30);
    await page.goto(`${site.base}/games/${id}?ply=30`);
    await ready(page);
    await page.keyboard.press('ArrowRight');
    await stands(31);
    assert.equal(new URL(page.url()).search, '', 'one ply in the address');
    await page.keyboard.press('ArrowLeft');
    await stands(30);

    const turn = game.turns.find((x) => x.ply === 29), other = turn.lines.findIndex((l) => l.uci !== turn.played.uci);
    const line = at(page).locator('.lines button').nth(other);
    await line.click();
    await page.waitForTimeout(250);
    assert.equal(await placed(page), pieces(turn.lines[other].fen), "the engine's line is on the board");
    assert.equal(await line.getAttribute('aria-pressed'), 'true');
    await line.click();
    await stands(30);
    for (const fen of [turn.lines[0].fen, game.moves[29].fen]) { // and back
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press(' ');
        await page.waitForTimeout(250);
        assert.equal(await placed(page), pieces(fen), 'the best line by a key');
    }
    const errors = game.turns.filter(({ mark }) => ['inaccuracy', 'mistake', 'blunder'].includes(mark)).map(({ ply }) => ply + 1);
    for (const wanted of [...errors.filter((at) => at > 30), ...errors]) { // round and round
        await page.keyboard.press('x');
        await stands(wanted);
    }

    const box = await page.locator('#graph').boundingBox();
    await page.locator('#graph').click({ position: { x: box.width / 2, y: 60 } });
    await stands(Math.round(game.plies / 2));
    await page.locator('.card a[data-go]').first().click();
    assert.ok(Number(await at(page).getAttribute('data-ply')) > 0);
    const below = () => page.evaluate(() => [...document.querySelectorAll('.bar-of')].toSorted((a, b) =>
        b.getBoundingClientRect().top - a.getBoundingClientRect().top)[0].innerText);
    for (const [flip, count, who] of [[() => page.locator('#flip').click(), 1, 'black'], [() => page.keyboard.press('f'), 0, 'white']]) {
        await flip();
        assert.equal(await page.locator('.orientation-black').count(), count);
        assert.ok((await below()).includes(game[who].name.replace(/,.*/, '')), 'the players change their places with the board');
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => !/^data:/.test(url) && !url.startsWith(site.base)), [], 'requests to others');
});

test('an arrow that is drawn before the board has its width is where it should be', { skip: !boards && 'no chessground' }, async (t) => {
    const { page } = await open(t, `/games/${id}`);
    await ready(page);
    const ends = () => page.locator('#board svg.cg-shapes line').first().evaluate((line) => [line.getAttribute('x1'), line.getAttribute('y1')]);
    // Not until it is visible: an upright one has no width, and never is.
    await page.waitForFunction(() => Number(document.querySelector('#board svg.cg-shapes line')?.getAttribute('x1') ?? 0) !== 0, null, { polling: 100 });
    const drawn = await ends();
    const width = (value) => page.evaluate((w) => { document.querySelector('#board cg-container').parentElement.style.width = w; }, value);
    await width('0');
    for (const key of ['ArrowLeft', 'ArrowRight']) {
        await page.waitForTimeout(300);
        await page.keyboard.press(key);
    }
    await page.waitForFunction(() => Number(document.querySelector('#board svg.cg-shapes line')?.getAttribute('x1')) === 0, null, { polling: 100 });
    await page.waitForTimeout(500); // the piece has arrived, and nothing is drawn any more
    await width('');
    await page.waitForFunction(([x, y]) => {
        const line = document.querySelector('#board svg.cg-shapes line');
        return line?.getAttribute('x1') === x && line.getAttribute('y1') === y;
    }, drawn, { polling: 100 });
});

test('points are by the score curve of the calibration, marks by the points', async () => {
    const { score_curve: { all: { a, b } } } = await site.json('/api/v1/calibrations/standard');
    const curve = (cp) => a + (1 - 2 * a) / (1 + Math.exp(-b * cp / 100));
    const cp = (score) => Math.max(-1000, Math.min(1000, typeof score === 'number' ? score : 1e4 * Math.sign(score.mate)));
    const levels = [[0.3, 'blunder'], [0.15, 'mistake'], [0.05, 'inaccuracy']];
    for (const turn of game.turns) {
        const best = Math.max(cp(turn.best.score), cp(turn.played.score));
        assert.ok(Math.abs(turn.expected - curve(best)) < 1e-5);
        assert.ok(Math.abs(turn.points_lost - (curve(best) - curve(cp(turn.played.score)))) < 2e-5);
        const level = levels.find(([least]) => turn.points_lost >= least)?.[1];
        if (!turn.confirmed) assert.equal(turn.mark, null);
        else if (!['found', 'brilliant'].includes(turn.mark)) assert.equal(turn.mark, turn.legal > 1 ? level ?? null : null);
        for (const { played, as_good: good, loss } of turn.likelihoods ?? [])
            assert.ok(played > 0 && played <= good + 1e-9 && good <= 1 + 1e-9 && loss >= 0);
    }
    const chances = game.turns.filter((t) => t.likelihoods && t.points_lost === 0 && t.legal > 5)
        .map((t) => t.likelihoods.map((l) => l.as_good));
    const mean = (i) => chances.reduce((sum, c) => sum + c[i], 0) / chances.length;
    assert.ok(mean(0) < mean(1) && mean(1) < mean(2) && mean(2) < mean(3), 'the stronger, the likelier a best move');
});

test('where a game turned is said as it is answered: at a move, in a decline, or nowhere', async () => {
    const { games } = await site.json('/api/v1/games?judge=standard&limit=60');
    const seen = { move: 0, decline: 0, none: 0, draw: 0 };
    for (const row of games) {
        const other = await site.json(`/api/v1/games/${row.id}`);
        const page = (await (await site.get(`/games/${row.id}`)).text()).match(/<p class="verdict">(.*)<\/p>/)[1];
        const named = ({ number, mover, san }) => `${number}${mover === 'w' ? '. ' : '…'}${san}`;
        const most = Math.max(...other.turns.map((x) => x.points_lost)), loser = other.result === '1-0' ? 'b' : 'w';
        const surname = (colour) => (colour === 'w' ? other.white : other.black).name.replace(/,.*/, '');
        const kind = other.turning?.kind ?? (other.result === '1/2-1/2' ? 'draw' : 'none');
        const { from, to } = other.turning ?? {};
        seen[kind] += 1;
        assert.equal(other.position.ply, to === undefined ? 1 : to + 1, 'first where the game turned, or at its first move');
        assert.equal((page.match(/\d+(?= moves?\b)/) ?? [])[0], String(Math.ceil(other.plies / 2)));
        if (kind === 'move') {
            assert.ok(page.includes(`${surname(loser)}’s ${named(other.moves[to])}`) && /turned the game/.test(page), page);
        } else if (kind === 'decline') {
            assert.ok(page.includes(`outplaying ${surname(loser)} between moves ${other.moves[from].number} and ${other.moves[to].number}.`), page);
        } else if (kind === 'none') {
            assert.match(page, /no single turning point/);
        } else if (most >= 0.01) {
            assert.ok(other.turns.some((x) => x.points_lost === most && page.includes(named(other.moves[x.ply]))), page);
        }
        if (kind === 'move' || kind === 'decline')
            for (const ply of [from ?? to, to]) assert.equal(other.moves[ply].mover, loser, `game ${row.id}`);
    }
    assert.ok(seen.move > 5 && seen.decline > 0 && seen.draw > 5, JSON.stringify(seen));
});

test('marks agree with the points printed, in the list and in the answer', async () => {
    const { games } = await site.json('/api/v1/games?judge=standard&limit=40');
    const least = { '?!': 0.05, '?': 0.15, '??': 0.3 };
    let marked = 0;
    for (const row of games) {
        if ((await site.json(`/api/v1/games/${row.id}`)).unconfirmed > 0) continue; // numbers, and no marks
        const html = await (await site.get(`/games/${row.id}`)).text();
        for (const [, glyph, lost] of html.matchAll(/data-go="\d+">[^<]*?([?!]*)<\/a> lost ([\d.]+) points/g)) {
            const next = { '?!': 0.15, '?': 0.3, '??': 2 }[glyph];
            assert.ok(lost >= least[glyph] && lost < next, `game ${row.id}: ${glyph} ${lost}`);
            marked += 1;
        }
    }
    assert.ok(marked > 40, `${marked}`);
});

test('without a likelihood the page says why, and what an arrow is', async () => {
    const html = await (await site.get(`/games/${id}`)).text();
    const silent = game.turns.filter((x) => !x.likelihoods).length;
    assert.ok(silent > 0);
    assert.equal(html.match(/No find rate: (the only legal move|a repeated position|an advantage beyond 3 pawns)/g).length, silent);
    assert.match(html, /<span class="key instead"[^>]*><\/span> better<.*<span class="key"[^>]*><\/span> best reply/);
});

test('one screen of 1280 by 800 has the board, the graph and the moves; few words stand above Details', { skip: !boards && 'no chessground' }, async (t) => {
    const { page } = await open(t, `/games/${id}`, { height: 800 });
    await ready(page);
    for (const part of ['.heading', '.verdict', '#board', '.above', '.bar-of:not(.above)', '.steps', '#graph', '.panel-of-move', '.list']) {
        const { y, height } = await page.locator(part).boundingBox();
        assert.ok(y + height <= 800, `${part} ends at ${y + height}`);
    }
    assert.ok((await page.locator('#board').boundingBox()).width >= 470);
    const words = (most) => page.evaluate((bottom) => [...document.querySelectorAll('main :is(h1, h3, h4, p:not(.list), a, li, span, figcaption)')]
        .filter((e) => e.checkVisibility() && !e.closest('.list, details, .hidden') && e.getBoundingClientRect().top < bottom)
        .flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).flatMap((n) => n.data.match(/\S*[\p{L}\d]\S*/gu) ?? [])).length, most);
    assert.ok(await words(800) <= 90, `${await words(800)} words on the first screen`); // those of the lines, clocks and buttons, too
    assert.ok(await words(1e6) <= 250, `${await words(1e6)} words`);
    await page.setViewportSize({ width: 390, height: 844 });
    const [board, graph] = [await page.locator('.seat').boundingBox(), await page.locator('#graph').boundingBox()];
    assert.ok(graph.y - (board.y + board.height) < 30, 'the graph is directly below the board');
    assert.equal(await page.locator('.list').evaluate((list) => list.scrollHeight > list.clientHeight + 1), false, 'no scroller in a scroller');
});

test('two lines are not enough for a likelihood, and the page says so', async (t) => {
    const url = freshDatabase(t);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    const file = path.join(root, 'build', `rating-${process.pid}.ndjson`);
    t.after(() => execFileSync('rm', ['-f', file]));
    execFileSync('sh', ['-c', 'zstd -dcq "$1" | head -1 >"$2"', 'sh', path.join(root, 'static/samples/rating.ndjson.zst'), file]);
    run(['import', file], url);
    const own = await serve(t, url);
    const narrow = await own.json('/api/v1/games/1?judge=rating');
    assert.match(narrow.likelihood_reason, /only the best move and the one played/);
    assert.ok(narrow.turns.length > 10 && narrow.turns.every((x) => x.likelihoods === null && x.lines.length > 0));
    assert.match(await (await own.get('/games/1?judge=rating')).text(), /No likelihood of moves: /);
});
