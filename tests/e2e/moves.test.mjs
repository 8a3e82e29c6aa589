// The list of moves behind the figures: how one comes there, and what stands there.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { close, launch, open as openAddress } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site, fischer, match;

before(async () => {
    const url = freshDatabase(suite);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    const judged = path.join(root, 'static/samples/judged');
    run(['import', ...readdirSync(judged).map((f) => path.join(judged, f)),
        path.join(root, 'static/samples/rating.ndjson.zst'), ...['1', '2', '3'].map((n) =>
            path.join(root, `static/champions/rating.${n}.ndjson.zst`))], url);
    site = await serve(suite, url, { INTRINSIC_WORKERS: '0' });
    await launch();
    fischer = (await site.json('/api/v1/players?q=Fischer&limit=1')).players[0].id;
    match = (await site.json('/api/v1/events?q=championship&year=1972')).events[0].id;
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, options) => openAddress(t, site.base + where, options);
const rows = (page) => page.locator('table.evidence tbody tr');

/** Points that a move lost, as pages have them: rounded, but never up to a mark's limit. */
function rounded(points) {
    const up = Math.round(100 * points) / 100;
    const reached = [0.05, 0.15, 0.3].some((limit) => points < limit && up >= limit);
    return (reached ? Math.floor(100 * points) / 100 : up).toFixed(2);
}

async function click(page, link) {
    await link.click();
    await page.waitForLoadState('load');
}

/** The board on a game's page after so many half-moves, as the answer has the position. */
async function boardShows(page, ply) {
    assert.equal(new URL(page.url()).searchParams.get('ply'), String(ply));
    assert.ok(await page.locator('#board').isVisible());
    assert.ok(await page.locator('#board svg use, #board piece').count() >= 3);
}

test("a year's costliest moves, and one of them on a board, in two clicks", async (t) => {
    const { page, complaints } = await open(t, `/players/${fischer}/1972`);
    const want = await site.json(`/api/v1/moves?player=${fischer}&year=1972`);

    await click(page, page.getByRole('link', { name: 'Which moves cost most' }));
    assert.match(await page.innerText('main'), new RegExp(`cost most: [^]*The 10 costliest of ${want.found} moves make up ` +
        `${Math.round(100 * want.costliest.share)} ?% of all that was lost`));
    assert.equal(await rows(page).count(), want.moves.length);
    const first = want.moves[0];
    assert.ok((await rows(page).first().innerText()).includes(first.played.san));
    assert.ok(want.moves.every((m, i, all) => i === 0 || all[i - 1].points_lost >= m.points_lost));
    await click(page, rows(page).first().locator('.board-cell a'));
    await boardShows(page, first.ply);
    assert.deepEqual(complaints, []);
});

test('from an event to a position on a board in three clicks', async (t) => {
    const { page } = await open(t, `/events/${match}`);
    const want = await site.json(`/api/v1/moves?player=${fischer}&event=${match}`);

    await click(page, page.locator(`a[href^="/events/${match}/"][href$="/players/${fischer}/moves"]`).first());
    assert.equal(await rows(page).count(), want.moves.length);
    assert.match(await rows(page).first().innerText(), /round \d/);
    await click(page, rows(page).first().locator('.board-cell a'));
    await boardShows(page, want.moves[0].ply);
});

test('player, event and game pages lead to the moves', async () => {
    const { moves: [{ game }] } = await site.json(`/api/v1/moves?player=${fischer}&event=${match}&limit=1`);
    const [player, event] = [`/players/${fischer}/fischer-robert-j`, `/events/${match}/world-championship-28th`];
    for (const [where, link] of [[`/players/${fischer}`, `${player}/moves`], [`/players/${fischer}/1972`, `${player}/1972/moves`],
        [`/events/${match}`, `${event}/moves`], [`/events/${match}?judge=rating`, `${event}/moves?judge=rating`],
        [`/events/${match}/players/${fischer}`, `${event}/players/${fischer}/moves`],
        [`/games/${game.id}`, `/moves?event=${match}&player=${fischer}`]]) {
        const html = await (await site.get(where, { headers: { accept: 'text/html' } })).text();
        assert.ok(html.includes(`<a href="${link.replaceAll('&', '&amp;')}"`), `${where} has no link to ${link}`);
        assert.equal((await site.get(link)).status, 200);
    }
});

test('the moves of a player, a year or an event have an address that can be read', async () => {
    const readable = `/players/${fischer}/fischer-robert-j/1972/moves`, event = `/events/${match}/world-championship-28th`;
    for (const [where, own] of [[readable, readable], [`/players/${fischer}/1972/moves`, readable],
        [`/moves?player=${fischer}&year=1972&phase=endgame`, `${readable}?phase=endgame`], [`/players/${fischer}/moves`, `/players/${fischer}/fischer-robert-j/moves`],
        [`/events/${match}/moves`, `${event}/moves`], [`/moves?event=${match}&player=${fischer}`, `${event}/players/${fischer}/moves`]]) {
        const r = await site.get(where, { headers: { accept: 'text/html' }, redirect: 'manual' });
        assert.equal(r.status, 200, where);
        assert.equal(/class="printed">([^<]*)/.exec(await r.text())[1], own);
    }
    for (const where of [`/players/${fischer}/a/b/1972/moves`, '/players/999999/moves', '/players/fischer/moves'])
        assert.equal((await site.get(where, { headers: { accept: 'text/html' } })).status, 404, where);
});

test('dragging over rows of losses chooses their moves', async (t) => {
    const { page, complaints } = await open(t, `/moves?player=${fischer}&year=1972`);
    const { bins } = await site.json(`/api/v1/moves?player=${fischer}&year=1972`);
    const at = async (i) => {
        const box = await page.locator('#bins tbody tr').nth(i).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };

    await page.mouse.move(...await at(2));
    await page.mouse.down();
    await page.mouse.move(...await at(3));
    await page.mouse.move(...await at(4));
    assert.equal(await page.locator('#bins tr.chosen').count(), 3);
    await page.mouse.up();
    await page.waitForURL(/lost_to/);
    const { searchParams } = new URL(page.url());
    assert.equal(Number(searchParams.get('lost_from')), bins[2].from);
    assert.equal(Number(searchParams.get('lost_to')), bins[4].to);
    const n = bins[2].moves + bins[3].moves + bins[4].moves;
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${n} moves? with a choice$`));
    assert.deepEqual(complaints, []);
});

test('without JavaScript filters, bins and more moves work', async (t) => {
    const { page } = await open(t, `/moves?player=${fischer}&year=1972`, { javaScriptEnabled: false });
    const { bins } = await site.json(`/api/v1/moves?player=${fischer}&year=1972`);

    await page.getByRole('button', { name: 'More moves' }).click();
    assert.match(new URL(page.url()).searchParams.get('after'), /\.25$/);
    assert.equal(await rows(page).count(), 25);
    await page.locator('#bins tbody tr').nth(1).getByRole('link').click();
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${bins[1].moves} moves? with a choice$`));
    await page.getByRole('link', { name: 'All moves of the set' }).click();
    await page.getByText('Filter by phase').click();
    await page.getByLabel('Phase').selectOption('endgame');
    await page.getByLabel('Colour').selectOption('black');
    await page.getByRole('button', { name: 'Filter' }).click();
    const { found } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&phase=endgame&color=black`);
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${found} moves? with a choice$`));
});

test('the CSV has the rows of the JSON', async () => {
    const where = `player=${fischer}&event=${match}&lost_from=0.03&sort=game&limit=200`;
    const { moves } = await site.json(`/api/v1/moves?${where}`);
    const [head, ...lines] = (await (await site.get(`/api/v1/moves.csv?${where}`)).text()).trim().split(/\r?\n/);
    const names = head.split(',');

    assert.equal(lines.length, moves.length);
    assert.ok(moves.length > 10);
    for (const [i, line] of lines.entries()) {
        const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((c) => c.replace(/,$/, '').replace(/^"|"$/g, ''));
        for (const name of ['game.id', 'ply', 'played.san', 'evaluation', 'evaluation_played', 'points_lost', 'share', 'score', 'information', 'part', 'effect', 'fen']) {
            const value = name.split('.').reduce((o, k) => o[k], moves[i]);
            const cell = cells[names.indexOf(name)], what = `${name} of line ${i + 2}`;
            if (typeof value === 'number') assert.ok(cell !== '' && Number(cell) === value, what);
            else assert.equal(cell, value ?? '', what);
        }
    }
});

const signed = (x) => (Math.abs(x) < 0.05 ? '0.0' : `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(1)}`);
const cells = async (row) => (await row.locator('td').allInnerTexts()).map((text) => text.trim());

test('what one move lost is the same on the list and at its game', async (t) => {
    const { moves } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&limit=1000`);
    const near = moves.find(({ points_lost: x }) => x > 0.145 && x < 0.15) ?? moves.find(({ points_lost: x }) => x > 0.045 && x < 0.05); // not shown as a mark's limit
    const lost = rounded(near.points_lost);
    const { page } = await open(t, `/moves?player=${fischer}&year=1972&lost_from=0.04&lost_to=0.2&sort=game&limit=1000`);
    const row = rows(page).filter({ has: page.locator(`a[href^="/games/${near.game.id}?"][href*="ply=${near.ply}"]`) });
    assert.equal(await row.locator('td[data-label="points"]').innerText(), lost);
    await page.goto(`${site.base}/games/${near.game.id}?judge=rating&ply=${near.ply + 1}`);
    assert.match(await page.innerText('.ply:visible'), new RegExp(`It lost ${lost} expected points`));
});

test('counts of moves say what they count', async (t) => {
    const { rating, judged_by: by } = await site.json(`/api/v1/players/${fischer}/ratings?year=1972`);
    const { all_moves: all } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&limit=1`);
    const analysed = by.find(({ name }) => name === 'rating').turns;
    assert.ok(rating.turns < all && all < analysed, 'three counts');
    const { page } = await open(t, `/players/${fischer}/1972`);
    await page.getByText('Details').click();
    assert.match(await page.innerText('main'), new RegExp(`${analysed} analysed moves, ${rating.turns} of them rated: `));
    await page.goto(`${site.base}/players/${fischer}/1972/moves`);
    assert.match(await page.innerText('main'), new RegExp(`, from ${rating.turns} of ${all} moves with a choice\\.`));
    assert.equal(await page.innerText('#moves-title'), `${all} moves with a choice`);
    await page.goto(`${site.base}/players`);
    assert.match(await page.innerText('thead'), /Rated\s+moves/);
    await page.goto(`${site.base}/players?sort=name`);
    assert.match(await page.innerText('thead'), /Rated\s+moves[^]*Analysed\s+with \w+/);
});

test('the mean of the prior is one figure, that of the tests is named as theirs', async () => {
    const { rating: { prior } } = await site.json(`/api/v1/players/${fischer}/ratings?year=1972`);
    const { parts } = await site.json('/api/v1/validation');
    const html = async (where) => (await site.get(where, { headers: { accept: 'text/html' } })).text();
    assert.match(await html(`/players/${fischer}/1972`), new RegExp(`The <a href="/glossary#prior">prior</a> is ${prior.mean} `));
    assert.match(await html(`/players/${fischer}/1972/moves`), new RegExp(`the moves of a player of ${prior.mean}, the mean of the`));
    assert.match(await html('/validation'), new RegExp(`prior(?:</a>)? of the tests, N\\(${Math.round(parts[0].prior.mean)}, [^]*prior of the rating is of all sides: N\\(${prior.mean}, `));
});

test('the parts of all moves add up to the distance of the rating, which the foot of the table has', async (t) => {
    const all = await site.json(`/api/v1/moves?player=${fischer}&year=1972&limit=1000`);
    const { parts } = all;
    const sum = (rows, of) => rows.reduce((total, row) => total + (row[of] ?? 0), 0);
    assert.equal(all.moves.length, all.all_moves);
    assert.ok(Math.abs(sum(all.moves, 'part') - (parts.to - parts.from)) < 1e-4);
    assert.ok(Math.abs(parts.all - (parts.to - parts.from)) < 1e-6 && Math.abs(parts.to - all.rating.estimate) < 1e-6);
    assert.ok(Math.abs(sum(all.moves, 'share') - 1) < 1e-6);

    const { page } = await open(t, `/moves?player=${fischer}&year=1972&phase=endgame`);
    const found = await site.json(`/api/v1/moves?player=${fischer}&year=1972&phase=endgame`);
    const foot = page.locator('table.evidence tfoot tr');
    assert.equal(await foot.count(), 3);
    assert.match(await foot.nth(0).innerText(), /^25 moves on this page/);
    assert.ok((await cells(foot.nth(0))).includes(signed(sum(found.moves, 'part'))));
    assert.match(await foot.nth(1).innerText(), new RegExp(`^All ${found.found} moves found`));
    assert.ok((await cells(foot.nth(1))).includes(signed(found.parts.found)));
    assert.match(await foot.nth(2).innerText(), new RegExp(`^All ${all.all_moves} moves of the set`));
    const whole = await cells(foot.nth(2));
    assert.ok(whole.includes(signed(parts.all)) && whole.includes('100.0%'));
    assert.equal(whole.at(-1), `= rating ${parts.to.toFixed(1)} − ${parts.from.toFixed(1)}`);
    const shown = await page.locator('table.evidence tbody td[data-label="part"]').allInnerTexts();
    assert.deepEqual(shown, found.moves.map(({ part }) => (part === null ? 'none' : signed(part))));
});

test('a move says how many play one as good, or why that is not known', async (t) => {
    const { page } = await open(t, `/moves?player=${fischer}&year=1972&limit=1000`);
    const { moves } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&limit=1000`);
    const reasons = new Set(moves.map((m) => m.likelihoods_reason));
    const shown = { 'decided or repeated': 'not modelled' };
    const told = await rows(page).evaluateAll((all) => all.map((row) =>
        [...row.querySelectorAll('[data-label^="as good"], [data-label="at 2700"]')].map((cell) => cell.textContent)));

    assert.ok(reasons.has(null) && reasons.has('decided or repeated'), [...reasons].join());
    for (const [i, m] of moves.entries()) {
        const where = `${m.game.id} ${m.ply}`;
        assert.equal(m.likelihoods === null, m.likelihoods_reason !== null, where);
        if (m.likelihoods !== null) assert.ok(told[i].length === 2 && told[i].every((text) => /^\d+%$/.test(text)), where);
        else assert.ok(told[i].length === 1 && told[i][0].startsWith(shown[m.likelihoods_reason] ?? m.likelihoods_reason), where);
    }
    assert.match(await page.innerText('main'), /this move or a better one\. Beside a blunder it is near 100%/);
});

test('the costliest moves that the sentence names are the first of the list, with the figures of the deep search', async (t) => {
    const { moves } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&limit=1000`);
    const { page } = await open(t, `/moves?player=${fischer}&year=1972`);

    assert.ok(moves.filter((m) => m.mark).length > 10);
    const links = await page.locator('.verdict a[href^="/games/"]').all();
    const named = await Promise.all(links.map(async (link) => /games\/(\d+)\?ply=(\d+)/.exec(await link.getAttribute('href')).slice(1).map(Number)));
    assert.deepEqual(named, moves.slice(0, 3).map(({ game, ply }) => [game.id, ply + 1]));
    const costs = moves.map((m) => m.points_lost);
    assert.deepEqual(costs, [...costs].sort((a, b) => b - a));
});

test('the form has opponents and time left', async (t) => {
    const { page } = await open(t, `/moves?player=${fischer}`);
    const { opponents, clocks } = await site.json(`/api/v1/moves?player=${fischer}`);
    const spassky = opponents.find(({ name }) => name.startsWith('Spassky'));

    assert.ok(opponents.length > 0);
    await page.getByText('Filter by phase').click();
    assert.deepEqual(await page.getByLabel('Opponent').locator('option').allInnerTexts(),
        ['all', ...opponents.map(({ name, games }) => `${name} (${games} ${games === 1 ? 'game' : 'games'})`)]);
    assert.equal(clocks, 0);
    assert.equal(await page.getByLabel('Time left from').count(), 0);
    assert.match(await page.innerText('form.filters'), /No game of this set has clock times/);
    await page.getByLabel('Opponent').selectOption(String(spassky.id));
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/opponent=/);
    assert.match(await page.innerText('h1'), /against Boris Spassky/);
    assert.equal(await page.getByLabel('Opponent').inputValue(), String(spassky.id));
    const { found } = await site.json(`/api/v1/moves?player=${fischer}&opponent=${spassky.id}`);
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${found.toLocaleString('en')} moves? with a choice$`));
});

const settled = async (t, where) => {
    for (;;) {
        const { report } = await site.json(`/api/v1/reports/${where.split('/').at(-1)}`);
        if (report.state !== 'computing') break;
        await new Promise((done) => { setTimeout(done, 200); });
    }
    return open(t, where);
};

test('figures of a royale lead to player-years and their moves', async (t) => {
    const { page, complaints } = await settled(t, '/royale');
    const { ranking } = await site.json('/api/v1/reports/royale');
    const listed = ranking.filter((r) => r.games_with_moves > 0);

    assert.ok(listed.length > 0 && listed.length < ranking.length);
    assert.match(await page.innerText('#which-moves'),
        new RegExp(`Of ${ranking.length - listed.length} player-years only figures of the moves are stored, without boards`));
    await page.locator('#statisticians > summary').click();
    assert.equal(await page.locator('#statisticians tbody td[data-label="moves"] a[href*="/moves"]').count(), ranking.length);
    await page.locator('#other-methods > summary').click();
    assert.ok(await page.locator('table.cross tbody th a').count() > 1);
    await click(page, page.locator('#which-moves a').first());
    assert.ok(await rows(page).count() > 0);

    // A point of the drawing leads to its year, and that to its moves.
    const again = await settled(t, '/royale');
    const point = again.page.locator('#figure-royale circle').first();
    await point.waitFor();
    const box = await point.boundingBox();
    await again.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await again.page.innerText('.tip'), /interval/);
    await again.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await again.page.waitForURL(new RegExp(`/players/${ranking[0].player.id}.*/${ranking[0].year}$`));
    await click(again.page, again.page.getByRole('link', { name: 'Which moves cost most' }));
    assert.ok(await rows(again.page).count() > 0);
    assert.deepEqual(complaints, []);
});

test('a drawing whose points lead somewhere is followed by Enter', async (t) => {
    const { page } = await settled(t, '/royale');
    const { ranking } = await site.json('/api/v1/reports/royale');
    const drawing = page.locator('#figure-royale svg.leads');

    await drawing.waitFor();
    assert.equal(await page.locator('#figure-royale svg a').count(), 0);
    await drawing.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/players/${ranking[0].player.id}.*/${ranking[0].year}$`));
});

test('reports lead to games with their moves, comparisons to their events', async (t) => {
    for (const kind of ['conformance', 'covariance', 'score-curve']) {
        const { page } = await settled(t, `/reports/${kind}`);
        const { games } = await site.json(`/api/v1/reports/${kind}`);
        assert.equal(games.examples.length, 10);
        assert.equal(await page.locator('.examples a').count(), 10);
        await click(page, page.locator('.examples a').first());
        assert.equal(await page.locator('#board').count(), 1);
    }
    const { page } = await settled(t, '/comparisons');
    const { errors, matches } = await site.json('/api/v1/reports/comparisons');
    const shown = errors.filter(({ predictor, matches: n }) => predictor !== 'even' && n > 0 && n * 20 >= matches.length).length;
    const without = errors.length - 1 - shown; // all but "even"
    assert.equal(await page.locator('.table-wrap.long thead th').count(), 3 + shown, 'columns of the matches');
    assert.equal(without > 0, /Not in the table, because hardly any match has enough moves for it:/.test(await page.textContent('main')));
    await page.locator('#other-methods > summary').click();
    await click(page, page.locator('table:has(th:text("Match")) tbody th a[href^="/events/"]').first());
    assert.ok(await page.locator('a[href^="/events/"][href$="/moves"]').count() > 0);
});

test('moves of which only figures are stored are listed by number, and lead to what the game has', async (t) => {
    const { player_years: years } = await site.json('/api/v1/player-years?sort=-rating&limit=1&judge=rating');
    const [{ player, year }] = years;
    const { page, complaints } = await open(t, `/players/${player.id}/${year}`);
    await click(page, page.getByRole('link', { name: 'Which moves cost most' })); // 1
    const { moves, ...want } = await site.json(`/api/v1/moves?player=${player.id}&year=${year}`);
    const { rating } = await site.json(`/api/v1/players/${player.id}/ratings?year=${year}`);

    assert.equal(want.games_without_moves, want.games);
    assert.equal(want.moves_as_figures, want.all_moves);
    assert.ok(want.rating.turns > 0);
    assert.equal(want.rating.turns, rating.turns);
    assert.deepEqual(want.rating.interval, rating.interval);
    assert.match(await page.innerText('#figures-only'), /only figures are stored.*recognised, and the boards appear/);
    assert.equal(await rows(page).count(), moves.length);
    assert.match(await rows(page).first().innerText(), new RegExp(`move ${moves[0].number}`));
    await click(page, rows(page).first().locator('th a')); // 2
    assert.equal(new URL(page.url()).hash, `#figure-${moves[0].ply}`);
    const { figures } = await site.json(`/api/v1/games/${moves[0].game.id}`);
    const at = figures.find(({ ply }) => ply === moves[0].ply);
    for (const name of ['number', 'mover', 'evaluation', 'evaluation_played', 'loss', 'points_lost'])
        assert.equal(at[name], moves[0][name], name);
    assert.equal(await page.locator('[id^="figure-"]').count(), figures.length);
    assert.match(await page.locator(`#figure-${at.ply}`).innerText(), new RegExp(rounded(at.points_lost)));
    assert.deepEqual(complaints, []);
});

test('a game of which only figures are stored gets its board when its moves are uploaded', async (t) => {
    const database = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'figures-'));
    const other = await serve(t, database, { INTRINSIC_WORKERS: '0' });
    t.after(() => rmSync(folder, { recursive: true }));
    const send = async (path, body) => {
        const sent = await fetch(`${other.base}/api/v1/${path}`, { method: 'POST', body });
        assert.ok(sent.ok, await sent.text());
    };
    const { moves: [{ game: { id } }] } = await site.json(`/api/v1/moves?player=${fischer}&event=${match}&limit=1`);
    const figures = await (await site.get(`/api/v1/evaluations.ndjson?form=figures&game=${id}&judge=rating`)).text();
    writeFileSync(path.join(folder, 'figures.ndjson'), figures);
    run(['import', path.join(folder, 'figures.ndjson')], database);
    const own = (await other.json('/api/v1/players?q=fischer')).players[0].id;
    const list = async () => (await other.json(`/api/v1/moves?player=${own}&year=1972&limit=1000`)).moves;
    const before = await list();
    assert.ok(before.length > 10 && before.every((m) => m.fen === null && m.played === null && m.best === null));
    await send('uploads?analyse=false', await (await site.get(`/api/v1/games/${id}.pgn`)).text());
    const after = await list(), { moves } = await other.json(`/api/v1/games/${before[0].game.id}`);
    assert.deepEqual(after.map((m) => [m.ply, m.points_lost]), before.map((m) => [m.ply, m.points_lost]));
    for (const m of after) assert.ok(m.best === null && m.played.san === moves[m.ply].san && m.fen !== null);

    const { page } = await openAddress(t, `${other.base}/players/${own}/1972/moves`);
    assert.match(await rows(page).first().innerText(), new RegExp(after[0].played.san.replace(/[+#]/, '\\$&')));
    await click(page, rows(page).first().locator('th a'));
    assert.ok(await page.locator('#board').isVisible());
    assert.match(await page.innerText('.ply:visible'), new RegExp(`It lost ${rounded(after[0].points_lost)} points`));
    assert.ok(after.every(({ mark }) => mark === null), 'figures are not confirmed');
});

test('an event of which only figures are stored leads to pages that there are', async () => {
    const { player_years: [{ player, year }] } = await site.json('/api/v1/player-years?sort=-rating&limit=1&judge=rating');
    const { games } = await site.json(`/api/v1/games?player=${player.id}&year=${year}&limit=100`);
    const events = new Set(games.filter((g) => !g.moves_stored).map((g) => g.event_id));
    let followed = 0;
    for (const event of [...events].slice(0, 4)) {
        const dossier = await (await site.get(`/events/${event}/players/${player.id}`, { headers: { accept: 'text/html' } })).text();
        const [, list] = /href="(\/events\/[^"]*\/moves)[^"]*">Which moves cost most/.exec(dossier);
        assert.match(await (await site.get(list, { headers: { accept: 'text/html' } })).text(), /class="verdict">[^]*cost most: /);
        for (const where of [`/events/${event}`, `/events/${event}/players/${player.id}`]) {
            const html = await (await site.get(where, { headers: { accept: 'text/html' } })).text();
            for (const address of new Set([...html.matchAll(/href="(\/games\/[^"#]*)/g)].map(([, a]) => a.replaceAll('&amp;', '&')))) {
                assert.equal((await site.get(address, { headers: { accept: 'text/html' } })).status, 200, `${where} ${address}`);
                followed += 1;
            }
        }
    }
    assert.ok(followed > 20, String(followed));
});

test('where the moves are stored nowhere, pages say so', async () => {
    const html = await (await site.get('/validation', { headers: { accept: 'text/html' } })).text();
    assert.match(html, /not stored here: figures only/);
    assert.doesNotMatch(html, /href="[^"]*\/moves["?]/);
});

test('a link to moves names no other number than its list has', async () => {
    for (const where of [`/players/${fischer}`, `/players/${fischer}/1972`, `/events/${match}`, `/events/${match}/players/${fischer}`]) {
        const html = await (await site.get(where, { headers: { accept: 'text/html' } })).text();
        const texts = [...html.matchAll(/<a href="([^"]*\/moves[?"][^>]*)>(Which moves[^<]*)</g)];
        assert.ok(texts.length > 0, where);
        for (const [, , text] of texts) assert.match(text, /^Which moves cost most( in this event)?$/);
    }
    const { games_with_moves: n } = await site.json(`/api/v1/players/${fischer}`);
    const { games, games_without_moves: without } = await site.json(`/api/v1/moves?player=${fischer}&limit=1`);
    assert.equal(n, games - without);
});

test('a comparison leads to the moves of its player-years in two clicks', async (t) => {
    const { players: [{ id: spassky }] } = await site.json('/api/v1/players?q=Spassky&limit=1');
    const { page } = await open(t, `/compare?white=${fischer}:1972&black=${spassky}:1972`);

    await click(page, page.locator('.side.first').getByRole('link', { name: /^\d+ games$/ }));
    assert.equal(new URL(page.url()).hash, '#moves-title');
    await click(page, page.getByRole('link', { name: 'Which moves cost most' }));
    assert.ok(await rows(page).count() > 0);
});

test('moves are filtered by the time left, where a file has it', async (t) => {
    const { moves: [{ game }] } = await site.json(`/api/v1/moves?player=${fischer}&event=${match}&limit=1`);
    const pgn = await (await site.get(`/api/v1/games/${game.id}.pgn?form=plain`)).text();
    const [tags, text] = pgn.split(/\r?\n\r?\n/);
    let left = 9000;
    const clocked = text.replace(/[^\s]+/g, (word) => {
        if (/^(\d+\.+|1-0|0-1|1\/2-1\/2|\*)$/.test(word)) return word;
        left -= 60;
        return `${word} {[%clk ${Math.floor(left / 3600)}:${String(Math.floor(left / 60) % 60).padStart(2, '0')}:00]}`;
    });
    const sent = await fetch(`${site.base}/api/v1/uploads?analyse=false`, { method: 'POST', body: `${tags}\n\n${clocked}\n`,
        headers: { 'content-type': 'application/x-chess-pgn' } });
    assert.equal(sent.status, 202, await sent.text());

    const { page } = await open(t, `/moves?player=${fischer}&event=${match}`);
    const { clocks } = await site.json(`/api/v1/moves?player=${fischer}&event=${match}`);
    assert.ok(clocks > 5);
    await page.getByText('Filter by phase').click();
    await page.getByLabel('Time left from').fill('6000');
    await page.getByRole('textbox', { name: /^to .*seconds/ }).or(page.locator('[name="clock_to"]')).first().fill('8000');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/clock_to=8000/);
    const want = await site.json(`/api/v1/moves?player=${fischer}&event=${match}&clock_from=6000&clock_to=8000`);
    assert.ok(want.found > 0 && want.found < clocks);
    assert.ok(want.moves.every(({ clock_ms: ms }) => ms >= 6e6 && ms <= 8e6));
    assert.equal(await rows(page).count(), want.moves.length);
    assert.ok(await page.locator('td[data-label="clock"]').count() > 0);
    assert.equal(await page.getByLabel('Time left from').inputValue(), '6000');
});

test('a move has one mark: in the list, on the page of the game and in the dossier', async (t) => {
    const all = [];
    for (let after = ''; after !== null;) {
        const { moves, next } = await site.json(`/api/v1/moves?player=${fischer}&event=${match}&sort=game&limit=1000${after}`);
        all.push(...moves);
        after = next && `&after=${next}`;
    }
    const marked = new Map(all.filter(({ mark }) => mark).map((m) => [`${m.game.id} ${m.ply}`, m.mark]));
    assert.ok(marked.size > 10);
    const { rounds } = await site.json(`/api/v1/events/${match}/players/${fischer}`);
    const flagged = rounds.flatMap(({ games }) => games).flatMap(({ game, flagged: list }) => (list ?? []).map(({ ply, mark }) => [`${game} ${ply - 1}`, mark]));
    assert.deepEqual(flagged.sort(), [...marked].sort(), 'the dossier');
    let confirmed = 0;
    for (const id of new Set(all.map(({ game }) => game.id))) {
        const [own, narrow] = [await site.json(`/api/v1/games/${id}`), await site.json(`/api/v1/games/${id}?judge=rating`)];
        assert.equal(own.judge.name, 'standard');
        for (const { game, ply, mark, mover, points_lost: lost } of all.filter((m) => m.game.id === id)) {
            const [by, here] = [own, narrow].map(({ turns }) => turns.find((turn) => turn.ply === ply && turn.mover === mover));
            const at = `game ${game.id}, ply ${ply}`;
            assert.equal(here.mark, mark, at);
            assert.equal(by.mark, mark, at);
            assert.equal(here.confirmed, by.confirmed, at);
            assert.ok(Math.abs(here.points_lost - lost) < 1e-6, at);
            if (by.confirmed) {
                assert.deepEqual([by.points_lost, by.lines, by.nodes], [here.points_lost, here.lines, here.nodes], at);
                confirmed++;
            }
        }
    }
    assert.ok(confirmed > 50);
});

test('without JavaScript no heading of a player-year stands over nothing', async (t) => {
    const { page } = await open(t, `/players/${fischer}/1972`, { javaScriptEnabled: false });
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'In the career', exact: true }) });
    assert.match(await section.innerText(), /The picture is drawn by JavaScript; the table of the years has its figures/);
    assert.ok(await section.getByRole('link').count() > 0);
});

test('figures of papers and of time controls lead to moves in two clicks', async (t) => {
    for (const where of ['/time-controls', '/papers/alliot-2017/figures/8', '/papers/alliot-2017/figures/11']) {
        const { page } = await open(t, where);
        const games = page.locator('section:has(#games-title) .examples a');
        assert.equal(await games.count(), 5, where);
        await click(page, games.first()); // 1
        assert.match(new URL(page.url()).pathname, /^\/games\/\d+/);
        assert.ok(await page.locator('#board').isVisible(), where);
        const move = page.locator('main a[id="20"]').first();
        await click(page, move); // 2
        assert.match(page.url(), /(#|ply=)20\b/, where);
    }
    for (const where of ['/papers/alliot-2017/4', '/papers/alliot-2017/6', '/papers/regan-haworth-2011/mileposts', '/calibrations/standard']) {
        const { page } = await open(t, where);
        assert.ok(await page.locator('#which-moves').isVisible(), where);
        await click(page, page.locator('#which-moves + .examples a').first()); // 1
        assert.match(new URL(page.url()).pathname, /^\/games\/\d+/, where);
        assert.ok(await page.locator('#board').isVisible(), where);
    }
    const of = await open(t, '/papers/alliot-2017/4');
    await click(of.page, of.page.getByRole('rowheader').getByRole('link').first()); // 1
    assert.match(of.page.url(), /\/moves\?judge=standard$/);
    assert.ok(await rows(of.page).count() > 0);
    const best = await open(t, '/predictors');
    assert.match(await best.page.innerText('#which-moves'), /Of the champions' games only figures are stored/);
    await click(best.page, best.page.locator('#which-moves a[href*="/moves?"]').first()); // 1
    assert.ok(await rows(best.page).count() > 0);
    for (const where of ['/papers/regan-haworth-2011/mileposts', '/papers/regan-haworth-2011/inflation'])
        assert.match(await (await open(t, where)).page.innerText('#which-moves'), /the games behind them are not stored with them\./, where);
    const { page } = await open(t, '/time-controls');
    assert.match(await page.innerText('section:has(#games-title)'), /at standard time controls, with what each move lost; no games at other ones are analysed/);
    const calibrations = await open(t, '/calibrations');
    assert.match(await calibrations.page.innerText('main'), /the games that it is made from are not listed, and their moves are not stored with it/);
});
