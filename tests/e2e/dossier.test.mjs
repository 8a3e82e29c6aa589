// An arbiter's way: a Swiss of 100 players from real games with one engine user planted
// (swiss.mjs). He is found first, the others stand out as often as chance has it, his moves are
// three clicks away, and his dossier prints on two sheets.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { close, launch, open as openAddress, stands } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';
import { EVENT, PLANTED, PLAYERS, ROUNDS, writeSwiss } from './swiss.mjs';

const cleanups = [];
let site, event, report;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    suite.after(() => rmSync(folder, { recursive: true }));
    const url = freshDatabase(suite), file = path.join(folder, 'swiss.ndjson');
    assert.equal(writeSwiss(file), (PLAYERS / 2) * ROUNDS);
    run(['import', file], url);
    site = await serve(suite, url);
    await launch();
    event = (await site.json(`/api/v1/events?q=${EVENT.split(' ')[0]}`)).events[0].id;
    report = await site.json(`/api/v1/events/${event}`);
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, options) => openAddress(t, site.base + where, { width: 1280, ...options });

/** The least b with P(X > b) < 1/1000, X binomial: a bound that chance keeps. */
function bound(n, p) {
    let term = (1 - p) ** n, sum = term, b = 0;
    while (1 - sum >= 1e-3) {
        term *= ((n - b) / (b + 1)) * (p / (1 - p));
        sum += term;
        b++;
    }
    return b;
}

test('the planted engine user is first, and nobody else is left by the correction', () => {
    const { rows, tested, found, expected, below_level: left, excluded } = report.screening;
    assert.equal(tested, PLAYERS);
    assert.equal(excluded.length, 0);
    assert.equal(rows[0].player.name, PLANTED);
    assert.ok(rows[0].z > 6 && rows[0].adjusted <= 0.01, JSON.stringify(rows[0]));
    assert.ok(Math.abs(expected - PLAYERS * 0.00134990) < 1e-5);
    assert.equal(found, rows.filter((r) => r.z > 3).length);
    assert.equal(left, 1);
    assert.ok(rows.every((r, i) => i === 0 || (r.z <= rows[i - 1].z && r.adjusted >= rows[i - 1].adjusted)));
});

test('others stand out as often as chance has it', () => {
    const z = report.screening.rows.slice(1).map((r) => r.z), n = z.length;
    assert.equal(bound(99, 0.0227501), 8); // 2.25 expected
    assert.equal(bound(99, 0.0013499), 2);
    for (const [limit, tail] of [[2, 0.0227501], [3, 0.0013499]]) {
        assert.ok(z.filter((x) => x > limit).length <= bound(n, tail), `above ${limit}`);
        assert.ok(z.filter((x) => x < -limit).length <= bound(n, tail), `below -${limit}`);
    }
    // Together: mean and variance of 99 normal z, each within a bound that chance keeps 999 of 1,000
    // times. The games are of many events, so the variance is below 1 by that of events.
    const mean = z.reduce((a, b) => a + b, 0) / n;
    const variance = z.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1);
    assert.ok(Math.abs(mean) < 3.29 / Math.sqrt(n), `mean ${mean}`);
    assert.ok(variance > 0.55 && variance < 1.53, `variance ${variance}`); // chi-square of 98 / 98
});

test('the page says how often such a test finds an engine user, by the figures of this level and these rounds', async (t) => {
    const { planted } = await site.json('/api/v1/validation');
    const elos = report.screening.rows.map(({ elo }) => elo), mean = elos.reduce((a, b) => a + b, 0) / elos.length;
    const { elo, after } = planted.rows.filter(({ engine, share }) => engine === 'close' && share === 0.5)
        .sort((a, b) => Math.abs(a.elo - mean) - Math.abs(b.elo - mean))[0];
    const flagged = (rounds) => Math.round(100 * after.find((row) => row.rounds === rounds).flagged);
    assert.ok(flagged(ROUNDS) > flagged(3));
    assert.equal(report.screening.finds, `Of users near ${elo} Elo who take every second move from an engine, such a test of ` +
        `${planted.players} players flags ${flagged(ROUNDS)} of 100 after ${ROUNDS} rounds, and ${flagged(3)} of 100 after 3.`);
    const { page } = await open(t, `/events/${event}`);
    assert.ok((await page.innerText('#screening')).includes(report.screening.finds));
    await Promise.all([page.waitForNavigation(), page.getByRole('link', { name: 'What the test finds' }).click()]);
    assert.match(page.url(), /\/validation#planted$/);
    assert.equal(await page.innerText('#planted'), 'What the test of an event finds');
});

test('the crosstable has every game twice, with opposite results', () => {
    const { rows, rounds, numbered_by: by } = report.crosstable;
    assert.deepEqual(rounds, Array.from({ length: ROUNDS }, (_, i) => i + 1));
    assert.equal(by, 'tags');
    assert.equal(rows.length, PLAYERS);
    const sides = rows.flatMap((row) => row.rounds.flatMap(({ games }) => games.map((g) => ({ ...g, row }))));
    assert.equal(sides.length, PLAYERS * ROUNDS);
    const games = new Set(sides.map((s) => s.game));
    for (const game of games) {
        const two = sides.filter((s) => s.game === game);
        assert.equal(two.length, 2);
        assert.equal(two[0].points + two[1].points, 1);
        assert.notEqual(two[0].color, two[1].color);
        assert.equal(two[0].opponent_number, two[1].row.number);
    }
    for (const row of rows) assert.equal(row.score, row.rounds.reduce((a, { games: g }) => a + g.reduce((x, y) => x + y.points, 0), 0));
});

test('from the event to the player, to the game at a flagged move: three clicks', async (t) => {
    const { page } = await open(t, `/events/${event}`);
    assert.match(await page.innerText('.answer'), new RegExp('^.+ scored most, .+ of 9\\. .+ played the best moves, .+ as well\\. ' +
        PLANTED.split(',')[0] + ' stands out among the 100 players tested: one tournament in \\d+ has somebody so far above their Elo by chance\\.$'));
    assert.match(await page.innerText('#screening'), new RegExp(PLANTED.split(',')[0] + ' is furthest above their own Elo, as far as one player in [\\d,]+ is by ' +
        'chance\\. In a field of 100, one tournament in \\d+ has somebody this far above by chance\\. Corrected .+ below 5% for 1 of them\\.'));
    const click = (target) => Promise.all([page.waitForNavigation(), target.click()]);
    const called = PLANTED.split(', ').toReversed().join(' ');
    await click(page.locator('.screening tbody tr').first().getByRole('link', { name: called, exact: true }));
    assert.match(await page.innerText('h1'), new RegExp(called));
    await click(page.locator('.dossier-rounds .flagged a').first());
    assert.match(page.url(), /\/games\/\d+\?ply=\d+/);
    const ply = new URL(page.url()).searchParams.get('ply');
    assert.equal(await page.locator(`.ply[data-ply="${ply}"]`).isVisible(), true);
});

test('the list of events counts as many analysed games as the event does', async () => {
    const { events } = await site.json('/api/v1/events?limit=500');
    const row = events.find(({ id }) => id === event);
    assert.equal(row.games_analysed, report.screening.games_analysed);
    assert.equal(row.games_analysed, PLAYERS * ROUNDS / 2);
    const html = await (await site.get('/events', { headers: { accept: 'text/html' } })).text();
    assert.match(html, new RegExp(`/events/${event}/[^]*?<td class="n">${row.games}</td><td class="n">${row.games_analysed}</td>`));
});

test('one-sided, furthest above the Elo first', async (t) => {
    const { page } = await open(t, `/events/${event}`);
    assert.equal(await page.innerText('#screening-title'), 'Moves against play at each player\'s Elo, furthest above it first');
    const z = (await page.locator('.screening td[data-label="z"]').allTextContents()).map((text) => Number(text.replace('−', '-')));
    assert.ok(z.length === 100 && z.every((one, i) => i === 0 || one <= z[i - 1]), 'as the heading says');
    assert.match(await page.innerText('#screening'), /The test is one-sided: only play above the player's Elo counts\./);
});

test('a crosstable of 100 is folded below the screening, ratings and corrections below that', async (t) => {
    const { page } = await open(t, `/events/${event}`);
    const order = await page.evaluate(() => ['#screening-title', '#crosstable-title', '#other-methods', '#statisticians']
        .map((at) => document.querySelector(at).getBoundingClientRect().top));
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
    assert.ok(!await page.locator('.rounds').isVisible());
    assert.doesNotMatch(await page.innerText('main'), /FDR|Holm|so far out|this far out/, 'folded jargon');
    for (const fold of ['#other-methods', '#statisticians']) await page.locator(`${fold} > summary`).click();
    assert.match(await page.innerText('#statisticians'), /Holm[^]*FDR/);
    assert.equal(await page.locator('#statisticians td[data-label="Holm"]').count(), PLAYERS);
});

test('from the event to a round of his: one click', async (t) => {
    const { page } = await open(t, `/events/${event}`);
    const cells = page.locator('.screening tbody tr').first().locator('.strip a');
    assert.equal(await cells.count(), ROUNDS);
    await Promise.all([page.waitForNavigation(), cells.nth(4).click()]);
    assert.match(page.url(), /\/games\/\d+$/);
});

/** Pages of a PDF that Chromium prints. */
const sheets = (pdf) => [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;

test('a dossier prints on two sheets, with address, date, engine setting and digest', async (t) => {
    const all = report.screening.rows;
    for (const { player } of [all[0], all[1], all[50], all[99]]) {
        const { page } = await open(t, `/events/${event}/players/${player.id}`);
        const pdf = await page.pdf({ preferCSSPageSize: true });
        const n = sheets(pdf);
        assert.ok(n >= 1 && n <= 2, `${player.name}: ${n} sheets`);
        await page.emulateMedia({ media: 'print' });
        const head = await page.innerText('.running');
        const { rating_calibration: c } = await site.json(`/api/v1/events/${event}/players/${player.id}`);
        const own = page.url().replace(/\/events\/\d+/, '$&/[a-z0-9-]+');
        assert.match(head, new RegExp(own), 'its address');
        for (const part of [c.digest, c.engine, c.network, new Date().toISOString().slice(0, 4)])
            assert.ok(head.includes(part), `${part} on the sheet: ${head}`);
        assert.match(c.digest, /^[0-9a-f]{64}$/);
        const text = await page.innerText('main');
        assert.match(text, /Base rates/);
        assert.match(text, /Caution/);
        assert.doesNotMatch(text, /cheat|guilty|suspicious|innocent|fraud/i);
        if (existsSync('/usr/bin/pdftotext'))
            assert.match(execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }), /Page 1 of [12]/);
    }
});

test('the pages of an event of 100 players stand', async (t) => {
    const player = report.screening.rows[0].player.id;
    await stands(t, 'event', `${site.base}/events/${event}`, /furthest above it first/);
    await stands(t, 'dossier', `${site.base}/events/${event}/players/${player}`, /Base rates/);
});

test('without JavaScript everything is there', async (t) => {
    const { page } = await open(t, `/events/${event}`, { javaScriptEnabled: false });
    assert.equal(await page.locator('.rounds tbody tr').count(), PLAYERS);
    assert.equal(await page.locator('.rounds tbody td a').count(), PLAYERS * ROUNDS);
});

test('the event is queued by its button', async (t) => {
    const { page } = await open(t, `/events/${event}`);
    // The moves of the planted player's opponents are not analysed.
    assert.match(await page.innerText('#progress'), /In 9 games \d+ moves are not analysed with rating/);
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Analyse this event' }).click()]);
    assert.match(await page.innerText('#progress'), /9 waiting/);
    assert.equal(await page.getByRole('button', { name: 'Analyse this event' }).count(), 0);
});
