// The pages in a real browser, with the shipped samples: they draw what they say, work without
// JavaScript, are accessible, and break no rule of their own content policy.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { close, launch, open as openAddress } from './browser.mjs';
import { freshDatabase, root, run, serve, until } from './lib.mjs';
import { sampleGames, threeGames } from './games.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site, url, fischer, spassky, game, match;

before(async () => {
    url = freshDatabase(suite);
    for (const name of ['standard', 'regan-haworth-2011'])
        run(['calibrate', `--load=${root}/static/calibrations/${name}.json.zst`], url);
    const judged = path.join(root, 'static/samples/judged');
    run(['import', ...readdirSync(judged).map((f) => path.join(judged, f)),
        path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst')], url);
    site = await serve(suite, url, { INTRINSIC_WORKERS: '1' });
    await launch();
    [{ id: fischer }] = (await site.json('/api/v1/players?q=fischer')).players;
    [{ id: spassky }] = (await site.json('/api/v1/players?q=spassky')).players;
    [{ id: match }] = (await site.json('/api/v1/events?q=championship&year=1972')).events;
    [{ id: game }] = (await site.json(`/api/v1/players/${fischer}/ratings?year=1972`)).game_list;
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, { base = site.base, ...options } = {}) => openAddress(t, base + where, options);

const pages = [
    ['dashboard', () => '/', /Fischer/],
    ['players', () => '/players?q=petrosian', /Petrosian played at \d{4} by the moves|The player is not rated|None of the \d players shown is rated/],
    ['doubtful', () => '/players/doubtful', /pairs? of names (is|are) so similar|No two names are/],
    ['player', () => `/players/${fischer}`, /Bobby Fischer/],
    ['player_year', () => `/players/${fischer}/1972`, /1972/],
    ['player_year_methods', () => `/players/${fischer}/1972#figure-losses`, /Losing at most 0.30, weighted/],
    ['player_year_fits', () => `/players/${fischer}/1972#parameters-title`, /Sensitivity s/],
    ['events', () => '/events?q=world+28', /1 event of 1972, (none )?with games analysed\.[^]*World Championship 28th/],
    ['uploads', () => '/uploads?limit=5', /The 5 files listed contain [\d,]+ games[^]*\.ndjson\.zst/],
    ['event', () => `/events/${match}`, /Bobby Fischer[^]*12\.5 \/ 21/],
    ['event_player', () => `/events/${match}/players/${fischer}`, /Bobby Fischer[^]*Not tested: [^]*12.5 points[^]*Boris Spassky[^]*black/],
    ['game', () => `/games/${game}`, /Fischer[^]*World Championship 28th/],
    ['moves', () => `/moves?player=${fischer}&year=1972`, /costliest of/],
    ['compare', () => `/compare?white=${fischer}:1972&black=${spassky}:1972`, /Spassky/],
    ['compare_form', () => '/compare', /compare/i],
    ['calibrations', () => '/calibrations', /2 calibrations are stored; the default is standard\. The calibration standard is for moves/],
    ['calibration', () => '/calibrations/standard', /13 groups of rated players \(18,211 moves of 603 games\)/],
    ['validation', () => '/validation', /A rating from 30 games is within \d+ points of the player.{1,6}s Elo in 19 of 20 cases[^]*1,000 moves give the rating with a standard deviation of \d+ Elo/],
    ['glossary', () => '/glossary', /Player-year/],
    ['predictors', () => '/predictors', /on [\d,\s]+ games of \d+ champions/],
    ['time_controls', () => '/time-controls', /No answer yet: no analysed game is known/],
    ['calibration_published', () => '/calibrations/regan-haworth-2011', /Rybka 3/],
];

test('pages say what they are about', async () => {
    for (const [name, where, expected] of pages) {
        const response = await fetch(site.base + where(), { headers: { accept: 'text/html' } });
        assert.equal(response.status, 200, name);
        const text = (await response.text()).replaceAll(/<[^>]*>/g, '');
        assert.match(text, expected, name);
        assert.doesNotMatch(text, /\b(nan|null|undefined)\b/i, name);
    }
});


test('the page of predictors begins with the recommended one and the best of those from moves', async (t) => {
    const { finding, recommended: { with_elo: best }, tables: [table] } = await site.json('/api/v1/predictors');
    const [closest] = table.predictors.filter(({ predictor }) => !/^(even|elo)/.test(predictor))
        .sort((a, b) => a.corrected_log_loss - b.corrected_log_loss);
    assert.equal(best.predictor, 'elo');
    assert.ok(finding.startsWith(`Elo predicts results best: on ${best.games.toLocaleString('en-US')} games of ${best.champions} champions`), finding);
    assert.ok(finding.includes(`${closest.title}, is ${closest.difference.toFixed(4)} higher, 95% interval ` +
        `${closest.interval.low.toFixed(4)} to ${closest.interval.high.toFixed(4)}`), finding);
    const { page } = await open(t, '/predictors');
    assert.equal(await page.innerText('h1 + p'), finding);
    await page.locator('#figure-predictors.drawn svg').waitFor();
});

test('the glossary: in the order of the alphabet, and every link to it leads to a term', async () => {
    const { terms } = await site.json('/api/v1/glossary');
    const names = terms.map(({ term }) => term.toLowerCase());
    assert.deepEqual(names, [...names].sort());
    const html = await (await fetch(`${site.base}/glossary`)).text();
    for (const { id, more } of terms) {
        assert.equal(html.split(`<dt id="${id}">`).length, 2, id);
        if (more) assert.equal((await fetch(site.base + more)).status, 200, more);
    }
    const templates = execFileSync('grep', ['-rhoE', '/glossary#[a-z-]+', path.join(root, 'templates')], { encoding: 'utf8' });
    const linked = new Set(templates.trim().split('\n').map((link) => link.slice('/glossary#'.length)));
    assert.ok(linked.size >= 5);
    for (const id of linked) assert.ok(terms.some((term) => term.id === id), id);
});

test('the interval is drawn, and says what the API says', async (t) => {
    const api = await site.json(`/api/v1/players/${fischer}/ratings?year=1972`);
    const { page } = await open(t, `/players/${fischer}/1972`);
    const text = await page.innerText('main');
    for (const v of [api.ipr.estimate, api.ipr.interval.low, api.ipr.interval.high])
        assert.ok(text.replaceAll(/[,\u2009\u202f\u00a0]/g, '').includes(String(Math.round(v))), `${v} is on the page`);
    assert.ok(await page.locator('svg').count() >= 1);
    assert.ok(text.includes(String(api.ipr.turns)) && text.includes(String(api.ipr.games)));
});

test('a player-year begins with its answer; an address within what is folded opens it', async (t) => {
    for (const [width, height] of [[1280, 900], [390, 844]]) {
        const { page } = await open(t, `/players/${fischer}/1972`, { viewport: { width, height } });
        for (const answer of ['.verdict', '.headline .big', '.headline svg.headline-plot']) {
            const { y, height: tall } = await page.locator(answer).boundingBox();
            assert.ok(y + tall < height, `${answer} is on the first screen at ${width}`);
        }
        assert.equal(await page.locator('details[open]').count(), 0);
        assert.equal(await page.getByText('Details').isVisible(), true, 'what is folded is named');
    }
    const { page: career } = await open(t, `/players/${fischer}`);
    assert.equal(await career.locator('.fold').first().evaluate((fold) => getComputedStyle(fold).borderTopWidth), '1px',
        'what is folded is set apart on the page of a player, too');
    const { page: plain } = await open(t, `/players/${fischer}/1972`, { javaScriptEnabled: false });
    await plain.getByText('Details').click();
    await plain.getByText('For statisticians').click();
    assert.ok(await plain.getByText('Sensitivity s').isVisible());
    const { page, complaints } = await open(t, `/players/${fischer}/1972`);
    for (const [id, fold] of [['figures-title', 'other-methods'], ['complexity-title', 'statisticians'], ['stored-title', 'games']]) {
        await page.evaluate((hash) => { location.hash = hash; }, id);
        await page.locator(`#${fold}[open] #${id}`).waitFor();
    }
    await page.goto(`${site.base}/players/${fischer}/1972?include=fits#more`);
    assert.ok(await page.locator('#fits-title').isVisible());
    assert.deepEqual(complaints, []);
});

test('on paper: no forms, a board with its squares, light colours whatever the screen has', async (t) => {
    const { page } = await open(t, `/players/${fischer}/1972`, { colorScheme: 'dark' });
    const { game_list: [{ id }] } = await site.json(`/api/v1/players/${fischer}/ratings?year=1972`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const address of ['/players', '/events', '/compare']) {
        await page.goto(site.base + address);
        assert.equal(await page.locator('main form:visible').count(), 0, address);
    }
    await page.goto(`${site.base}/careers?set=${fischer}`);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--set-1')), '#0b5a69');
    await page.goto(`${site.base}/games/${id}`);
    await page.locator('cg-board').waitFor();
    assert.equal(await page.locator('cg-board').evaluate((board) => getComputedStyle(board).printColorAdjust), 'exact');
    const { width } = await page.locator('#board').boundingBox(), inner = await page.locator('cg-container').boundingBox();
    assert.ok(inner.width <= width, `${inner.width} of ${width}`);
});

test('the validation shows what the test of an event finds, and how often it flags somebody else', async () => {
    const { planted } = await site.json('/api/v1/validation');
    const html = await (await fetch(`${site.base}/validation`)).text();
    const table = html.match(/aria-label="What the test of an event finds">[^]*?<\/table>/)[0];
    const rows = planted.rows.filter(({ engine }) => engine === 'close'), percent = (x) => `${(100 * x).toFixed(0)}%`;
    assert.deepEqual(rows.map(({ elo, share }) => [elo, share]),
        [1400, 1800, 2200].flatMap((elo) => [0.3, 0.5, 1].map((share) => [elo, share])));
    assert.deepEqual([...table.matchAll(/<tr><th scope="row"[^>]*>(.*?)<\/th>(.*?)<\/tr>/g)].map(([, elo, cells]) =>
        [elo, ...[...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)]),
    rows.map(({ elo, share, after }) =>
        [`${elo}`, percent(share), ...after.map(({ first, flagged }) => `<strong>${percent(flagged)}</strong> (${percent(first)})`)]));
    for (const { flagged, flagged_interval: { low, high } } of planted.others)
        assert.ok(low < flagged && flagged < high && flagged < 0.05, 'Holm keeps what it promises');
    const [three, six, nine] = planted.others.map(({ flagged }) => `${(100 * flagged).toFixed(1)}%`);
    assert.ok(html.includes(`Somebody else is flagged in ${three}, ${six} and ${nine} of the Swisses after 3, 6 and 9 rounds.`));
    // The first sentence holds, and nobody is taken for a user who takes no move.
    for (const { share, after } of rows)
        for (const { first, flagged, rounds } of after) assert.ok(flagged <= first && (share < 1 || flagged > (rounds < 6 ? 0.75 : 0.99)));
    for (const { after } of planted.rows.filter(({ share }) => share === 0))
        for (const [i, { flagged }] of after.entries()) assert.ok(flagged <= planted.others[i].flagged);
});

test('the validation shows formulas of other programs beside the rating, each with its errors', async () => {
    const { neighbours: { rows, sides } } = await site.json('/api/v1/validation');
    const html = await (await fetch(`${site.base}/validation`)).text();
    const [, section] = html.match(/<span id="neighbours">([^]*?)<\/details>/);
    const row = (name) => rows.find(({ estimate }) => estimate === name);
    for (const { estimate, mae, mae_error, levels } of rows) {
        assert.ok(section.includes(`<th scope="row">${estimate.replaceAll("'", '&#39;')}</th>`), estimate);
        assert.ok(section.includes(`${Math.round(mae)} ± ${mae_error.toFixed(1)}`), `${estimate}: ${mae}`);
        assert.equal(levels.length, 6);
        for (const level of levels) assert.ok(section.includes(`>${Math.round(level.mae)} (`), `${estimate}: ${level.mae}`);
    }
    assert.ok(section.includes(sides.toLocaleString('en')));
    for (const name of ['lichessTools', 'wintrchess (proposed)', 'En Croissant (proposed) and Chesskit'])
        assert.ok(row(name).mae > row(`${name}, then a line`).mae, 'a line fitted to the players can only help');
    assert.ok(Math.min(...rows.slice(0, -1).map(({ mae }) => mae)) > 1.2 * row("Intrinsic, with the pool's prior").mae);
});

test('the figures that the benchmark is computed from can be downloaded from its page', async () => {
    const { data, same_games } = await site.json('/api/v1/validation');
    const html = await (await fetch(`${site.base}/validation`)).text();
    const files = [...html.matchAll(/href="(\/static\/calibrations\/[^"]+)"/g)].map(([, file]) => file);
    const digest = async (wanted) => {
        const sum = createHash('sha256');
        for (const file of files.filter((f) => f.includes(wanted))) {
            const packed = Buffer.from(await (await fetch(site.base + file)).arrayBuffer());
            sum.update(execFileSync('zstd', ['-dcq'], { input: packed, maxBuffer: 1 << 28 }));
        }
        return sum.digest('hex');
    };
    const digests = [await digest('/rating.'), await digest('/standard.')];
    assert.deepEqual(digests, [data.digest, same_games.digest]);
});

test('a tournament says what the API says, without JavaScript too, and draws it', async (t) => {
    const api = await site.json(`/api/v1/events/${match}`);
    const figures = api.players.flatMap((p) => [p.ipr.estimate, p.ipr.interval.low, p.ipr.interval.high,
        p.performance.estimate, p.performance.interval.low, p.elo.estimate]).map((x) => String(Math.round(x)));
    assert.equal(api.players.length, 2);
    assert.equal(api.comparisons.compared, 2);
    for (const javaScriptEnabled of [false, true]) {
        const { page } = await open(t, `/events/${match}`, { javaScriptEnabled });
        const text = await page.textContent('main'); // other methods are folded
        for (const figure of figures) assert.ok(text.includes(figure), `${figure} is on the page`);
        assert.match(text, /2 performances compared/);
        if (!javaScriptEnabled) continue;
        await page.locator('#other-methods > summary').click();
        const drawing = page.locator('figure[data-plot*="/event."] svg[aria-label^="Ratings"]');
        if (existsSync(path.join(root, 'static/vendor/plot.umd.min.js'))) await drawing.waitFor();
    }
    const { page } = await open(t, `/games/${game}`);
    await Promise.all([page.waitForURL(`**/events/${match}/world-championship-28th`),
        page.locator('.heading a[href^="/events/"]').click()]);
});

test('from the overview to all uploads, page after page', async (t) => {
    const { uploads } = await site.json('/api/v1/uploads');
    const { page } = await open(t, '/', { javaScriptEnabled: false });
    await Promise.all([page.waitForURL('**/uploads'), page.locator('footer a[href="/uploads"]').click()]);
    const listed = () => page.locator('tbody th a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    const expected = uploads.map(({ id }) => `/uploads/${id}`);
    assert.deepEqual(await listed(), expected);
    const paged = [];
    await page.goto(`${site.base}/uploads?limit=7`);
    for (const more = page.locator('main form[action="/uploads"] button'); ;) {
        paged.push(...await listed());
        if (await more.count() === 0) break;
        await Promise.all([page.waitForURL(/after=/), more.click()]);
        await page.waitForLoadState();
    }
    assert.deepEqual(paged, expected);
});

test('a player is found from any page, by keys and by pointer, with a letter wrong', async (t) => {
    const { page, complaints } = await open(t, '/events');
    const input = page.getByRole('combobox', { name: 'Find a player' });
    const found = page.getByRole('listbox', { name: 'Players' }).getByRole('group', { name: 'Players' });
    await input.pressSequentially('fish');
    await found.getByRole('option', { name: /^Fischer, Robert J/ }).waitFor();
    assert.equal(await input.getAttribute('aria-expanded'), 'true');
    await input.press('Escape');
    assert.equal(await found.isVisible(), false);
    await input.fill('robert fisher');
    await found.getByRole('option', { name: /^Fischer, Robert J/ }).waitFor();
    await input.press('ArrowDown');
    assert.equal(await input.getAttribute('aria-activedescendant'), 'found-0');
    await Promise.all([page.waitForURL(`**/players/${fischer}/fischer-robert-j`), input.press('Enter')]);
    await input.fill('spas');
    await Promise.all([page.waitForURL(`**/players/${spassky}/spassky-boris-v`), found.getByRole('option').first().click()]);
    assert.deepEqual(complaints, []);

    const { page: plain } = await open(t, '/events', { javaScriptEnabled: false });
    await plain.getByRole('searchbox', { name: 'Find a player' }).fill('fisher');
    await Promise.all([plain.waitForURL(`**/players/${fischer}/fischer-robert-j`), plain.keyboard.press('Enter')]);
    await plain.goto(`${site.base}/players?q=fisher`);
    assert.match(await plain.innerText('main'), /spelled otherwise[^]*Bobby Fischer/);
});

test('the search of every page suggests players, their years and events, in groups', async (t) => {
    const { page, complaints } = await open(t, '/events');
    const input = page.getByRole('combobox', { name: 'Find a player or event' });
    const group = (name) => page.getByRole('listbox').getByRole('group', { name });
    const names = (name) => group(name).getByRole('option').allInnerTexts();
    await input.fill('fischer');
    await group('Player-years').getByRole('option', { name: 'Fischer, Robert J, 1972' }).waitFor();
    assert.deepEqual(await page.getByRole('listbox').getByRole('group').evaluateAll((all) => all.map((g) => g.getAttribute('aria-label'))),
        ['Players', 'Player-years']);
    await input.fill('championship');
    await group('Events').getByRole('option').first().waitFor();
    assert.equal(await group('Players').count(), 0, 'nobody of that name');
    for (const name of await names('Events')) assert.match(name, /Championship/);
    await input.fill('championship 1984');
    await group('Events').getByRole('option', { name: 'World Championship 31st' }).waitFor(); // "31th" in the tags
    await input.fill('championship 1972');
    await page.waitForFunction(() => document.querySelectorAll('.find [role="option"]').length === 1);
    assert.match((await names('Events'))[0], /World Championship 28th/);
    await input.press('ArrowDown');
    await Promise.all([page.waitForURL(`**/events/${match}/world-championship-28th-1972`), input.press('Enter')]);
    await page.getByRole('combobox', { name: 'Find a player or event' }).fill('spassky 1972');
    await group('Player-years').getByRole('option').first().waitFor();
    await Promise.all([page.waitForURL(`**/players/${spassky}/spassky-boris-v/1972`), page.getByRole('option').first().click()]);
    await page.getByRole('combobox', { name: 'Find a player or event' }).fill('fisher 72');
    await group('Player-years').getByRole('option', { name: 'Fischer, Robert J, 1972' }).waitFor();
    assert.deepEqual(complaints, []);

    const { page: plain } = await open(t, '/players?q=championship', { javaScriptEnabled: false });
    await plain.getByRole('link', { name: 'Events named “championship”' }).click();
    assert.match(await plain.innerText('main'), /World Championship 28th/);
});

test('the search that is sent finds what is suggested, with and without JavaScript', async (t) => {
    const goes = async (typed, to, javaScriptEnabled) => {
        const { page } = await open(t, '/events', { javaScriptEnabled });
        await page.locator('.masthead .find input').fill(typed);
        await Promise.all([page.waitForURL(to), page.keyboard.press('Enter')]);
        return page;
    };
    for (const javaScript of [true, false]) {
        await goes('fishcer 72', `**/players/${fischer}/fischer-robert-j/1972`, javaScript);
        await goes('1972 championship', `**/events/${match}/world-championship-28th-1972`, javaScript);
        await goes('spaskij', `**/players/${spassky}/spassky-boris-v`, javaScript);
        const page = await goes('championship', '**/search?q=championship', javaScript);
        assert.equal(await page.getByRole('heading', { level: 2 }).first().innerText(), 'Events');
        assert.ok(await page.locator('#main tbody a[href^="/events/"]').count() > 5);
        await Promise.all([page.waitForURL(/\/events\/\d+/), page.locator('#main tbody a').first().click()]);
    }
    const none = await goes('qwertzuiop', '**/search?q=qwertzuiop', false);
    assert.match(await none.innerText('main'), /No player or event of that name\./);
});

test('two letters of a surname may be wrong, and who has far more games comes first', async () => {
    const names = async (q) => (await site.json(`/api/v1/search?${new URLSearchParams({ q })}`)).groups
        .filter(({ kind }) => kind === 'players').flatMap(({ hits }) => hits.map(({ name }) => name));
    for (const [typed, name] of [['aleknie', 'Alekhine'], ['botwinik', 'Botvinnik'], ['kasprov', 'Kasparov'], ['capabalnka', 'Capablanca'],
        ['petrosjna', 'Petrosian'], ['karpovv anatoly', 'Karpov']])
        assert.match((await names(typed))[0] ?? '', new RegExp(`^${name}`), typed);
    const { only, years, near } = await site.json('/api/v1/search?q=kasprov%2084');
    assert.match(only, /^\/players\/\d+\/kasparov-[a-z]+\/1984$/);
    assert.deepEqual(years, [1984, 1884]);
    assert.equal(near, true);
    assert.deepEqual(await names('qwertzuiop'), []);
    const { events } = await site.json('/api/v1/events?q=championship%201972');
    assert.deepEqual(events.map(({ id }) => id), [match]);

    const sent = await fetch(`${site.base}/api/v1/uploads?analyse=false`, { method: 'POST',
        headers: { 'content-type': 'application/x-chess-pgn' }, body: '[White "Kasparof, Ina"]\n[Black "Botvin, Ann"]\n\n1. e4 e5 *\n' });
    assert.equal(sent.status, 202);
    const found = await site.json('/api/v1/players?q=kasparof');
    assert.deepEqual([found.similar, found.near, found.players.length], [1, undefined, 2]);
    assert.match(found.players[0].name, /^Kasparov/);
    assert.match(found.finding, /^1 player of a similar name and with far more games comes first\. /);
    const first = await site.json('/api/v1/players?q=kasparof&limit=1');
    assert.match(first.players[0].name, /^Kasparov/);
    const next = await site.json(`/api/v1/players?q=kasparof&limit=1&after=${first.next}`);
    assert.deepEqual([next.players.map(({ name }) => name), next.next], [['Kasparof, Ina'], null]);
});

test('names are found as other languages write them', async (t) => {
    const first = async (q) => (await site.json(`/api/v1/players?${new URLSearchParams({ q, limit: 1 })}`)).players[0]?.name ?? '';
    for (const [typed, name] of [['aljechin', 'Alekhine'], ['Kortschnoj', 'Korchnoi'], ['spasski', 'Spassky'], ['Botwinnik', 'Botvinnik'],
        ['tschigorin', 'Chigorin'], ['petrosjan', 'Petrosian'], ['Bogolyubov', 'Bogoljubow'],
        ['Aljechin, Alexander', 'Alekhine']])
        assert.ok((await first(typed)).startsWith(name), `${typed} finds ${await first(typed)}`);
    assert.equal(await first('Qwertzuiop'), '');
    const { page } = await open(t, '/events');
    await page.getByRole('combobox', { name: 'Find a player' }).fill('aljechin');
    await page.getByRole('option', { name: /^Alekhine, Alexander/ }).first().waitFor();
});

test('a phone is not asked to drop a file, and shows its whole name', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'a-tournament-of-2026.pgn');
    writeFileSync(file, threeGames(), 'latin1');
    const label = (page) => page.locator('label[for=pasted]').innerText();
    const { page: phone } = await open(t, '/', { width: 390, isMobile: true, hasTouch: true });
    assert.equal(await label(phone), 'Your games as PGN: pasted, or a file');
    await phone.setInputFiles('#file', file);
    const [box, button] = [await phone.locator('#file').boundingBox(), await phone.locator('#games button').boundingBox()];
    assert.ok(box.width > 290 && button.y >= box.y + box.height, 'the button is below the name of the file');
    const { page: desk } = await open(t, '/', { width: 1280 });
    assert.equal(await label(desk), 'Your games as PGN: pasted, dropped here, or a file');
});

test('games are pasted, with and without JavaScript', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
        const { page } = await open(t, '/', { javaScriptEnabled });
        await page.getByLabel('Your games as PGN').fill(`[White "Paste, ${javaScriptEnabled}"]\n[Black "B, C"]\n\n1. e4 e5 2. Ke3 *\n`);
        await Promise.all([page.waitForURL(/\/uploads\/\d+$/),
            page.locator('form:has(textarea) [type=submit]').click()]);
        assert.match(await page.innerText('main'), /Ke3/);
    }
});

test('without JavaScript: upload by the form, and the comparison by the form', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'games.pgn');
    writeFileSync(file, `[White "Nobody, A"]\n[Black "Nobody, B"]\n\n1. e4 e5 2. Ke3 *\n\n${threeGames()}`, 'latin1');
    const { page } = await open(t, '/', { javaScriptEnabled: false });
    await page.setInputFiles('input[type=file]', file);
    await Promise.all([page.waitForURL(/\/uploads\/\d+$/),
        page.locator('form:has(input[type=file]) [type=submit]').click()]);
    const text = await page.innerText('main');
    assert.match(text, /Ke3/, 'the located error is shown');
    assert.match(text, /Botvinnik/);

    await page.goto(`${site.base}/compare`);
    assert.ok(await page.locator('form [type=submit]').count() >= 1);
});

test('with JavaScript: an upload is watched being analysed', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'one.pgn');
    writeFileSync(file, sampleGames('World Championship 10th', ['1']), 'latin1');
    const { page, complaints } = await open(t, '/');
    await page.setInputFiles('input[type=file]', file);
    await page.locator('form:has(input[type=file]) [type=submit]').click();
    await page.waitForURL(/\/uploads\/\d+$/);
    await page.waitForFunction(() => /analysed/i.test(document.querySelector('main').innerText) &&
        document.querySelector('progress, [role=progressbar]') !== null);
    assert.deepEqual(complaints, []);
});

test('without JavaScript: two players are merged and taken apart again', async (t) => {
    const pgn = (white, year) => `[White "${white}"]\n[Black "Rival, Common"]\n[Date "${year}.01.01"]\n` +
        `[Result "1-0"]\n\n1. e4 e5 2. Nf3 ${year % 2 ? 'Nc6' : 'Nf6'} 1-0\n\n`;
    const sent = await site.post(pgn('Zwilling, J', 1951) + pgn('Zwilling, Johann', 1952), '?analyse=false');
    assert.equal(sent.status, 202);
    const { page } = await open(t, '/players/doubtful', { javaScriptEnabled: false });
    const decide = async (button) => {
        await Promise.all([page.waitForURL(/\/players\/doubtful/), page.locator(button).first().click()]);
        return page.innerText('main');
    };
    const row = 'tr:has-text("Zwilling, Johann"):has-text("Zwilling, J")';
    while (await page.locator(`${row} button`).count() === 0)
        await page.locator('form[action="/players/doubtful"] button').click();
    const text = await decide(`${row} button:not(.quiet)`);
    assert.match(text, /Zwilling, J\S* merged into Zwilling, J/);
    assert.equal((await site.json('/api/v1/players?q=zwilling')).players.length, 1);
    await decide('tr:has-text("merged into") button');
    assert.equal((await site.json('/api/v1/players?q=zwilling')).players.length, 2);
});

const twins = '[White "Zwilling, J"]\n[Black "A, A"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' +
    '[White "Zwilling, Johann"]\n[Black "B, B"]\n[Result "1-0"]\n\n1. d4 1-0\n';

test('once there is a token: the forms ask for it, with and without JavaScript', async (t) => {
    const own = freshDatabase(t);
    const token = run(['token', 'create', 'ann'], own).trim();
    const { base, log } = await serve(t, own);
    const sent = await fetch(`${base}/api/v1/uploads?analyse=false`, { method: 'POST', body: twins,
        headers: { 'content-type': 'application/x-chess-pgn', authorization: `Bearer ${token}` } });
    assert.equal(sent.status, 202);
    const first = 'tr:has-text("Zwilling") button';
    const press = async (page, button) => {
        await Promise.all([page.waitForResponse((r) => r.request().method() === 'POST'),
            page.locator(button).first().click()]);
        await page.waitForLoadState();
        return page.innerText('main');
    };

    const { page: plain } = await open(t, '/players/doubtful', { javaScriptEnabled: false, base });
    await plain.locator('input[name=token]').first().fill('wrong');
    assert.match(await press(plain, first), /not known/);
    await plain.goto(`${base}/players/doubtful`);
    await plain.locator('input[name=token]').first().fill(token);
    await plain.locator('input[name=token]').first().press('Enter'); // decides nothing
    assert.doesNotMatch(await plain.innerText('main'), /Decisions/);
    const merged = await press(plain, first);
    assert.match(merged, /Zwilling, J\S* merged into Zwilling, J/);
    assert.match(merged, /\bann\b/);

    const { page, complaints } = await open(t, '/', { base });
    await page.locator('summary:has-text("Access token, needed to upload")').click();
    await page.locator('#token').fill(token);
    await page.locator('#token').blur();
    await page.goto(`${base}/players/doubtful`);
    assert.match(await press(page, 'tr:has-text("merged into") button'), /undone/);
    const { players: [{ id }] } = await (await fetch(`${base}/api/v1/players?q=johann`)).json();
    await page.goto(`${base}/players/${id}`);
    assert.deepEqual(await page.locator('input[name=token]').evaluateAll((all) =>
        all.map((i) => i.value)), [token, token, token], 'to analyse, to split and to merge');
    assert.deepEqual(complaints, []);
    assert.ok(!log().includes(token));
});

test('the recommended predictor has one name and one sentence on all pages', async (t) => {
    const { recommended: { text } } = await site.json('/api/v1/predictors');
    assert.match(text, /^To predict results, believe Elo where both players have one: it predicted 7,348 games better than any predictor from the moves; without an Elo none was shown to be better than even chances\.$/);
    await until('a royale', async () => (await site.json('/api/v1/reports/royale')).report.state === 'kept');
    await until('comparisons', async () => (await site.json('/api/v1/reports/comparisons')).report.state === 'kept');
    const { finding, finding_by: by } = await site.json('/api/v1/reports/comparisons'); // which begin with it, and say why below the picture
    assert.ok(finding.startsWith(`${text.split(':')[0]}. `), finding);
    assert.match(by, /^Elo predicted 7,348 games better than any predictor from the moves\. Without an Elo of both, no predictor was shown to be better than even chances\./);
    const comparisons = (await open(t, '/comparisons', { javaScriptEnabled: false })).page;
    assert.deepEqual([await comparisons.innerText('.verdict'), (await comparisons.textContent('main')).split(by).length], [finding, 2]);
    for (const address of ['/predictors', '/royale', `/players/${fischer}/1972`, `/compare?white=${fischer}:1972&black=${spassky}:1972`]) {
        const { page } = await open(t, address, { javaScriptEnabled: false });
        assert.equal((await page.textContent('main')).split(text).length, 2, `once on ${address}`);
    }
    const { page } = await open(t, '/royale', { javaScriptEnabled: false });
    assert.match(await page.innerText('main'), /(They are of Elo, which rests on results|Each year is estimated from its own games and drawn towards the player’s other years)\./);
});

test('the royale says that its method is another one, and leads to the answer of the site', async (t) => {
    await until('a royale', async () => (await site.json('/api/v1/reports/royale')).report.state === 'kept');
    const { page } = await open(t, '/royale', { javaScriptEnabled: false });
    const link = page.getByRole('link', { name: 'strengths', exact: true });
    assert.equal(await link.getAttribute('href'), '/#ranking');
    assert.match(await page.innerText('.verdict'), /^Single years, each by its own games, .* Strengths, by another method, follow from all years of a player\.$/);
    assert.equal((await site.get('/', { headers: { accept: 'text/html' } })).status, 200);
});

test('a page under another name is moved to its own, for good', async () => {
    const event = (await site.json('/api/v1/events?q=championship+28th&year=1972')).events[0].id;
    const tagged = (await site.json('/api/v1/events?q=championship+31th&year=1984')).events[0];
    assert.equal(tagged.name, 'World Championship 31th');
    const [player, of] = [`/players/${fischer}/fischer-robert-j`, `/events/${event}/world-championship-28th-1972`];
    const written = `/events/${tagged.id}/world-championship-31st`;
    for (const [wrong, right] of [[`/players/${fischer}/wrong-name`, player], [`/players/${fischer}/x/1972?judge=standard`, `${player}/1972?judge=standard`],
        [`/players/${fischer}/Fischer-Robert-J/moves?phase=endgame`, `${player}/moves?phase=endgame`], [`/events/${event}/x`, of],
        [`/events/${event}/x/players/${fischer}`, `${of}/players/${fischer}`], [`/players/${fischer}/%3Cscript%3E/1972`, `${player}/1972`],
        [`/events/${tagged.id}/world-championship-31th-1984`, `${written}-1984`]]) {
        for (let i = 0; i < 2; i++) { // computed and not
            const r = await site.get(wrong, { redirect: 'manual', headers: { accept: 'text/html' } });
            assert.deepEqual([r.status, r.headers.get('location')], [308, right], wrong);
        }
        const page = await site.get(right, { redirect: 'manual', headers: { accept: 'text/html' } });
        assert.equal(page.status, 200);
        assert.doesNotMatch(await page.text(), /rel="canonical"/, 'it would have to be absolute, and the service has no public name');
    }
    for (const address of [`/players/${fischer}`, `/events/${event}/world-championship-28th`, written]) { // without a name, or the year
        const page = await site.get(address, { redirect: 'manual', headers: { accept: 'text/html' } });
        assert.equal(page.status, 200, address);
    }
    assert.equal((await site.get('/players/999999/nobody', { headers: { accept: 'text/html' } })).status, 404);
});

test('errors are pages too', async (t) => {
    for (const [where, code] of [['/players/999999', 404], ['/nowhere', 404], ['/royale?active=x', 400]]) {
        const { page, status } = await open(t, where);
        assert.equal(status, code, where);
        assert.ok((await page.innerText('main')).length > 20);
        const plain = page.getByRole('link', { name: 'This page without parameters' });
        assert.deepEqual(await plain.evaluateAll((all) => all.map((a) => a.getAttribute('href'))), code === 400 ? ['/royale'] : [], where);
    }
});
