// The page of careers: sets of games over years and ages, in the browser and without JavaScript.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { yearTicks } from '../../static/plots/common.js';
import { spread } from '../../static/plots/labels.js';
import { close, launch, open as openAddress, overflow, stands } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const names = ['Fischer', 'Spassky', 'Karpov', 'Kasparov', 'Petrosian', 'Botvinnik', 'Alekhine', 'Capablanca', 'Lasker',
    'Euwe', 'Tal', 'Smyslov'];
const id = {};
let site;

before(async () => {
    const url = freshDatabase(suite);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    const judged = path.join(root, 'static/samples/judged');
    run(['import', ...readdirSync(judged).map((f) => path.join(judged, f)),
        path.join(root, 'static/samples/rating.ndjson.zst'), path.join(root, 'static/champions/rating.1.ndjson.zst'),
        path.join(root, 'static/champions/rating.2.ndjson.zst')], url);
    const folder = mkdtempSync(path.join(tmpdir(), 'careers-'));
    suite.after(() => rmSync(folder, { recursive: true }));
    const spelling = path.join(folder, 'spelling.ssp');
    writeFileSync(spelling, '@PLAYER\n\nFischer, Robert James #gm  USA [2785] 1943.03.09--2008.01.17\n   = Fischer, Robert J\n');
    site = await serve(suite, url, { INTRINSIC_WORKERS: '0', SCID_RATINGS_PATH: spelling });
    await launch();
    for (const name of names) {
        const { players } = await site.json(`/api/v1/players?q=${name}&limit=1`);
        id[name] = players[0].id;
    }
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, options) => openAddress(t, site.base + where, options);
const sets = (n) => names.slice(0, n).map((name) => `set=${id[name]}`).join('&');
const drawn = (page) => page.waitForSelector('figure.careers.drawn svg');

/** Whether the boxes of two labels meet. */
const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

async function labels(page) {
    const texts = page.locator('figure.careers .end-label text');
    const out = [];
    for (const one of await texts.all()) out.push({ text: await one.textContent(), box: await one.boundingBox() });
    return out;
}

async function apart(page, n) {
    const all = await labels(page);
    assert.equal(all.length, n);
    for (const [i, a] of all.entries())
        for (const b of all.slice(i + 1)) assert.ok(!meet(a.box, b.box), `${a.text} and ${b.text} overlap`);
    return all;
}

test('five careers are in one picture, in six clicks from the start', async (t) => {
    const { page, complaints } = await open(t, '/');
    let clicks = 0;
    const click = async (what) => {
        clicks++;
        await what.click();
        await page.waitForLoadState('load');
    };

    await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }));
    await click(page.getByRole('navigation', { name: 'Section' }).getByRole('link', { name: 'Careers' }));
    for (const name of names.slice(0, 5)) {
        await page.getByLabel('Add a player').fill(name);
        const there = page.url();
        await click(page.getByRole('listbox').getByRole('option').first());
        await page.waitForURL((url) => url.href !== there);
    }
    assert.ok(clicks <= 8, `${clicks} clicks`);
    await drawn(page);
    const all = await apart(page, 5);
    assert.deepEqual(all.map(({ text }) => text), names.slice(0, 5));
    assert.deepEqual(new URL(page.url()).searchParams.getAll('set'), names.slice(0, 5).map((n) => String(id[n])));
    assert.deepEqual(complaints, []);
});

test('a set is removed by a link, the others stay', async (t) => {
    const { page } = await open(t, `/careers?${sets(3)}`);

    await page.getByRole('link', { name: 'Remove Spassky' }).click();
    await page.waitForURL((url) => url.searchParams.getAll('set').length === 2);
    assert.match(await page.innerText('h1'), /^Careers: Fischer, Karpov$/);
});

test('a limited set has the rating of the same scope', async () => {
    const event = (await site.json('/api/v1/events?q=championship&year=1972')).events[0].id;
    const cases = [
        [`${id.Fischer}`, ''],
        [`${id.Botvinnik}:1951-1961`, '?from=1951&to=1961'],
        [`${id.Botvinnik},color=white`, '?color=white'],
        [`${id.Botvinnik},opponent=${id.Tal},opponent=${id.Petrosian}`, `?opponent=${id.Tal},${id.Petrosian}`],
        [`${id.Fischer}:1972,color=black,event=${event}`, `?year=1972&color=black&event=${event}`],
        [`${id.Fischer},upload=1`, '?upload=1'],
    ];
    for (const [set, scope] of cases) {
        const { sets: [{ rating }] } = await site.json(`/api/v1/careers?set=${set}`);
        const r = await site.get(`/api/v1/players/${set.match(/^\d+/)[0]}/ratings${scope}`);
        const want = await r.json();
        if (r.status === 404) assert.match(rating.reason, /has no game/);
        else {
            assert.equal(rating.estimate, want.rating.estimate, set);
            assert.deepEqual(rating.interval, want.rating.interval);
            assert.equal(rating.turns, want.rating.turns);
        }
    }
});

test('the table has the figures of the years, and the CSV too', async (t) => {
    const { page } = await open(t, `/careers?${sets(2)}`);
    await page.getByText('Details').click();
    const answer = await site.json(`/api/v1/careers?${sets(2)}`);
    const csv = (await (await site.get(`/api/v1/careers.csv?${sets(2)}`)).text()).trim().split(/\r?\n/);

    assert.equal(csv.length - 1, answer.sets.flatMap(({ years }) => years).length);
    for (const [i, set] of answer.sets.entries()) {
        const list = (await site.json(`/api/v1/players/${set.player.id}`)).years;
        const rows = page.locator(`[aria-labelledby="set-${i + 1}"] tbody tr`);
        assert.equal(await rows.count(), set.years.length);
        for (const [k, year] of set.years.entries()) {
            const row = rows.nth(k), own = list.find((y) => y.year === year.year);
            assert.equal(await row.locator('th a').getAttribute('href'), `/players/${set.player.id}/${year.year}`);
            if (year.rating === null) continue;
            assert.equal(year.rating.estimate, own.rating.estimate);
            if (year.rating.estimate !== null)
                assert.match(await row.innerText(), new RegExp(`\\b${Math.round(year.rating.estimate)}\\b`));
        }
    }
});

test('sets against each other, by the strength of their moves', async (t) => {
    const { sets: all, against: rows } = await site.json(`/api/v1/careers?${sets(4)}`);
    const { page } = await open(t, `/careers?${sets(4)}`);
    const rated = all.filter(({ peak }) => peak.estimate !== null);
    const score = (d) => 1 / (1 + 10 ** (-d / 400));

    assert.ok(rated.length >= 3);
    assert.deepEqual(rows.map(({ set }) => set), rated.map(({ set }) => set));
    const cells = await page.locator('section:has(#matrix-title) tbody td').allInnerTexts();
    rows.forEach((row, i) => row.against.forEach((cell, j) => {
        if (i === j) { assert.equal(cell, null); return; }
        const [{ peak: a }, { peak: b }] = [rated[i], rated[j]], d = a.estimate - b.estimate;
        assert.ok(Math.abs(cell.expected - score(d)) < 1e-6);
        // The error of the curve, which is in both intervals, is not in that of the difference.
        const widest = 1.959964 * Math.hypot(a.standard_error, b.standard_error);
        assert.ok(cell.interval.low < cell.expected && cell.expected < cell.interval.high);
        assert.ok(cell.interval.low > score(d - widest) && cell.interval.high < score(d + widest));
        assert.ok(Math.abs(cell.higher + rows[j].against[i].higher - 1) < 1e-9 && (cell.higher > 0.5) === (d > 0));
        assert.match(cells[i * rows.length + j], new RegExp(`^${(100 * cell.expected).toFixed(0)}\\s`));
    }));
    const { against: none } = await site.json(`/api/v1/careers?${sets(1)}`);
    assert.deepEqual(none, []);
});

test('labels of twelve sets do not overlap, and no page is too wide', async (t) => {
    for (const width of [1280, 768, 390]) {
        const { page } = await open(t, `/careers?${sets(12)}`, { width });

        await drawn(page);
        await apart(page, 12);
        assert.ok(await overflow(page) <= 0, `${width}`);
        assert.match(await page.innerText('main'), /Twelve players are shown/);
    }
});

test('the years of an axis are whole, few, and the same at the top and at the bottom', async (t) => {
    assert.deepEqual(yearTicks(1971, 1973, 15), [1971, 1972, 1973]);
    assert.deepEqual(yearTicks(1966, 1972, 4), [1966, 1968, 1970, 1972]);
    assert.deepEqual(yearTicks(1955, 1992, 9), [1955, 1960, 1965, 1970, 1975, 1980, 1985, 1990]);
    assert.deepEqual(yearTicks(1866, 2024, 5), [1900, 1950, 2000]);
    for (const [first, last] of [[1900, 2026], [1999, 2002], [1851, 2026]])
        for (const most of [3, 5, 11]) assert.ok(yearTicks(first, last, most).length <= most);
    const { page } = await open(t, `/careers?set=${id.Fischer}:1972`);
    await drawn(page);
    const years = await page.locator('figure.careers svg text').filter({ hasText: /^19\d\d$/ }).allTextContents();
    assert.deepEqual(years, ['1971', '1972', '1973', '1971', '1972', '1973']);
});

test('twelve labels at the end of one picture are moved apart', () => {
    for (const wanted of [new Array(12).fill(100), [1, 2, 3, 50, 51, 52, 53, 200, 201, 202, 299, 300],
        [300, 10, 299, 11, 150, 151, 12, 298, 152, 13, 153, 154]]) {
        const at = spread(wanted, 15, 0, 300), order = [...at].sort((a, b) => a - b);
        for (const [i, y] of order.entries()) {
            assert.ok(y >= 7.5 - 1e-9 && y <= 292.5 + 1e-9);
            if (i > 0) assert.ok(y - order[i - 1] >= 15 - 1e-9);
        }
        for (const [i, a] of wanted.entries())
            for (const [k, b] of wanted.entries()) if (a < b) assert.ok(at[i] < at[k]);
    }
    assert.deepEqual(spread([20, 100], 15, 0, 300), [20, 100]); // what does not overlap stays
});

test('of a part of the games a line breaks over a year without a rating', async (t) => {
    const { page } = await open(t, `/careers?set=${id.Alekhine}:1900-1950,color=white`);

    await drawn(page);
    const years = (await site.json(`/api/v1/careers?set=${id.Alekhine}:1900-1950,color=white`)).sets[0].years
        .filter(({ rating }) => typeof rating?.estimate === 'number' && !rating.extrapolated && rating.turns >= 150).map(({ year }) => year);
    const gaps = years.filter((y, i) => i > 0 && y - years[i - 1] > 1).length;
    assert.ok(gaps > 0);
    const subpaths = await page.$$eval('figure.careers path[stroke-width="2.2"], figure.careers g[stroke-width="2.2"] path', (all) =>
        all.map((p) => p.getAttribute('d')));
    assert.equal(subpaths.length, gaps + 1);
});

const carlsen = async () => (await site.json('/api/v1/players?q=Carlsen&limit=1')).players[0].id;
const enough = ({ rating }) => rating?.turns >= 150;
const beyond = (year) => enough(year) && year.rating.extrapolated;

test('every year has two ends, and those beyond the calibrated range are dashed and open', async (t) => {
    const player = await carlsen();
    const { sets: [{ years }] } = await site.json(`/api/v1/careers?set=${player}:1990-2100,color=white`);
    const { rating: { calibrated_range: range } } = await site.json(`/api/v1/players/${player}/ratings`);
    for (const { year, rating } of years.filter(({ rating: r }) => r?.turns > 0)) {
        assert.ok(rating.interval.low < rating.estimate && rating.estimate < rating.interval.high, `${year}`);
        assert.equal(rating.extrapolated, rating.estimate < range.low || rating.estimate > range.high, `${year}`);
    }
    const far = years.filter(beyond);
    assert.ok(far.length > 0);
    for (const [where, figure] of [[`/careers?set=${player}:1990-2100,color=white`, 'careers']]) {
        const { page } = await open(t, where);
        await page.waitForSelector(`#figure-${figure}.drawn svg`);
        const dashed = await page.$$eval(`#figure-${figure} line`, (all) => all.filter((e) => e.closest('[stroke-dasharray="4 3"]') &&
            e.getAttribute('x1') === e.getAttribute('x2')).map((e) => Math.abs(e.getAttribute('y1') - e.getAttribute('y2'))));
        assert.equal(dashed.length, far.length, `${where}: a dashed rule from end to end for each`);
        assert.ok(dashed.every((height) => height > 10), `${dashed}`);
        const points = page.locator(`#figure-${figure} [stroke-dasharray="2 1.5"]`);
        assert.equal(await page.locator(`#figure-${figure} circle[stroke-dasharray="2 1.5"], #figure-${figure} [stroke-dasharray="2 1.5"] circle`).count(), far.length, where);
        await page.locator(`#figure-${figure} svg[tabindex="0"]`).focus();
        const told = []; // they are the last of the points
        for (let i = 0; i < far.length; i++) {
            await page.keyboard.press('ArrowLeft');
            told.unshift(await page.innerText(`#figure-${figure} .tip`));
        }
        assert.deepEqual(told, far.map(({ year, rating: { estimate, interval, turns } }) => `Carlsen 1990–2100, White ${year}: ${Math.round(estimate)}, ` +
            `95% interval ${Math.round(interval.low)} to ${Math.round(interval.high)}, beyond the calibrated range, ${turns} moves`), where);
        assert.equal(await points.first().evaluate((one) => one.closest('[fill="var(--paper)"]') !== null), true, where);
        assert.match(await page.innerText(`#figure-${figure} figcaption`),
            new RegExp(`Dashed( points and lines)?: beyond the calibrated range, ${range.low} to ${range.high}\\.`));
    }
});

test('without a year beyond the calibrated range nothing is dashed, and the caption does not say so', async (t) => {
    let within;
    for (const name of names) {
        const { sets: [{ years }] } = await site.json(`/api/v1/careers?set=${id[name]}`);
        if (!years.some(({ rating }) => rating?.extrapolated)) within ??= id[name];
    }
    assert.ok(within !== undefined, 'somebody has none');
    const { page } = await open(t, `/careers?set=${within}`);
    await drawn(page);
    assert.equal(await page.locator('figure.careers [stroke-dasharray="4 3"]').locator('line, path').count(), 0);
    assert.doesNotMatch(await page.innerText('figure.careers figcaption'), /beyond the calibrated range/);
});

test('ages need a date of birth, and say so', async (t) => {
    const { page } = await open(t, `/careers?${sets(2)}&by=age`);
    const { sets: [fischer, spassky] } = await site.json(`/api/v1/careers?${sets(2)}&by=age`);

    assert.equal(fischer.born, 1943);
    assert.equal(fischer.years.find(({ year }) => year === 1972).age, 29);
    assert.equal(spassky.born, null);
    assert.match(spassky.no_ages, /^no date of birth of Spassky/);
    await drawn(page);
    assert.match(await page.innerText('main'), /Spassky is not in the picture: no date of birth/);
});

test('without JavaScript players are added by links, and the tables are there', async (t) => {
    const { page } = await open(t, '/careers', { javaScriptEnabled: false });

    for (const name of names.slice(0, 2)) {
        await page.getByLabel('Add a player').fill(name);
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByRole('link', { name: new RegExp(`^Add .*${name}`) }).first().click();
    }
    assert.match(await page.innerText('h1'), /^Careers: Fischer, Spassky$/);
    assert.match(await page.innerText('.verdict'), /^It is likely \(\d\d%\) that Fischer was stronger than Spassky, \d{4} against \d{4} by the moves at their peaks\.$/);
    assert.match(await page.innerText('.sets'), /Fischer\s+\d{4}/);
    assert.equal(await page.locator('[aria-labelledby="set-1"] tbody tr').count() > 0, true);
    await page.getByLabel('Add a player').fill('nobody of this name');
    await page.getByRole('button', { name: 'Find' }).click();
    assert.match(await page.innerText('main'), /No player has such a name/);
    await page.goto(`${site.base}/careers`);
    await page.getByLabel('Add a player').fill('Botvinnik');
    await page.getByLabel('From year').fill('1951');
    await page.getByLabel('To year').fill('1957');
    await page.getByLabel('Colour').selectOption('white');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: /^Add .*Botvinnik/ }).first().click();
    assert.match(await page.innerText('h1'), /^Careers: Botvinnik 1951–1957, White$/);
});

test('hostile sets are refused with their place', async () => {
    const cases = [['12:19x', /a year from 1 to 9999, got "19x" at character 4 of "12:19x"/],
        ['12,phase=late', /opening, middlegame or endgame, got "late" at character 10 of "12,phase=late"/],
        ['12,phase=endgame,phase=endgame', /each phase once/], ['999999999', /set "999999999": no such player/],
        [`${id.Fischer},event=99999`, /event: expected the id of an event/], ['<script>', /the id of a player, got .+ at character 1/],
        ['1'.repeat(201), /up to 12 texts of at most 200 bytes/], ["12'; DROP TABLE game", /at character 1/]];
    for (const [set, says] of cases) {
        const r = await site.get(`/api/v1/careers?set=${encodeURIComponent(set)}`);
        assert.equal(r.status, 400, set);
        assert.match((await r.json()).detail, says);
        const page = await site.get(`/careers?set=${encodeURIComponent(set)}`, { headers: { accept: 'text/html' } });
        assert.equal(page.status, 400);
        assert.doesNotMatch(await page.text(), /<script>[^<]*at character|DROP TABLE game<\/script>/);
    }
    assert.equal((await site.get(`/api/v1/careers?${'set=1&'.repeat(13)}`)).status, 400);
});

test('the page of a player begins with the career', async (t) => {
    const { page } = await open(t, `/players/${id.Botvinnik}`);

    await drawn(page);
    assert.match(await page.innerText('.verdict'), /^Botvinnik peaked from 19\d\d to 19\d\d at \d{4}, by the moves\. The best three years may have been any from 19\d\d to 19\d\d \(95%\)\.$/);
    assert.equal(await page.getByRole('link', { name: 'Compare with other careers' }).getAttribute('href'),
        `/careers?set=${id.Botvinnik}`);
    const headings = await page.locator('main h2').allInnerTexts();
    assert.equal(headings[0], 'Career');
});

test('the page of a player has the best game, the costliest error, the hardest move and the rival', async (t) => {
    const { page } = await open(t, `/players/${id.Fischer}`); // of his games those against Spassky have their moves
    const tiles = Object.fromEntries(await page.locator('.notable > div').evaluateAll((all) => all.map((tile) =>
        [tile.querySelector('dt').textContent, { text: tile.querySelector('dd').textContent, to: tile.querySelector('a').getAttribute('href') }])));
    const { list } = await site.json(`/api/v1/profile?player=${id.Fischer}&year=1972`);
    const [best] = list.filter(({ points, moves }) => points === 1 && moves >= 20).sort((a, b) => a.lost - b.lost);
    const { moves } = await site.json(`/api/v1/moves?player=${id.Fischer}&year=1972&limit=500`);
    const [worst] = moves.filter(({ mark }) => mark === 'blunder').sort((a, b) => b.points_lost - a.points_lost);
    const met = async (opponent) => (await site.json(`/api/v1/games?player=${id.Fischer}&opponent=${opponent}&limit=100`)).games;
    const [, rival] = tiles['Main rival'].to.match(new RegExp(`^/careers\\?set=${id.Fischer}&set=(\\d+)$`));
    const games = await met(rival);
    const [won, lost, drawn] = [['1-0', '0-1'], ['0-1', '1-0'], ['1/2-1/2', '1/2-1/2']].map(([white, black]) =>
        games.filter((game) => game.result === (game.white.id === id.Fischer ? white : black)).length);

    assert.match(tiles['Best game won'].to, new RegExp(`^/games/${best.id}$`));
    assert.match(tiles['Costliest error'].to, new RegExp(`^/games/${worst.game.id}\\?ply=${worst.ply}#`));
    assert.match(tiles['Costliest error'].text, /\?\? against Spassky 1972$/);
    const [found] = tiles['Hardest move'].text.match(/^\d+(\. |…)\S+?!!?(?= against \S+ \d{4}$)/);
    assert.match(tiles['Main rival'].text, new RegExp(`^\\w+: ${won} won, ${lost} lost, ${drawn} drawn$`));
    for (const name of names.slice(1)) assert.ok((await met(id[name])).length <= games.length, name);
    await page.goto(site.base + tiles['Hardest move'].to);
    assert.ok((await page.innerText('main')).replace(/\s+/g, ' ').includes(found.replace(/^\d+\W+/, '')), `${found} is marked in the game`);
});

test('a year has its strength beside the rating of its games, and says once that it has no boards', async (t) => {
    const { path } = await site.json(`/api/v1/players/${id.Fischer}`);
    const strength = (of) => Math.round(path.find(({ year }) => year === of).estimate);
    const { page } = await open(t, `/players/${id.Fischer}/1972`);
    assert.match(await page.innerText('.headline'), new RegExp(`By this year’s games alone\\. Strength in 1972 by the games of all years: ${strength(1972)}\\.`));
    assert.equal(await page.getByText('No boards yet').count(), 0);
    await page.goto(`${site.base}/players/${id.Fischer}/1970`); // of these games only figures are here
    assert.match(await page.innerText('.headline'), new RegExp(`Strength in 1970 by the games of all years: ${strength(1970)}\\.`));
    const text = await page.locator('main').evaluate((main) => main.textContent);
    assert.equal(text.match(/no boards?\b|not stored/gi).length, 1, 'once');
    await page.getByRole('link', { name: 'Add their PGN' }).click();
    assert.equal(await page.locator('form#games').count(), 1);
});

test('the page of a player without moves has no tile but that of the rival', async (t) => {
    const { page } = await open(t, `/players/${(await site.json('/api/v1/players?q=donner')).players[0].id}`);
    assert.match(await page.innerText('.notable'), /^Main rival\s+Euwe: 0 won, \d+ lost, \d+ drawn$/);
    const few = (await site.json('/api/v1/players?q=polgar')).players.find(({ games }) => games < 10);
    await page.goto(`${site.base}/players/${few.id}`);
    assert.equal(await page.locator('.notable > div').count(), 0);
});

test('the page stands with lines in one plot and in small multiples', async (t) => {
    for (const n of [5, 12])
        await stands(t, `careers-${n}`, `${site.base}/careers?${sets(n)}`, /Each player as a whole/);
});

test('a list says of every event what its page says: whether games are missing', async () => {
    const differ = [];
    let all = [], after = '';
    do {
        const { events, next } = await site.json(`/api/v1/events?limit=500${after && `&after=${after}`}`);
        all = [...all, ...events];
        after = next;
    } while (after);
    for (const { id, name, part } of all) {
        const { incomplete, only_player: only } = await site.json(`/api/v1/events/${id}?limit=1`);
        if (Boolean(incomplete ?? only) !== part) differ.push(`${name}: ${part}, ${incomplete}`);
    }
    assert.ok(all.length > 500 && all.some(({ part }) => part) && all.some(({ part }) => !part));
    assert.deepEqual(differ, []);
});

test('a player-year is compared with the other years, and names the recommended predictor', async (t) => {
    const all = await Promise.all(names.map((name) => site.json(`/api/v1/careers?set=${id[name]}`)));
    const { player, years } = all.map(({ sets: [set] }) => set).find(({ years: of }) => of.filter(enough).length > 2);
    const { page } = await open(t, `/players/${player.id}/${years.find(({ rating }) => rating?.turns >= 150).year}`);
    const { recommended } = await site.json('/api/v1/predictors');
    const compared = years.filter(enough).length;
    await page.getByText('Details').click();
    const section = await page.innerText('#details');
    const [, others, of] = section.match(/the mean of (\d+) others, 95% interval .+ among (\d+) equally strong years one stands out/);
    assert.deepEqual([Number(others), Number(of)], [compared - 1, compared]);
    assert.ok(section.includes(recommended.text));
});

const rated = async (set) => (await site.json(`/api/v1/careers?set=${set}`)).sets[0];

test('phases of a set add up to the whole, in the answer and on the page', async (t) => {
    const event = (await site.json('/api/v1/events?q=championship&year=1972')).events[0].id;
    const of = `${id.Fischer},event=${event}`;
    const whole = await rated(of);
    const parts = [];
    for (const phase of ['opening', 'middlegame', 'endgame']) parts.push(await rated(`${of},phase=${phase}`));
    const late = await rated(`${of},phase=middlegame,phase=endgame`);
    const all = await rated(`${of},phase=endgame,phase=opening,phase=middlegame`);

    assert.equal(parts.reduce((sum, { rating }) => sum + rating.turns, 0), whole.rating.turns);
    assert.equal(late.rating.turns, parts[1].rating.turns + parts[2].rating.turns);
    assert.equal(late.label, 'Fischer, World Championship 28th, without the opening');
    assert.equal(all.set, of);
    assert.deepEqual(all.rating, whole.rating);
    for (const [i, phase] of ['opening', 'middlegame', 'endgame'].entries()) {
        assert.deepEqual(parts[i].phases, [phase]);
        // The moves that count are those of the list of moves in that phase.
        const { moves } = await site.json(`/api/v1/moves?player=${id.Fischer}&event=${event}&phase=${phase}&limit=1000`);
        assert.equal(moves.filter(({ score }) => score !== null).length, parts[i].rating.turns, phase);
    }
    const { page } = await open(t, `/careers?set=${of},phase=endgame&set=${of}`);
    assert.match(await page.innerText('h1'), /^Careers: Fischer, World Championship 28th, endgame, Fischer, World Championship 28th$/);
    await page.getByText('Details').click();
    assert.ok((await page.locator('[aria-labelledby="set-1"] tbody tr').first().innerText())
        .includes(String(Math.round(parts[2].rating.estimate))));
});

test('a phase of games without moves has no rating, and says why', async (t) => {
    const { players: [{ id: carlsen }] } = await site.json('/api/v1/players?q=Carlsen&limit=1');
    const { rating, games_without_moves: without } = await rated(`${carlsen},phase=endgame`);

    assert.match(rating.reason, /^a phase needs the moves, and of [\d,]+ games only figures are stored$/);
    assert.ok(without > 0);
    const { page } = await open(t, `/careers?set=${carlsen},phase=endgame`);
    assert.match(await page.innerText('main'), /No rating of Carlsen, endgame: a phase needs the moves, and of [\d,]+ games only figures are stored/);
    const mixed = await rated(`${id.Kasparov},phase=middlegame`);
    assert.ok(mixed.rating.turns > 0 && mixed.games_without_moves > 0);
    assert.match(mixed.finding, /by the moves in the middlegame of the games whose moves are stored\./);
    assert.doesNotMatch(mixed.finding, /all games/);
    const again = await open(t, `/careers?set=${id.Kasparov},phase=middlegame`);
    assert.match(await again.page.innerText('main'), /games of which only figures are stored are not in it, as a phase needs the moves/);
});

test('the form offers event, opponent, upload, colour and phase, without JavaScript', async (t) => {
    const { page } = await open(t, '/careers', { javaScriptEnabled: false });
    const event = (await site.json('/api/v1/events?q=championship&year=1972')).events[0].id;

    const more = () => page.getByText('Phase, opponent, event, upload').click();
    await more();
    await page.getByLabel('Add a player').fill('Fischer');
    await page.getByLabel('Against', { exact: true }).fill('Spassky');
    await page.getByLabel('Event', { exact: true }).fill('championship');
    await page.getByLabel('Colour').selectOption('black');
    await page.getByLabel('Phase', { exact: true }).selectOption('without the opening');
    await page.getByRole('button', { name: 'Find' }).click();
    assert.equal(await page.getByLabel('Phase', { exact: true }).inputValue(), 'middlegame,endgame');
    await page.getByRole('link', { name: /^Add Bobby Fischer, Black, World Championship 28th against Spassky, without the opening/ }).click();
    assert.deepEqual(new URL(page.url()).searchParams.getAll('set'),
        [`${id.Fischer},color=black,event=${event},opponent=${id.Spassky},phase=middlegame,phase=endgame`]);
    assert.match(await page.innerText('main'), /\d{4} is the rating of these games by the moves in the middlegame and endgame/);

    await more();
    await page.getByLabel('Add a player').fill('Fischer');
    await page.getByLabel('Against', { exact: true }).fill('Carlsen');
    await page.getByRole('button', { name: 'Find' }).click();
    assert.match(await page.innerText('main'), /No games of such a set are stored: the player is found/);
    await page.goto(`${site.base}/careers`);
    await more();
    await page.getByLabel('Add a player').fill('Fischer');
    await page.getByLabel('Upload', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Find' }).click();
    assert.match(await page.innerText('main'), /Add Bobby Fischer, upload 1|No games of such a set are stored/);
});

test('the form suggests opponents and events, and the player adds the set', async (t) => {
    const { page, complaints } = await open(t, '/careers');
    const choose = async (label, text, option) => {
        await page.getByLabel(label, { exact: true }).fill(text);
        await page.getByRole('option', { name: option }).first().click();
    };
    const event = (await site.json('/api/v1/events?q=championship&year=1972')).events[0];

    await page.getByText('Phase, opponent, event, upload').click();
    await choose('Against', 'Spassky', /^Spassky/);
    assert.match(await page.getByLabel('Against', { exact: true }).inputValue(), /^Spassky/);
    await choose('Event', event.name, event.name);
    await page.getByLabel('Phase', { exact: true }).selectOption('endgame');
    await choose('Add a player', 'Fischer', /^Fischer, Robert J/);
    await page.waitForURL(/set=/);
    assert.deepEqual(new URL(page.url()).searchParams.getAll('set'), [`${id.Fischer},event=${event.id},opponent=${id.Spassky},phase=endgame`]);
    // A name that is typed and not chosen is looked up by the form.
    await page.getByText('Phase, opponent, event, upload').click();
    await page.getByLabel('Against', { exact: true }).fill('Karpov');
    await choose('Add a player', 'Kasparov', /^Kasparov/);
    await page.waitForURL(/opponent=Karpov/);
    await page.getByRole('link', { name: /^Add .*Kasparov.* against Karpov/ }).first().click();
    assert.equal(new URL(page.url()).searchParams.getAll('set').length, 2);
    assert.deepEqual(complaints, []);
});

const lineLabels = (page) => page.locator('figure.careers .line-label text, figure.careers text.line-label');

/** No two names in the picture meet, those of sets and those of lines. */
async function clear(page, n) {
    const all = [];
    for (const one of await page.locator('figure.careers').locator('.end-label text, text.end-label, .line-label text, text.line-label').all())
        all.push({ text: await one.textContent(), box: await one.boundingBox() });
    assert.equal(all.length, n);
    for (const [i, a] of all.entries())
        for (const b of all.slice(i + 1)) assert.ok(!meet(a.box, b.box), `${a.text} and ${b.text} overlap`);
}

test('Elo and the strength from results are labelled, and names do not overlap', async (t) => {
    const player = await open(t, `/players/${id.Kasparov}`);
    await drawn(player.page);
    assert.deepEqual((await lineLabels(player.page).allTextContents()).sort(), ['Elo', 'from results']);
    for (const n of [1, 2]) { // each line has its name
        const { page } = await open(t, `/careers?${sets(n)}`);
        await drawn(page);
        const { sets: all } = await site.json(`/api/v1/careers?${sets(n)}`);
        const lines = all.flatMap(({ years }) => [years.some(({ elo }) => elo !== null) ? ['Elo'] : [],
            years.some(({ results_strength: r }) => r && !r.unscaled) ? ['from results'] : []]).flat();
        assert.deepEqual((await lineLabels(page).allTextContents()).sort(), lines.sort());
        await clear(page, n + lines.length);
    }
    const { page } = await open(t, `/careers?${sets(6)}`); // the first picture names its lines
    await drawn(page);
    assert.deepEqual((await lineLabels(page).allTextContents()).sort(), ['Elo', 'from results']);
    await clear(page, 8);
});

const boxOf = async (one) => one.boundingBox();

test('years are at the top and at the bottom, and names at the ends of their lines', async (t) => {
    for (const [where, width] of [[`/players/${id.Fischer}`, 1280], [`/players/${id.Fischer}`, 390], [`/careers?${sets(3)}`, 1280], [`/careers?${sets(6)}`, 1280]]) {
        const { page } = await open(t, where, { width });
        await drawn(page);
        const years = page.locator('figure.careers svg g[aria-hidden] text, figure.careers svg text').filter({ hasText: /^19[0-9]0$/ });
        const heights = [];
        for (const one of await years.all()) heights.push((await boxOf(one)).y);
        const picture = await boxOf(page.locator('figure.careers svg').first());
        assert.ok(heights.some((y) => y < picture.y + 60), `${where}: years at the top`);
        assert.ok(heights.some((y) => y > picture.y + picture.height - 60), `${where}: years at the bottom`);
    }
});

test('in the picture of one player a name stands at the end of its line', async (t) => {
    const value = { Elo: ({ elo }) => elo, 'from results': ({ results_strength: r }) => (r?.unscaled ? null : r?.estimate) };
    const lines = [];
    for (const name of names) {
        const { sets: [{ years }] } = await site.json(`/api/v1/careers?set=${id[name]}`);
        const [first, last] = [years[0].year, years.at(-1).year];
        for (const [text, of] of Object.entries(value)) {
            const own = years.filter((y) => typeof of(y) === 'number').map(({ year }) => year);
            const end = own.findLast((y) => own.includes(y - 1));
            if (end && last - end >= 10) lines.push({ name, text, share: (end - first) / (last - first) });
        }
    }
    assert.ok(lines.length > 0, 'a line ends well before the last year');
    for (const { name, text, share } of lines.slice(0, 3)) {
        const { page } = await open(t, `/players/${id[name]}`);
        await drawn(page);
        const frame = await boxOf(page.locator('figure.careers svg').first());
        const label = await boxOf(lineLabels(page).filter({ hasText: text }).first());
        assert.ok(label.x < frame.x + 60 + share * (frame.width - 60), `${name}, ${text}`);
        assert.equal(await page.locator('figure.careers .leader line, figure.careers .leader path').count(), 0);
    }
});

test('of more than two sets in a picture Elo and the strength from results are drawn on request', async (t) => {
    for (const n of [3, 5]) {
        const { page } = await open(t, `/careers?${sets(n)}`);
        await drawn(page);
        assert.equal(await lineLabels(page).count(), 0);
        await clear(page, n);
        const lines = () => page.locator('figure.careers [stroke-dasharray="5 3"], figure.careers [stroke-dasharray="0.1 4"]').count();
        assert.equal(await page.locator('figure.careers [stroke-dasharray="5 3"] path').count(), 0);
        await page.getByLabel('Draw Elo and the strength from results, too').check();
        await lineLabels(page).first().waitFor();
        assert.ok(await lines() > 0);
        await clear(page, n + await lineLabels(page).count());
        await page.getByLabel('Draw Elo and the strength from results, too').uncheck();
        await clear(page, n);
    }
    for (const width of [1280, 390]) { // more than five have them
        const { page } = await open(t, `/careers?${sets(6)}`, { width });
        await drawn(page);
        assert.ok(await lineLabels(page).count() > 0);
        assert.equal(await page.locator('.beside').count(), 0);
    }
    const { page } = await open(t, `/careers?${sets(3)}`, { width: 390 }); // on request also in a picture each
    await drawn(page);
    assert.equal(await lineLabels(page).count(), 0);
    await page.getByLabel('Draw Elo and the strength from results, too').check();
    await lineLabels(page).first().waitFor();
});

test('of small pictures a key above them says what the lines are, and no label is on data', async (t) => {
    for (const width of [1280, 390]) {
        const { page } = await open(t, `/careers?${sets(6)}`, { width });
        await drawn(page);
        const top = Math.min(...await page.locator('figure.careers [aria-label="frame"] rect, figure.careers svg > g rect').evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect().top)));
        const key = await lineLabels(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, bottom }) => ({ left, bottom })));
        assert.equal(key.length, 2);
        assert.ok(key.every(({ bottom }) => bottom < top), `${width}: ${JSON.stringify(key)} above ${top}`);
        const samples = await page.locator('figure.careers .line-key path').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
        assert.ok(samples.every((right, i) => right < key[i].left), `${width}: names beside their lines`);
    }
});

test('on a phone the lead and the beginning of the picture are in the first screen', async (t) => {
    for (const n of [2, 3, 6]) {
        const { page } = await open(t, `/careers?${sets(n)}`, { width: 390 });
        await drawn(page);
        assert.ok(await page.locator('.verdict').evaluate((one) => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)) <= 5.5, `${n}: five lines`);
        assert.ok((await boxOf(page.locator('figure.careers svg').first())).y < 844 - 150, `${n}`);
    }
});

test('a year of few moves is an open point with its whole interval, and the caption says so', async (t) => {
    const { sets: [{ years }] } = await site.json(`/api/v1/careers?set=${id.Fischer}:1950-2000,color=white`);
    const few = years.filter(({ rating }) => typeof rating?.estimate === 'number' && rating.turns < 150);
    assert.ok(few.length > 0);
    for (const [where, figure] of [[`/careers?set=${id.Fischer}:1950-2000,color=white`, 'careers']]) {
        const { page } = await open(t, where);
        await page.waitForSelector(`#figure-${figure}.drawn svg`);
        const points = page.locator(`#figure-${figure} g.few circle, #figure-${figure} .few circle`);
        assert.equal(await points.count(), few.length, where);
        assert.equal(await page.locator(`#figure-${figure} .few`).first().getAttribute('fill') ??
            await points.first().getAttribute('fill'), 'var(--paper)');
        assert.equal(await page.locator(`#figure-${figure} .few-interval line`).count(), few.length);
        assert.match(await page.locator(`#figure-${figure} figcaption`).innerText(), /years of fewer than 150 moves/);
    }
});

test('without a set the page says first what to do', async (t) => {
    const { page } = await open(t, '/careers');
    assert.match(await page.innerText('.verdict'), /^Type a name below to draw a player’s strength/);
});

test('of all games of a player the picture has the path through all years, and the table the peak', async (t) => {
    const player = await carlsen(), query = `set=${player}&set=${id.Kasparov}`;
    const { sets: [{ peak, path, years }], against } = await site.json(`/api/v1/careers?${query}`);

    assert.deepEqual(path.map(({ year }) => year), path.map((_, i) => path[0].year + i)); // also without games
    assert.ok(path.every(({ estimate: e, interval: { low, high } }) => low < e && e < high && high - low < 600));
    assert.ok(Math.abs(Math.max(...path.filter(({ carried }) => !carried).map(({ estimate }) => estimate)) - peak.estimate) < 60);
    assert.ok(peak.to - peak.from <= 2 && years.some(({ year }) => year === peak.from) && years.some(({ year }) => year === peak.to));
    assert.deepEqual(against.map(({ label }) => label), ['Carlsen', 'Kasparov']);
    const { page } = await open(t, `/careers?${query}`);
    await drawn(page);
    const row = page.locator('section:has(#sets-title) tbody tr').filter({ has: page.locator('th', { hasText: 'Carlsen' }) });
    assert.match(await row.locator('td[data-label="peak"]').innerText(), new RegExp(`^${peak.from}(–${peak.to})?$`));
    assert.match(await row.locator('td[data-label="strength"]').innerText(), new RegExp(`^${Math.round(peak.estimate)}`));
    const points = page.locator('#figure-careers g.year circle, #figure-careers .year circle');
    assert.ok(await points.count() >= years.filter(({ rating }) => rating?.estimate).length);
    assert.doesNotMatch(await page.innerText('main'), /null|NaN/);
});

test('a refused form keeps what was typed, and marks the field', async (t) => {
    const cases = [['from=19x', 'From year', '19x', /a whole number from 1 to 9999, got "19x"/],
        ['from=1980&to=1970', 'From year', '1980', /at most 1970, the value of to, got "1980"/], ['upload=x', 'Upload', 'x', /whole number/]];
    for (const [query, label, value, says] of cases) {
        const { page, status } = await open(t, `/careers?set=${id.Fischer}&by=age&q=tal&color=white&opponent=Karpov&${query}`, { javaScriptEnabled: false });
        assert.equal(status, 400);
        const field = page.getByLabel(label, { exact: true });
        assert.deepEqual([await field.inputValue(), await field.getAttribute('aria-invalid')], [value, 'true']);
        assert.match(await field.getAttribute('aria-describedby'), /\brefused$/);
        assert.match(await page.innerText('#refused'), says);
        assert.ok((await page.innerText('#refused')).startsWith(`${label}:`));
        assert.equal(await page.getByLabel('Add a player').inputValue(), 'tal');
        assert.equal(await page.getByLabel('Colour').inputValue(), 'white');
        assert.equal(await page.getByLabel('Against', { exact: true }).inputValue(), 'Karpov');
        await field.fill('');
        await page.getByRole('button', { name: 'Find' }).click();
        const { searchParams } = new URL(page.url());
        assert.deepEqual([searchParams.get('set'), searchParams.get('by'), searchParams.get('q')], [String(id.Fischer), 'age', 'tal']);
        assert.match(await page.innerText('main'), /Add .*Tal|No games of such a set are stored: the player is found/);
    }
});

test('a refused set is marked among the others, and can be mended', async (t) => {
    for (const wrong of ['12:19x', '999999999', `${id.Tal},event=99999`]) {
        const { page, status } = await open(t, `/careers?set=${id.Fischer}&set=${encodeURIComponent(wrong)}`, { javaScriptEnabled: false });
        assert.equal(status, 400);
        const fields = page.getByLabel('Games of one player, as text', { exact: true });
        assert.deepEqual(await fields.evaluateAll((all) => all.map((one) => [one.value, one.ariaInvalid])), [[String(id.Fischer), null], [wrong, 'true']]);
        await fields.nth(1).fill(String(id.Tal));
        await page.getByRole('button', { name: 'Show' }).click();
        assert.match(await page.innerText('h1'), /^Careers: Fischer, Tal$/);
    }
});
