// The list of moves behind the figures: how one comes there, and what stands there.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
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
        path.join(root, 'static/samples/rating.ndjson.zst')], url);
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

    await click(page, page.getByRole('link', { name: /^Which moves: the costliest of \d+$/ }));
    assert.match(await page.innerText('.answer'), new RegExp(`^The 10 costliest of ${want.found} moves make up ` +
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
    for (const [where, own] of [[readable, readable], [`/players/${fischer}/1972/moves`, readable], [`/players/${fischer}/another/1972/moves`, readable],
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
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${n} moves?$`));
    assert.deepEqual(complaints, []);
});

test('without JavaScript filters, bins and more moves work', async (t) => {
    const { page } = await open(t, `/moves?player=${fischer}&year=1972`, { javaScriptEnabled: false });
    const { bins } = await site.json(`/api/v1/moves?player=${fischer}&year=1972`);

    await page.getByRole('button', { name: 'More moves' }).click();
    assert.match(new URL(page.url()).searchParams.get('after'), /\.25$/);
    assert.equal(await rows(page).count(), 25);
    await page.locator('#bins tbody tr').nth(1).getByRole('link').click();
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${bins[1].moves} moves?$`));
    await page.getByRole('link', { name: 'All moves of the set' }).click();
    await page.getByLabel('Phase').selectOption('endgame');
    await page.getByLabel('Colour').selectOption('black');
    await page.getByRole('button', { name: 'Filter' }).click();
    const { found } = await site.json(`/api/v1/moves?player=${fischer}&year=1972&phase=endgame&color=black`);
    assert.match(await page.innerText('#moves-title'), new RegExp(`^${found} moves?$`));
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
        for (const name of ['game.id', 'ply', 'played.san', 'points_lost', 'share', 'score', 'information', 'effect', 'fen']) {
            const value = name.split('.').reduce((o, k) => o[k], moves[i]);
            const cell = cells[names.indexOf(name)], what = `${name} of line ${i + 2}`;
            if (typeof value === 'number') assert.ok(cell !== '' && Number(cell) === value, what);
            else assert.equal(cell, value ?? '', what);
        }
    }
});
