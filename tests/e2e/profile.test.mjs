// Where a player's games lose points: the answer adds up, and a visitor comes from a file to a strength, to something to
// work on, to a position and to the game.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accessible, close, launch, open as openAddress, overflow } from './browser.mjs';
import { environment, freshDatabase, intrinsic, root, run, serve, until } from './lib.mjs';
import { forms, games, lines } from './own_games.mjs';
import { sampled } from './sampled.mjs';

const cleanups = [];
let site, fischer;

before(async () => {
    site = await sampled({ after: (f) => cleanups.unshift(f) });
    fischer = (await site.json('/api/v1/players?q=fischer')).players[0].id;
    await launch();
});
after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0);
const ratedBy = async (body, type) => (await site.get('/api/v1/rate?evals=only', { method: 'POST', body, headers: { 'content-type': type } })).json();
const open = (t, where, options) => openAddress(t, site.base + where, options);

test('the parts, the games and the moves of a year say the same', async () => {
    const p = await site.json(`/api/v1/profile?player=${fischer}&year=1972`);
    const moves = await site.json(`/api/v1/moves?player=${fischer}&year=1972&judge=rating&limit=1`);
    const rating = (await site.json(`/api/v1/players/${fischer}/ratings?year=1972&judge=rating`)).rating;
    const of = (...names) => p.parts.filter(({ part }) => names.includes(part));

    assert.deepEqual([p.games, p.moves], [moves.games, moves.all_moves]);
    near(p.rating.estimate, rating.estimate);
    for (const division of [['opening', 'middlegame', 'endgame'], ['white', 'black'], ['ahead', 'level', 'behind']]) {
        assert.equal(sum(of(...division), (part) => part.moves), p.moves, division);
        near(sum(of(...division), (part) => part.moves * part.lost), p.lost * p.games);
        near(sum(of(...division), (part) => part.moves * part.usual), p.usual * p.games);
    }
    near(sum(p.list, (game) => game.lost), p.lost * p.games);
    assert.equal(p.list.length, p.games);
    assert.equal(sum(of('white', 'black'), (part) => part.points), p.points);
    assert.deepEqual([p.points, p.scored], [12.5, 20], 'the match of 1972');
    for (const game of p.list) {
        assert.equal(game.expected.length, game.moves + 1);
        assert.ok(game.accuracy > 0.5 && game.accuracy <= 1);
    }
    assert.deepEqual(p.list.map(({ date }) => date), p.list.map(({ date }) => date).sort().reverse());
    // What is named is beyond chance, and has its positions; the costliest comes first.
    assert.deepEqual(p.advice.map(({ part }) => part).filter((part) => !p.parts.some((row) => row.part === part && row.called === 'more')), []);
    for (const position of [...p.positions, ...p.advice.flatMap(({ positions }) => positions)])
        assert.ok(['inaccuracy', 'mistake', 'blunder'].includes(position.mark) && position.lost >= 0.05);
});

test('confirmed searches, which chosen moves alone have, are not in the statistics', async () => {
    const p = await site.json(`/api/v1/profile?player=${fischer}&year=1972`);
    const { moves } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&judge=rating&limit=1000`);
    assert.ok(Math.abs(sum(moves, (move) => Math.max(move.points_lost, 0)) - p.lost * p.games) > 0.1, 'the list of moves shows what is confirmed');
});

test('progress is by twenty games or months, and its games are all games', async () => {
    const botvinnik = (await site.json('/api/v1/players?q=botvinnik')).players[0].id;
    const p = await site.json(`/api/v1/profile?player=${botvinnik}`);
    assert.ok(p.progress.length >= 2);
    assert.equal(sum(p.progress, ({ games }) => games), p.games);
    assert.equal(sum(p.progress, ({ rating }) => rating.turns), p.rating.turns);
    for (const { games, rating } of p.progress) assert.ok(games >= 20 && rating.interval.high - rating.interval.low > p.rating.interval.high - p.rating.interval.low);
    const [first, last] = [p.progress[0].rating, p.progress.at(-1).rating];
    const beyond = Math.abs(last.estimate - first.estimate) > 1.96 * Math.hypot(first.standard_error, last.standard_error);
    assert.equal(/beyond chance/.test(p.change), !beyond);
    assert.deepEqual((await site.json(`/api/v1/profile?player=${fischer}&year=1972`)).progress, [], 'of twenty games there is no other');
});

test('a position is solved by letters, by mouse, and shown without JavaScript', async (t) => {
    const where = `/players/${fischer}/profile?year=1972`;
    const { positions } = await site.json(`/api/v1/profile?player=${fischer}&year=1972`);
    const { page, complaints } = await open(t, where);
    const figure = page.locator('.exercise').first(), said = figure.locator('output');

    // What is no move here is said to be none; squares are moves, too.
    for (const text of ['zz9', 'h1h9', 'Qxa1#??', positions[0].mover === 'w' ? 'e8e7' : 'e1e2']) {
        await figure.locator('input').fill(text);
        await figure.locator('input').press('Enter');
        assert.equal(await said.innerText(), `“${text}” is not a legal move here.`);
    }
    const third = page.locator('.exercise').nth(2), uci = positions[2].best.uci;
    await third.locator('input').fill(`${uci.slice(0, 2)}-${uci.slice(2)}`);
    await third.locator('input').press('Enter');
    assert.equal(await third.locator('output').innerText(), `Right: ${positions[2].best.san}.`);
    await figure.locator('input').fill(positions[0].played.san);
    await figure.getByRole('button', { name: 'Try' }).press('Enter');
    assert.match(await said.innerText(), /^Not the move/);
    await figure.locator('input').fill(positions[0].best.san);
    await figure.locator('input').press('Enter');
    assert.equal(await said.innerText(), `Right: ${positions[0].best.san}.`);
    assert.ok(await figure.locator('details p').isVisible());

    const second = page.locator('.exercise').nth(1), board = second.locator('cg-board');
    await board.scrollIntoViewIfNeeded();
    const box = await board.boundingBox(), white = positions[1].mover === 'w';
    const at = (square) => {
        const x = square.charCodeAt(0) - 97, y = Number(square[1]) - 1;
        return [box.x + box.width * ((white ? x : 7 - x) + 0.5) / 8, box.y + box.height * ((white ? 7 - y : y) + 0.5) / 8];
    };
    await page.mouse.click(...at(positions[1].best.uci.slice(0, 2)));
    await second.locator('square.selected').waitFor({ state: 'attached' });
    await page.mouse.click(...at(positions[1].best.uci.slice(2, 4)));
    await second.getByText(`Right: ${positions[1].best.san}.`).waitFor();
    assert.deepEqual(complaints, []);

    const { page: plain } = await open(t, where, { javaScriptEnabled: false });
    const answer = plain.locator('.exercise').first();
    assert.ok(await answer.locator('svg.squares').isVisible());
    await answer.locator('summary').click();
    assert.ok((await answer.innerText()).includes(positions[0].best.san));
});

for (const [name, form] of Object.entries(forms))
    test(`from a file in the form of ${name} to a strength, the parts and a game in two clicks`, async (t) => {
        const { id } = await (await site.post(games(form), '?analyse=false')).json();
        const upload = await site.json(`/api/v1/uploads/${id}`);
        const { profile } = upload;

        assert.ok(upload.choice.guessed);
        assert.equal(profile.games, 20);
        assert.equal(profile.by_file, true);
        assert.equal(profile.player.id, upload.choice.player.id);
        assert.ok(profile.list.every(({ opening }) => opening), 'of a club, without ECO, by the moves');
        if (name === 'lichess') {
            assert.equal(profile.pool, 'online-rapid');
            assert.equal(profile.elo, 1804);
        }
        const foreign = name === 'chess_com';
        assert.equal(profile.server, foreign ? 'chess.com' : null);
        assert.equal(/on the scale of lichess rapid.*Ratings of chess\.com are on another scale\./.test(profile.finding), foreign);
        assert.equal(/ in lichess/.test(profile.finding + upload.finding), name === 'lichess');
        const { page, complaints } = await open(t, `/uploads/${id}`);
        assert.ok((await page.innerText('h1')).includes('20 games'));
        assert.ok((await page.innerText('main')).includes(profile.finding));
        assert.equal(await page.locator('.played-games tbody tr').count(), 20);
        assert.equal(await page.locator('.played .drawn path.other').count(), ['lichess', 'federation'].includes(name) ? 1 : 0, 'own rating');
        assert.equal((await page.innerText('.played')).includes('1505, the mean rating in the tags, is on the scale of chess.com.'), foreign);
        if (name === 'club') { // "Foe, F0", "Foe, F1": whole names, as people say them; "2026.01.??": in words
            const rows = await page.locator('.played-games tbody th').allInnerTexts();
            assert.ok(rows.every((row) => /^F\d+ Foe (White|Black), [A-Z][a-z]+ 2026$/.test(row)), rows[0]);
        }
        await page.locator('.played-games tbody th a').first().click(); // 1: the game
        await page.waitForLoadState('load');
        assert.match(new URL(page.url()).pathname, /^\/games\/\d+/);
        assert.deepEqual(complaints, []);
        for (const [, href] of (await (await site.get(`/uploads/${id}`)).text()).matchAll(/href="(\/(?:players|uploads|games)[^"#]*)/g))
            assert.equal((await site.get(href.replaceAll('&amp;', '&'))).status, 200, href);
    });

test('openings without a tag are those that the tags name, and no tag is made of them', async (t) => {
    const openings = async (file) => {
        const { id } = await (await site.post(file, '?analyse=false')).json();
        const { profile } = await site.json(`/api/v1/uploads/${id}`);

        return { id, profile, named: profile.list.sort((a, b) => a.id - b.id).map(({ opening }) => opening) };
    };
    // Three times the match, against others: enough moves of an opening.
    const match = (eco, me) => [0, 1, 2].map((k) => games((game, i) => {
        const tags = forms.club(game, i);
        return { ...tags, White: i % 2 ? `${tags.White}, ${me}${k}` : me, Black: i % 2 ? me : `${tags.Black}, ${me}${k}`, ...eco(game) };
    })).join('');
    const tagged = await openings(match((game) => ({ ECO: game.tags.ECO }), 'Edda'));
    const untagged = await openings(match(() => ({ ECO: '?' }), 'Frida'));

    const same = untagged.named.filter((opening, i) => opening === tagged.named[i]).length;
    assert.deepEqual([tagged.named.length, untagged.named.length], [60, 60]);
    assert.ok(same >= 54, `${same} of 60`);
    const played = untagged.profile.parts.filter(({ part }) => part === 'line');
    assert.ok(played.length > 0);
    for (const { opening, games: n } of played) assert.equal(untagged.named.filter((name) => name === opening).length, n);

    const { page } = await open(t, `/uploads/${untagged.id}`);
    assert.ok((await page.innerText('table.parts')).includes(played[0].opening));
    assert.ok((await page.innerText('.played-games')).includes(untagged.named[0]));
    const first = untagged.profile.list[0];
    const game = await site.json(`/api/v1/games/${first.id}`);
    assert.deepEqual([game.eco, game.opening, game.tags.ECO], [first.eco, first.opening, '?']);
    const { games: listed } = await site.json(`/api/v1/games?upload=${untagged.id}&limit=100`);
    assert.deepEqual(Object.fromEntries(listed.map(({ id, eco, opening }) => [id, [eco, opening]])),
        Object.fromEntries(untagged.profile.list.map(({ id, eco, opening }) => [id, [eco, opening]])), 'the list names them as the profile does');
    assert.match(await (await site.get(`/api/v1/games.csv?upload=${untagged.id}&limit=1`)).text(), new RegExp(`,eco,opening,[\\s\\S]*,${listed[0].eco},`));
    assert.match(await (await site.get(`/api/v1/games/${first.id}.pgn`)).text(), /\[ECO "\?"\]/);
    await page.goto(`${site.base}/games/${first.id}`);
    assert.ok((await page.innerText('.lead')).includes(first.opening));
});

test('one rule chooses between analysis and file for headline, finding, choice and table', async () => {
    const form = (game, i) => Object.fromEntries(Object.entries(forms.lichess(game, i)).map(([tag, value]) => [tag, value.replace('anna', 'dan')]));
    const { id } = await (await site.post(games(form), '?analyse=false')).json();
    for (const [analysed, by_file] of [[0, true], [10, true], [20, false]]) {
        if (analysed > 0) await site.get('/api/v1/evaluations', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' },
            body: lines(form).slice(0, analysed).map((game) => JSON.stringify(game)).join('\n') });
        const { profile, choice, ratings } = await site.json(`/api/v1/uploads/${id}`);
        const row = ratings.find(({ player, rating }) => player.id === choice.player.id && rating.pool === profile.pool);
        assert.deepEqual([profile, choice, row].map((of) => [of.by_file, of.rating.estimate, of.rating.interval]),
            Array(3).fill([by_file, choice.rating.estimate, choice.rating.interval]), `${analysed} analysed`);
        assert.equal(choice.rating.games, 20);
    }
});

test('games of two speeds are all in the title, and each speed has its page', async (t) => {
    const form = (game, i) => ({ ...forms.lichess(game, i), White: i % 2 ? `Foe${i}` : 'fred', Black: i % 2 ? 'fred' : `Foe${i}`, ...i < 6 && { TimeControl: '180+0', Event: 'Rated blitz game' } });
    const { id } = await (await site.post(games(form), '?analyse=false')).json();
    const { profile } = await site.json(`/api/v1/uploads/${id}`);
    const pools = [{ pool: 'online-rapid', games: 14, first_date: '2026.10.01', last_date: '2026.11.09' }, { pool: 'online-blitz', games: 6, first_date: '2026.10.01', last_date: '2026.11.06' }];
    assert.deepEqual([profile.pool, profile.pools], ['online-rapid', pools]);
    const { page } = await open(t, `/uploads/${id}`);
    assert.equal(await page.innerText('h1'), 'fred, 20 games, October to November 2026 (14 rapid, 6 blitz)');
    await page.locator('.pools a').click();
    await page.waitForURL(/time_class=/);
    assert.equal(await page.innerText('h1'), 'fred, 20 games, October to November 2026 (14 rapid, 6 blitz)');
    assert.equal(await page.locator('.pools strong').innerText(), '6 blitz');
    assert.equal((await site.json(`/api/v1/uploads/${id}?time_class=online-blitz`)).profile.pool, 'online-blitz');
    assert.equal((await site.get(`/api/v1/uploads/${id}?time_class=online-bullet`)).status, 404);
    // Before anything is analysed the games are there, too: blitz has no scale for evaluations in files.
    const bare = games((game, i) => Object.fromEntries(Object.entries(form(game, i)).map(([tag, value]) => [tag, value.replace('fred', 'gina')]))).replaceAll(/ \{ \[%eval [^}]*\}/g, '');
    const { id: waiting } = await (await site.post(bare, '?analyse=false')).json();
    const { page: early } = await open(t, `/uploads/${waiting}`);
    assert.equal(await early.innerText('h1#title'), 'gina, 20 games, October to November 2026 (14 rapid, 6 blitz)');
    assert.match(await early.innerText('dl.counts >> nth=0'), /^games\s+14\s+analysed\s+0$/);
    assert.doesNotMatch(await early.innerText('dl.counts >> nth=0'), /lost/);
});

/** The lichess games of another account, with other tags. */
const other = (name, tags = () => ({})) => games((game, i) => ({ ...Object.fromEntries(Object.entries(forms.lichess(game, i)).map(([tag, value]) => [tag, value.replace('anna', name)])), ...tags(i) }));
const profileOf = async (pgn, name) => {
    const { id, players } = await (await site.post(pgn, '?analyse=false')).json();
    const at = `/uploads/${id}?player=${players.find(({ player }) => player.name === name).player.id}`;
    return { at, ...(await site.json(`/api/v1${at}`)).profile };
};
const swinging = (pgn, by) => {
    let turn = 0;
    return pgn.replaceAll(/%eval [^\]]*/g, () => `%eval ${turn++ % 2 ? by : -by}.00`);
};

/** Those that are compared: openings from eight games on. */
const compared = ({ parts }) => parts.filter(({ part, games: n }) => part !== 'line' || n >= 8);

test('beyond the ratings of the reference its end is compared with, far beyond nobody, and the page says so', async (t) => {
    const middling = await profileOf(swinging(other('ida'), 3), 'ida');
    assert.ok(compared(middling).every((part) => part.usual > 0 && part.stronger > 0), JSON.stringify(middling.rating));
    assert.ok(middling.usual > 0 && middling.tested);
    assert.equal(middling.level, middling.rating.estimate);
    assert.match(middling.reference, /^Compared with players of \d+ in the same kinds of position; the error of their losses, (up to )?\d+ % of a part/);

    const strong = await profileOf(other('hugo'), 'hugo');
    assert.ok(strong.rating.estimate > 2500 && strong.rating.estimate <= 2700, `${strong.rating.estimate}`);
    assert.equal(strong.level, 2500);
    assert.ok(compared(strong).every(({ usual, stronger }) => usual > 0 && stronger === null), 'none is 200 above the strongest');
    assert.match(strong.reference, /^Compared with players of 2500, the strongest with enough games, in the same kinds of position; /);
    if (strong.advice.length === 0) assert.match(strong.finding, /players of 2500, the strongest with enough games/);
    // The reference's own error is a part of the whole, and larger at its end.
    for (const p of [middling, strong])
        for (const { part, reference_se: own, deviation_se: all } of p.parts.filter(({ deviation }) => deviation !== null))
            assert.ok(part === 'line' ? own === 0 : own > 0 && own < all, `${part} ${own} ${all}`);
    const error = (p) => p.parts.find(({ part }) => part === 'middlegame').reference_se;
    assert.ok(error(strong) > error(middling));
    const { page } = await open(t, strong.at);
    const text = await page.innerText('#ratings');
    assert.match(text, /By players\s+of 2500/);
    assert.ok(text.includes(strong.reference));
    assert.doesNotMatch(text, /200\s+above/);

    // The same moves in blitz, analysed: the reference ends at 2200.
    const form = (game, i) => ({ ...Object.fromEntries(Object.entries(forms.lichess(game, i)).map(([tag, value]) => [tag, value.replace('anna', 'quincy')])), Event: 'Rated blitz game', TimeControl: '180+0' });
    const posted = await fetch(`${site.base}/api/v1/evaluations`, { method: 'POST', body: `${lines(form).map((game) => JSON.stringify(game)).join('\n')}\n`, headers: { 'content-type': 'application/x-ndjson' } });
    assert.equal(posted.status, 202);
    const { id } = (await site.json('/api/v1/players?q=quincy')).players[0];
    const far = await site.json(`/api/v1/profile?player=${id}`);
    assert.ok(far.rating.estimate > 2400, `${far.rating.estimate}`);
    assert.deepEqual([far.pool, far.level, far.reference, far.usual, far.stronger, far.tested, far.advice.length], ['online-blitz', null, null, null, null, null, 0]);
    assert.ok(far.parts.every(({ usual, stronger, called }) => usual === null && stronger === null && called === null));
    assert.match(far.finding, /What others lose is known from 1000 to 2200: these games, of a player more than 200 beyond, are not compared with others\.$/);
    await page.goto(`${site.base}/players/${id}/profile`);
    const alone = await page.innerText('main');
    assert.match(alone, /Where points are lost/);
    assert.doesNotMatch(alone, /By players|Compared with|200\s+above|No part stands out|less than in the rest/);
});

test('openings have a row from three games on, with their codes, and are compared from eight', async (t) => {
    const twenty = await profileOf(swinging(other('petra', (i) => ({ ECO: i < 9 ? 'C50' : i < 13 ? 'B22' : i < 16 ? 'E60' : i < 18 ? 'A00' : '?' })), 3), 'petra');
    const rows = twenty.parts.filter(({ part }) => part === 'line');
    assert.deepEqual(rows.slice(0, 3).map(({ eco, opening, games: n }) => [eco, opening, n]),
        [['C50', 'Italian Game', 9], ['B20–B26', 'Sicilian Defence', 4], ['E60–E99', 'King\'s Indian Defence', 3]]);
    assert.ok(rows.every(({ games: n }) => n >= 3));
    assert.ok(rows[0].usual > 0 && rows[0].deviation !== null);
    for (const row of rows.slice(1)) assert.deepEqual([row.usual, row.stronger, row.deviation, row.called], [null, null, null, null]);
    assert.ok(rows.every(({ lost, scored }) => lost > 0 && scored > 0));
    assert.deepEqual([...new Set(twenty.list.map(({ eco }) => eco).filter((eco) => ['C50', 'B22'].includes(eco)))].sort(), ['B22', 'C50']);
    const { page } = await open(t, twenty.at);
    const text = (row) => page.locator('tr.line').nth(row).innerText();
    for (const row of await page.locator('table.parts tbody tr').all()) assert.equal(await row.locator('> *').count(), 7, 'every row has every column');
    assert.match(await text(0), /^C50 Italian Game/);
    assert.match(await text(1), /^B20–B26 Sicilian Defence[\s\S]*\/4/);
    assert.ok((await page.innerText('.played-games')).includes('Sicilian Defence'));
});

test('one game is too little to divide, and nothing is said of its parts', async (t) => {
    const one = await profileOf(`${other('jana').split(/\n(?=\[Event )/)[0]}\n`, 'jana');
    assert.match(one.finding, /Too few moves are analysed to say where points are lost\.$/);
    const { page } = await open(t, one.at);
    const text = await page.innerText('#ratings');
    assert.doesNotMatch(text, /No part stands out|Where points are lost/);
    assert.match(text, /Over time\s+It takes ten games in each of two months, or forty games, to tell a change\./);
});

test('a pool without a scale is neither compared nor followed over time', async (t) => {
    const slow = await profileOf(other('karl', () => ({ TimeControl: '3600+30', Event: 'Rated classical game' })).replaceAll(/ \{ \[%eval [^}]*\}/g, ''), 'karl');
    const { page } = await open(t, slow.at);
    assert.equal(slow.pool, 'online-classical');
    assert.doesNotMatch(await page.innerText('#ratings'), /No part stands out|undated/);
});

test('months with few games are taken together', async () => {
    const months = await profileOf(other('lena', (i) => ({ Date: `2026.0${5 + i % 4}.0${1 + i % 9}` })), 'lena');
    assert.deepEqual(months.progress.map(({ from, to, games: n }) => [from.slice(0, 7), to.slice(0, 7), n]), [['2026.05', '2026.06', 10], ['2026.07', '2026.08', 10]]);
});

test('games of lichess as NDJSON have the ratings of the same games as PGN', async () => {
    const lines = games(forms.lichess).split(/\n(?=\[Event )/).map((game, i) => {
        const tag = (name) => new RegExp(`^\\[${name} "(.*)"`, 'm').exec(game)?.[1];
        const text = game.slice(game.indexOf('\n\n'));
        const played = [...text.matchAll(/([a-hKQRBNO][^\s{]*)(?:\s+\{([^}]*)\})?/g)].map(([, san, note = '']) => {
            const [, mate, value] = /%eval (#?)(-?[\d.]+)/.exec(note) ?? [];
            return { san, eval: value && (mate ? { mate: Number(value) } : { eval: Math.round(value * 100) }) };
        });
        return JSON.stringify({ id: `abcd${i}`, rated: true, variant: 'standard', speed: 'rapid', perf: 'rapid', createdAt: Date.UTC(2026, 10 + i % 2 - 1, 1 + i % 9),
            status: 'resign', ...tag('Result') !== '1/2-1/2' && { winner: tag('Result') === '1-0' ? 'white' : 'black' }, ...tag('Result') === '1/2-1/2' && { status: 'draw' },
            players: { white: { user: { name: tag('White').replace('anna', 'emma') }, rating: 1804 }, black: { user: { name: tag('Black').replace('anna', 'emma') }, rating: 1804 } },
            clock: { initial: 600, increment: 0 }, moves: played.map(({ san }) => san).join(' '), analysis: played.map((move) => move.eval ?? {}) });
    });
    const answer = await site.post(`${lines.join('\n')}\n`, '?analyse=false', { 'content-type': 'application/x-ndjson' });
    const upload = await answer.json();
    const [emma, anna] = await Promise.all(['emma', 'anna'].map(async (q) => site.json(`/api/v1/profile?player=${(await site.json(`/api/v1/players?q=${q}`)).players[0].id}`)));

    assert.equal(upload.imported, 20, JSON.stringify([upload.errors, upload.duplicates]));
    const { rows } = await ratedBy(lines.join('\n'), 'application/x-ndjson');
    assert.equal(rows.find(({ player }) => player.name === 'emma').rating.games, 20);
    for (const type of ['application/jsonl', 'application/json']) assert.deepEqual((await ratedBy(lines.join('\n'), type)).rows, rows);
    assert.equal((await site.post(lines[0], '?analyse=false', { 'content-type': 'application/json' })).status, 202, 'one game');
    assert.equal(emma.pool, 'online-rapid');
    assert.deepEqual([emma.games, emma.points, emma.elo, emma.lost], [anna.games, anna.points, anna.elo, anna.lost]);
    assert.deepEqual(emma.rating, anna.rating);
});

test('games of a name with itself, also in two spellings, are left out of the page, and it says how many', async (t) => {
    const named = games(forms.lichess).replaceAll('"anna"', '"ines"').split(/\n(?=\[Event )/);
    const mixed = named.map((game, i) => (i < 3 ? game.replace(/"Rival\d+"/, i === 0 ? '"INES"' : '"ines"') : game));
    const { id } = await (await site.post(mixed.join('\n'), '?analyse=false')).json();
    const { choice, profile, ratings } = await site.json(`/api/v1/uploads/${id}`);
    const without = await (await site.post(named.slice(3).join('\n').replaceAll('"ines"', '"isolde"'), '?analyse=false')).json();
    const { profile: wanted } = await site.json(`/api/v1/uploads/${without.id}`);
    assert.deepEqual([choice.games, choice.itself, ratings[0].games, profile.games, profile.list.length, profile.scored], [17, 3, 17, 17, 17, 17]);
    assert.deepEqual([profile.points, profile.lost, profile.rating, profile.parts], [wanted.points, wanted.lost, wanted.rating, wanted.parts]);
    assert.ok(!profile.list.some(({ opponent }) => /ines/i.test(opponent.name)));
    const { page } = await open(t, `/uploads/${id}`);
    assert.match(await page.innerText('h1'), /^ines, 17 games/);
    assert.equal(await page.innerText('#itself'), '3 games have ines on both sides and count nowhere on this page.');
    const alone = await (await site.post(named.slice(0, 2).map((game) => game.replace(/"Rival\d+"|"ines"/g, '"ivo"')).join('\n'), '?analyse=false')).json();
    const own = await open(t, `/uploads/${alone.id}`);
    assert.match(await own.page.innerText('main'), /2 games have ivo on both sides/);
    // The file of the command line, and its row, which counts such a game once.
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const rate = (text) => spawnSync(intrinsic, ['rate', '--evals=only', '--format=json', `--report=${folder}/ines.html`, '-'], { cwd: root, input: text, encoding: 'utf8', env: environment('') });
    const { rows } = JSON.parse(rate(mixed.join('\n')).stdout), html = readFileSync(path.join(folder, 'ines.html'), 'utf8');
    const [ines] = rows.filter(({ player }) => player.name === 'ines');
    assert.deepEqual([ines.games, ines.rating.games, ines.points, ines.scored_games, ines.time_classes['online-rapid']], [20, 20, profile.points, 17, 20]);
    assert.match(html, /<h1>ines, 17 games/);
    assert.match(html, /3 games have one player on both sides/);
    assert.match(rate(named.map((game) => game.replace(/"Rival\d+"/, '"ines"')).join('\n')).stderr, /--report: in every game here one player is on both sides/);
});

test('the archive of chess.com as JSON has the ratings of the same games as PGN: as a body, a file, pasted, and in a zip', async (t) => {
    const named = (name) => games(forms.chess_com).replaceAll('"bert"', `"${name}"`).split(/\n(?=\[Event )/);
    const archive = (name) => ({ games: named(name).map((pgn, i) => ({ url: `https://www.chess.com/game/live/${i}`, pgn, time_control: '600', time_class: 'rapid',
        rated: true, rules: 'chess', white: { rating: 1500, result: 'win', username: name }, black: { rating: 1510, result: 'resigned', username: `Rival${i}` } })) });
    const of = async (name) => {
        const { pool, rating, games: n, points, lost } = await site.json(`/api/v1/profile?player=${(await site.json(`/api/v1/players?q=${name}`)).players[0].id}`);
        return { pool, rating, n, points, lost };
    };
    assert.equal((await (await site.post(named('ccpgn').join('\n'), '?analyse=false')).json()).imported, 20);
    const wanted = await of('ccpgn');
    assert.equal(wanted.n, 20);
    const body = await (await site.post(JSON.stringify(archive('ccbody')), '?analyse=false', { 'content-type': 'application/json; charset=utf-8' })).json();
    assert.equal(body.imported, 20, JSON.stringify(body.errors));
    assert.deepEqual(await of('ccbody'), wanted);
    const rated = async (type) => (await ratedBy(JSON.stringify(archive('ccbody')), type)).rows;
    assert.deepEqual(await rated('application/json'), await rated('text/plain'));
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, '11.json'), `\ufeff${JSON.stringify(archive('cczip'), null, 2)}`);
    assert.equal(spawnSync('python3', ['-m', 'zipfile', '-c', '11.zip', '11.json'], { cwd: folder }).status, 0);
    assert.equal((await (await site.post(readFileSync(path.join(folder, '11.zip')), '?analyse=false', { 'content-type': 'application/zip' })).json()).imported, 20);
    assert.deepEqual(await of('cczip'), wanted);
    for (const [name, give] of [['ccfile', (page, text) => page.setInputFiles('#file', { name: '11.json', mimeType: 'application/json', buffer: Buffer.from(text) })],
        ['ccpaste', (page, text) => page.fill('#pasted', text)]]) {
        const { page } = await open(t, '/uploads');
        await give(page, JSON.stringify(archive(name)));
        await page.click('#games button');
        await page.waitForURL(/\/uploads\/\w+$/);
        await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}, 20 games`) }).waitFor();
    }
    const rate = await site.get('/api/v1/rate?evals=only&player=ccpgn', { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: JSON.stringify(archive('ccpgn')) });
    near((await rate.json()).rows[0].rating.estimate, wanted.rating.estimate);
});

test('ratings of two servers have no mean', async () => {
    const both = games((game, i) => {
        const tags = (i < 10 ? forms.lichess : forms.chess_com)(game, i);
        return { ...tags, White: tags.White.replace(/anna|bert/, 'gerda'), Black: tags.Black.replace(/anna|bert/, 'gerda') };
    });
    const { id } = await (await site.post(both, '?analyse=false')).json();
    const { profile } = await site.json(`/api/v1/uploads/${id}`);
    assert.deepEqual([profile.games, profile.server, profile.elo], [20, 'chess.com', null]);
});

test('positions that wait for a deeper search are said to, and the page goes on by itself when they are there', async (t) => {
    const own = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const searched = lines(forms.lichess), file = (name, of) => {
        writeFileSync(path.join(folder, name), of.map((game) => `${JSON.stringify(game)}\n`).join(''));
        return path.join(folder, name);
    };
    run(['import', file('before.ndjson', searched.map(({ confirmed, ...game }) => game))], own);
    const still = await serve(t, own, { INTRINSIC_WORKERS: '0' });
    const id = (await still.json('/api/v1/uploads')).uploads[0].id, shown = () => still.json(`/api/v1/uploads/${id}`);
    assert.match((await shown()).profile.unsolved, /need a deeper search/);
    run(['analyse', '--confirm'], own, { INTRINSIC_CONFIRM_NODES: '2000000' });
    const { profile, confirming } = await shown();
    assert.ok(confirming.ready > 1);
    assert.match(profile.unsolved, new RegExp(`in ${confirming.ready} games still`));
    const { page, complaints } = await openAddress(t, `${still.base}/uploads/${id}`);
    assert.equal(await page.innerText('#unsolved'), profile.unsolved);
    assert.equal(await page.locator('.exercise').count(), 0);
    run(['import', '--again', file('after.ndjson', searched)], own);
    assert.equal((await shown()).profile.unsolved, null);
    await page.locator('.exercise cg-board').first().waitFor();
    assert.deepEqual(complaints, []);
});

test('two accounts of one person are made one by a click, and one profile', async (t) => {
    const as = (name) => (game, i) => { const tags = forms.chess_com(game, i); return { ...tags, White: tags.White.replace('bert', name), Black: tags.Black.replace('bert', name) }; };
    const file = games(as('carla_1')).split(/\n(?=\[Event )/).map((game, i) => (i < 8 ? game.replaceAll('carla_1', 'carla_blitz') : game)).join('\n');
    const { id } = await (await site.post(file, '?analyse=false')).json();
    assert.equal((await site.json(`/api/v1/uploads/${id}`)).profile.games, 12);
    const { page, complaints } = await open(t, `/uploads/${id}`);
    // Whom she has played is somebody else.
    const offered = await page.locator('.who li:has(button)').allInnerTexts(), all = await page.locator('.who li').allInnerTexts();
    const met = (text) => Number(/Rival(\d+)/.exec(text)?.[1]) >= 8; // the first eight games are of the other account
    assert.ok(offered.some((text) => text.startsWith('carla_blitz')) && all.some(met) && !offered.some(met), offered.join());
    await Promise.all([page.waitForURL(/player=/), page.getByRole('button', { name: 'The games of carla_blitz are mine, too' }).click()]);
    assert.match(await page.innerText('h1'), /^carla_1, 20 games/);
    assert.equal((await site.json(`/api/v1/uploads/${id}`)).profile.games, 20);
    assert.deepEqual(complaints, []);
});

test('where nobody stands out several names are marked as one person, which leads to one page', async (t) => {
    const names = ['dana', 'dana_rapid', 'dana_2'];
    const file = games(forms.chess_com).split(/\n(?=\[Event )/).map((game, i) => game.replaceAll('"bert"', `"${names[i % 3]}"`)).join('\n');
    const upload = async () => (await site.post(file, '?analyse=false')).json();
    const { id } = await upload();
    for (const options of [{}, { javaScriptEnabled: false }]) {
        const { page, complaints } = await open(t, `/uploads/${id}`, options);
        const mark = async (marked) => {
            for (const name of marked) await page.getByRole('checkbox', { name: `The games of ${name} are mine`, exact: true }).check();
            await page.getByRole('button', { name: 'The marked ones are all mine' }).click();
        };
        assert.match(await page.innerText('h1'), /Whose games are these/);
        if (options.javaScriptEnabled !== false) await accessible(page);
        // One name is a choice, names that have met are two persons, and nothing of it is done.
        await mark(['dana_2']);
        await page.waitForURL(/player=/);
        assert.match(await page.innerText('h1'), /^dana_2, 6 games/);
        await page.goBack();
        await mark(['Rival0', 'dana_rapid', 'dana']);
        assert.match(await page.innerText('main'), /have played each other/);
        await page.getByRole('link', { name: 'Back to the page' }).click();
        assert.equal((await site.json(`/api/v1/players?q=dana_rapid`)).players[0].name, 'dana_rapid');
        await page.goto(`${site.base}/uploads/${id}`);
        await mark(names);
        await page.waitForURL(/player=/);
        assert.match(await page.innerText('h1'), /^dana, 20 games/);
        assert.equal((await site.json(`/api/v1/uploads/${id}`)).profile.games, 20);
        for (let n = 2; n > 0; n--) {
            assert.equal(await page.getByRole('button', { name: 'are not mine' }).count(), n);
            await page.getByRole('button', { name: 'are not mine' }).first().click();
            await page.waitForURL(/player=/);
        }
        await page.goto(`${site.base}/uploads/${id}`);
        assert.match(await page.innerText('h1'), /Whose games are these/);
        assert.deepEqual(complaints.filter((text) => !text.includes('409')), []);
    }
    const decide = async (body) => {
        const answer = await site.get('/api/v1/identity-changes', { method: 'POST', body: JSON.stringify({ kind: 'merge', ...body }), headers: { 'content-type': 'application/json' } });
        return [answer.status, (await answer.json()).detail];
    };
    assert.deepEqual(await decide({ players: [1] }), [400, 'players: expected ids of two players or more, got nothing']);
    assert.deepEqual(await decide({ players: [1, 2], other: 3 }), [400, 'players: expected only without player,other, got "1,2"']);
    assert.deepEqual(await decide({ players: [1, 2000000000] }), [404, 'no player 2000000000']);
    // A field that comes twice is refused by its name.
    const twice = await site.get('/api/v1/identity-changes', { method: 'POST', body: new URLSearchParams('kind=merge&player=1&player=2&other=3') });
    assert.match((await twice.json()).detail, /^player: expected one value/);
});

test('analysed games are downloaded as PGN, also without names, and rate the same', async (t) => {
    const tags = (text, ...names) => [...text.matchAll(new RegExp(`^\\[(?:${names.join('|')}) "(.*)"`, 'gm'))].map(([, value]) => value);
    const partition = (all) => all.map((value) => all.indexOf(value));
    const { id } = await (await site.post(games(forms.federation), '?analyse=false')).json();
    const { profile } = await site.json(`/api/v1/uploads/${id}`);
    const { page } = await open(t, `/uploads/${id}`);
    const offered = async (name) => {
        const answer = await site.get(await page.getByRole('link', { name, exact: true }).getAttribute('href'));
        assert.equal(answer.headers.get('content-type'), 'application/x-chess-pgn; charset=utf-8');
        return answer.text();
    };
    const [plain, hidden] = [await offered('PGN'), await offered('PGN without names')];
    assert.equal(tags(plain, 'White').length, 20);
    assert.match(plain, /\[%eval /);
    assert.match(plain, /Dora, Day/);
    assert.doesNotMatch(hidden, /Dora|Foe|National|1234567/);
    assert.deepEqual(partition(tags(hidden, 'White', 'Black')), partition(tags(plain, 'White', 'Black')));
    const rated = (text) => JSON.parse(spawnSync(intrinsic, ['rate', '--quiet', '--evals=only', '--format=json', '-'], { input: text, encoding: 'utf8', env: environment('') }).stdout)
        .rows.map(({ games: n, rating: { estimate } }) => [n, estimate]);
    assert.deepEqual(rated(hidden), rated(plain));
    near(rated(plain).find(([n]) => n === 20)[1], profile.rating.estimate);
    // One player is one pseudonym in all pages of an answer, and another one in the next.
    const all = '/api/v1/evaluations.pgn?judge=rating&from=1960&to=1975';
    const [known, once, again] = await Promise.all(['', '&names=false', '&names=false'].map(async (more) => tags(await (await site.get(all + more)).text(), 'White', 'Black')));
    assert.ok(known.length > 100, `${known.length}`);
    assert.deepEqual(partition(once), partition(known));
    assert.ok(!again.some((name) => once.includes(name)));
    const lines = (await (await site.get(all.replace('.pgn', '.ndjson') + '&names=false')).text()).trim().split('\n').map((line) => JSON.parse(line).tags);
    assert.deepEqual(partition(lines.flatMap(({ White, Black }) => [White, Black])), partition(known));
    assert.equal((await site.get('/api/v1/players.pgn')).status, 406);
    // chess.com says there who won.
    const ended = `[Event "Live Chess"]\n[Site "Chess.com"]\n[White "annaqz"]\n[Black "bertqz"]\n[Result "1-0"]\n[Termination "annaqz won by resignation"]\n\n`
        + Array.from({ length: 10 }, (_, i) => `${i + 1}. N${i % 2 ? 'g1' : 'f3'} {[%eval 0.2]} N${i % 2 ? 'g8' : 'f6'} {[%eval 0.2]} `).join('') + '1-0\n';
    const sent = await (await site.post(ended, '?analyse=false')).json();
    for (const form of ['pgn', 'ndjson'])
        for (const names of [true, false]) {
            const told = await (await site.get(`/api/v1/evaluations.${form}?upload=${sent.id}&judge=pgn-evals&names=${names}`)).text();
            assert.ok(told.length > 100 && told.includes('annaqz') === names, told);
        }
});

test('the upload of an account with more games than a profile reads has its page without one', async (t) => {
    const own = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '0' });
    const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 { [%eval 0.20] } 8... O-O { [%eval 0.20] } 9. h3 { [%eval 0.20] } 9... Nb8 { [%eval 0.25] } 10. d4 { [%eval 0.20] } 10... Nbd7 { [%eval 0.30] } 11. Nbd2 { [%eval 0.10] } 11... Bb7 { [%eval 0.20] }';
    const file = Array.from({ length: 4001 }, (_, i) => `[Event "Rated rapid game"]\n[Site "https://lichess.org/x"]\n[Date "2026.10.01"]\n` +
        `[White "anna"]\n[Black "rival${i}"]\n[Result "1-0"]\n[TimeControl "600+0"]\n[ECO "C96"]\n\n${moves} 1-0\n\n`).join('');
    const { id } = await (await own.post(file, '?analyse=false')).json();
    const upload = await until('the import', async () => {
        const now = await own.json(`/api/v1/uploads/${id}`);
        return now.state === 'stored' && now;
    });
    assert.equal(upload.imported, 4001);
    assert.equal(upload.choice.player.name, 'anna');
    assert.equal(upload.choice.games, 4001);
    assert.equal(upload.profile, undefined);
    assert.equal((await own.get(`/uploads/${id}`)).status, 200);
    assert.equal((await own.get(`/api/v1/profile?player=${upload.choice.player.id}&upload=${id}`)).status, 400);
});

test('on a phone strength with its bar, the results and the first thing to work on are on the first screen', async (t) => {
    const { id } = await (await site.post(games(forms.lichess).replaceAll('"anna"', '"anna_of_the_club"'), '?analyse=false')).json();
    for (const address of [`/uploads/${id}`, `/players/${fischer}/profile?year=1972`])
        for (const colorScheme of ['light', 'dark']) {
            const { page } = await open(t, address, { viewport: { width: 390, height: 844 }, colorScheme });
            for (const [part, most] of [['.big', 500], ['.drawn', 560], ['.counts', 640], ['#work-title', 660]])
                assert.ok(await page.locator(part).first().evaluate((one) => one.getBoundingClientRect().bottom) <= most, `${address} ${part}`);
            const first = await page.locator('.work > p, .work .advice p').first().evaluate((one) => one.getBoundingClientRect());
            assert.ok(first.top <= 660 && first.bottom <= 740, `${address}: ${first.top} to ${first.bottom}`);
            assert.equal(await overflow(page), 0);
        }
});

test('the page is for everybody, on a phone too', async (t) => {
    const { page } = await open(t, `/players/${fischer}/profile?year=1972`, { width: 390 });
    await accessible(page, 'profile');
    assert.ok(await overflow(page) <= 0);
    for (const pool of ['online', 'otb']) { // what the page says of named weaknesses is in the tables, and explained
        const [, there, chance] = /\{ ([\d.]+), ([\d.]+)/.exec(readFileSync(path.join(root, `analysis/model/profile_halves_${pool}.inc`), 'utf8'));
        for (const file of ['profile', 'profile_tables'])
            assert.ok(readFileSync(path.join(root, `docs/${file}.md`), 'utf8').includes(`| ${(100 * there).toFixed(1)} % | ${(100 * chance).toFixed(1)} % |`), `${pool} in ${file}`);
    }
    const { tested } = await site.json(`/api/v1/profile?player=${fischer}&year=1972`);
    assert.match(tested, /^Tested on years of world champions with 40 games and more: \d\d% of .*, more than the \d\d% of chance \(p = 0\.0\d+\)\.$/);
});
