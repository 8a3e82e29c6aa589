// Play by time control, of the champions' games: as they are, and with some named as rapid games.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { close, launch, open, stands } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const champions = path.join(root, 'static/champions/rating.1.ndjson.zst');
let shipped, made, rapid = 0;

/** Every third game is called a rapid game. */
function asRapid(line, i) {
    if (i % 3 !== 0) return line;
    const game = JSON.parse(line);
    game.tags.Event = `${game.tags.Event} rapid`;
    rapid += game.figures.length;
    return JSON.stringify(game);
}

before(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ipr-times-'));
    suite.after(() => rmSync(folder, { recursive: true }));
    const lines = execFileSync('zstd', ['-dcq', champions], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n');
    writeFileSync(path.join(folder, 'made.ndjson'), lines.map(asRapid).join('\n') + '\n');
    const [one, two] = [freshDatabase(suite), freshDatabase(suite)];
    run(['import', '--quiet', champions], one);
    run(['import', '--quiet', path.join(folder, 'made.ndjson')], two);
    shipped = await serve(suite, one);
    made = await serve(suite, two);
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const rows = ({ rows: all }) => Object.fromEntries(all.map((row) => [row.time_class, row]));

test('the games that ship cannot answer, and it is said', async () => {
    const answer = await shipped.json('/api/v1/reports/time-controls');
    assert.match(answer.reason, /^no analysed game is known/);
    assert.match(answer.finding, /^No answer yet: no analysed game is known .* Play in standard games is rated \d{4}, 95% interval \d{4} to \d{4}, from [\d,]+ moves of \d+ players\.$/);
    const { standard, rapid: none } = rows(answer);
    assert.ok(standard.estimate > 2000 && standard.interval.low < standard.estimate);
    assert.deepEqual([none.estimate, none.players, none.same_players], [null, 0, undefined]);
});

test('games called rapid are compared with the others of the same players', async () => {
    const answer = await made.json('/api/v1/reports/time-controls');
    const { standard, rapid: fast, blitz } = rows(answer);
    const all = rows(await shipped.json('/api/v1/reports/time-controls'));
    assert.equal(answer.reason, undefined);
    // Copies of a game in the file are one game, which may be of the other class.
    assert.ok(fast.games <= rapid && fast.games > rapid - 10, `${fast.games} of ${rapid}`);
    assert.equal(fast.games + standard.games, all.standard.games);
    assert.equal(fast.moves + standard.moves, all.standard.moves);
    assert.equal(blitz.players, 0);
    assert.match(answer.finding, /^(Whether play in rapid games differs .* is not shown: it is (better|weaker)|It is likely that play in rapid games is (better|weaker) .*:) by \d+ Elo, 95% interval −\d+ to \d+, from [\d,]+ moves of \d+ players\.$/);
    // They are games like the others: nothing can be found.
    for (const { estimate, interval, distinct, players, moves } of [fast.same_players, fast.same_elo]) {
        assert.ok(players >= answer.least_players && moves > 5000);
        assert.ok(interval.low < estimate && estimate < interval.high);
        assert.ok(!distinct && interval.low < 0 && interval.high > 0, `${interval.low} to ${interval.high}`);
    }
});

test('a row of CSV for each class', async () => {
    const lines = (await (await fetch(`${made.base}/api/v1/reports/time-controls.csv`)).text()).trim().split(/\r?\n/);
    assert.equal(lines.length, 1 + 7);
    assert.match(lines[4], /^rapid,\d+,\d+,\d+,[\d.]+,[\d.]+,/);
});

for (const [name, site, expected] of [
    ['time_controls', () => made, /Difference from standard games[^]*Rapid\s+same players/],
    ['time_controls_none', () => shipped, /No answer yet: no analysed game is known/],
])
    test(`${name}: at two widths, accessible, no complaint of the browser`,
        (t) => stands(t, name, `${site().base}/time-controls`, expected, { unfolded: true }));

test('the reports lead to it', async () => {
    assert.match(await (await fetch(`${shipped.base}/reports`)).text(), /href="\/time-controls"/);
});

test('games of which only figures are stored lead to what each move lost', async () => {
    for (const site of [shipped, made]) {
        const html = await (await site.get('/time-controls', { headers: { accept: 'text/html' } })).text();
        const games = [...html.matchAll(/<li><a href="(\/games\/\d+)"[^]*?<\/li>/g)];
        assert.equal(games.length, 5);
        for (const [text, where] of games) {
            assert.match(text, /figures only/);
            assert.match(await (await site.get(where, { headers: { accept: 'text/html' } })).text(), /What each move lost/);
        }
    }
});

/** Thirty games of Karpov's with their evaluations, with these tags, or those that a function gives for each. */
function retagged(tags) {
    const games = execFileSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')], { encoding: 'utf8', maxBuffer: 1 << 28 })
        .trim().split('\n').map((line) => JSON.parse(line));
    const own = ({ tags }) => [tags.White, tags.Black].includes('Karpov, Anatoly');
    return games.filter(own).slice(0, 30).map((game, i) => {
        Object.assign(game.tags, typeof tags === 'function' ? tags(i) : tags);
        delete game.tags.EventDate;
        return JSON.stringify(game);
    }).join('\n') + '\n';
}

test('every link from an upload of rapid games leads to figures', async (t) => {
    const url = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'ipr-rapid-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'rapid.ndjson'), retagged({ Event: 'City Rapid', Site: 'Oslo', TimeControl: '900+10' }));
    run(['import', '--quiet', path.join(folder, 'rapid.ndjson')], url);
    const site = await serve(t, url), html = async (address) => (await site.get(address)).text();
    const { uploads: [{ id }] } = await site.json('/api/v1/uploads?limit=1');
    const upload = await html(`/uploads/${id}`);
    const links = [...new Set([...upload.matchAll(/href="(\/(?:players|uploads)\/\d+[^"#]*)"/g)].map(([, to]) => to.replaceAll('&amp;', '&')))];
    assert.ok(links.length > 5, links.join(' '));
    for (const to of links) {
        const page = await html(to);
        assert.match(page, /\d{4}|\(\d\.\d\d\)/, to);
        const [without = ''] = /No rating[^.]*|No game of this set is[^.]*|no move of the player[^.]*/.exec(page) ?? [];
        assert.equal(without, '', to);
    }
    // They are counted without a request, as there are no others; of others alone, the page links to them.
    const { players: [karpov] } = await site.json('/api/v1/players?q=karpov');
    for (const to of [`/players/${karpov.id}`, `/players/${karpov.id}/1978`]) {
        assert.match(await html(to), /95% interval/, to);
        const page = await html(`${to}?time_class=classical`);
        assert.doesNotMatch(page, /no move of the player is analysed/, to);
        const [, rapid] = /href="([^"]*\?time_class=rapid[^"]*)"/.exec(page) ?? [];
        assert.ok(rapid, `${to} has no link to rapid games`);
        assert.match(await html(rapid.replaceAll('&amp;', '&')), /95% interval/, rapid);
    }
});

test('of a year without games of a class it is not said that they are not analysed', async (t) => {
    const url = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'ipr-none-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'two.ndjson'),
        retagged((i) => (i % 2 ? { Event: 'City Rapid', TimeControl: '900+10', Date: '1991.01.01' } : {})));
    run(['import', '--quiet', path.join(folder, 'two.ndjson')], url);
    const site = await serve(t, url), html = async (address) => (await site.get(address)).text();
    const { players: [{ id }] } = await site.json('/api/v1/players?q=karpov');
    for (const [where, classes, said] of [[`/players/${id}/1978`, 'rapid', 'no rapid games in 1978'], [`/players/${id}/1991`, 'classical', 'no classical games in 1991'],
        [`/players/${id}/1991`, 'classical,unknown', 'no games of classical or unknown time control in 1991'], [`/players/${id}`, 'blitz', 'no blitz games']]) {
        const page = await html(`${where}?time_class=${classes}`);
        assert.match(page, new RegExp(`No rating [^:]*: ${said}\\.`), where);
        assert.doesNotMatch(page, /no move of the player/, where);
    }
    const { years } = await site.json(`/api/v1/players/${id}?time_class=rapid`);
    assert.deepEqual(years.map(({ year, rating }) => [year, rating.reason]), [[1978, 'no rapid games in 1978'], [1991, undefined]]);
    const part = await site.json(`/api/v1/players/${id}/ratings?time_class=rapid&to=1980&color=white`);
    assert.equal(part.rating.reason, 'no rapid games among these to 1980');
});

test('pages of a player of rapid games online count them without a request', async (t) => {
    const url = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'ipr-online-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'online.ndjson'),
        retagged({ Event: 'Rated Rapid game', Site: 'https://lichess.org/abcd1234', TimeControl: '600+0' }));
    run(['import', '--quiet', path.join(folder, 'online.ndjson')], url);
    const site = await serve(t, url);
    const { players: [{ id }] } = await site.json('/api/v1/players?q=karpov');
    const player = await site.json(`/api/v1/players/${id}`);
    assert.deepEqual([player.pool, player.time_classes, player.games], ['online-rapid', ['online-rapid'], 30]);
    assert.equal(player.rating.pool, 'online-rapid');
    assert.equal(player.rating.games, 30);
    const ratings = await site.json(`/api/v1/players/${id}/ratings`);
    assert.ok(ratings.conformance.turns > 500 && ratings.conformance.at_0.share > .3, JSON.stringify(ratings.conformance));
    for (const to of [`/players/${id}`, `/players/${id}/1978`])
        assert.match(await (await site.get(to)).text(), /time_class=online-rapid/, to);
    // A set with games of one pool is of that pool.
    assert.equal((await site.json(`/api/v1/players/${id}/ratings?time_class=all`)).rating.pool, 'online-rapid');
});

test('every link from an upload of games online at two speeds, and every link from these pages, leads to figures', async (t) => {
    const url = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'ipr-speeds-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const online = (i) => (i < 20 ? { Event: 'Rated rapid game', TimeControl: '600+0' } : { Event: 'Rated blitz game', TimeControl: '180+2' });
    writeFileSync(path.join(folder, 'online.ndjson'), retagged((i) => ({ ...online(i), Site: `https://lichess.org/abcdef${10 + i}` })));
    run(['import', '--quiet', path.join(folder, 'online.ndjson')], url);
    const site = await serve(t, url), { page } = await open(t, `${site.base}/uploads/1`);
    const from = new Map([['/uploads/1', '']]), level = new Map([['/uploads/1', 0]]), kinds = new Map();
    for (const to of level.keys()) { // grows meanwhile
        await page.goto(site.base + to);
        const text = await page.innerText('main');
        const [without] = /No rating.*|.*no move of.*|No game of this set is.*|None of .* rated.*|.*\bno [a-z-]+ games.*|Nobody (?!is tested).*/.exec(text) ?? [];
        assert.equal(without, undefined, `${to} from ${from.get(to)}`);
        assert.match(text, /\d{4}\*? ?\(?(95% interval )?\d{4} to \d{4}|95% interval|\d{4} to \d{4}|\d\.\d\d/, `${to} from ${from.get(to)}`);
        if (level.get(to) === 2) continue;
        for (const href of await page.locator('main a[href^="/"]').evaluateAll((all) => all.map((a) => a.getAttribute('href').replace(/#.*/, '')))) {
            const kind = href.replace(/\d+/g, '0');
            // Overviews are by standard games, and who is compared is chosen first; of the same page in another order, and of games, one of each kind.
            if (level.has(href) || /^\/(api|docs|static|glossary|validation|predictors|players\/doubtful|compare\?white=[^&]*&time|queue|calibrations|events\?upload=|uploads$|$)/.test(href) || (/^\/games|lost_|sort=|ply=/.test(href) && kinds.has(kind))) continue;
            kinds.set(kind, href);
            from.set(href, to);
            level.set(href, level.get(to) + 1);
        }
    }
    const walked = [...level.keys()];
    assert.ok(walked.length > 30, walked.join('\n'));
    for (const kind of [/^\/players\/\d+\/.*online-blitz/, /^\/players\/\d+\/[^/]*\/1978/, /^\/players\?.*online-/, /^\/events\/1/, /^\/events\/2/, /^\/careers/, /moves/, /^\/games/])
        assert.ok(walked.some((to) => kind.test(to)), `${kind} of\n${walked.join('\n')}`);
});

test('a player with games of every class has pages, by a pool with a scale', async (t) => {
    const url = freshDatabase(t), folder = mkdtempSync(path.join(tmpdir(), 'ipr-classes-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const lichess = 'https://lichess.org/abcd1234', lines = retagged({}).trim().split('\n').map((line) => JSON.parse(line));
    const kinds = [{ Event: 'Correspondence', TimeControl: '1/86400' }, { Event: 'Correspondence', TimeControl: '1/86400' }, { Event: 'City Rapid', TimeControl: '900+10' },
        { Event: 'City Blitz', TimeControl: '180+2' }, { Event: 'City Bullet', TimeControl: '60+0' },
        ...['1800+20', '600+0', '180+0', '60+0', '-'].map((TimeControl) => ({ Event: 'Rated game', Site: lichess, TimeControl }))];
    writeFileSync(path.join(folder, 'all.ndjson'), kinds.map((tags, k) => JSON.stringify({ ...lines[k], tags: { ...lines[k].tags, ...tags } })).join('\n') + '\n');
    run(['import', '--quiet', path.join(folder, 'all.ndjson')], url);
    const site = await serve(t, url);
    const { players: [{ id }] } = await site.json('/api/v1/players?q=karpov');
    const player = await site.json(`/api/v1/players/${id}`);
    const classes = new Set(JSON.stringify(player).match(/"not_rated":\s*\{[^}]*\}/g)?.flatMap((text) => Object.keys(JSON.parse(text.slice(text.indexOf('{'))))));
    assert.ok(classes.size >= 8, [...classes].join());
    assert.ok(player.rating.estimate !== null && player.pool !== 'correspondence', player.pool);
    for (const to of [`/players/${id}`, `/players/${id}?time_class=rapid`, `/players/${id}?time_class=blitz`])
        assert.match(await (await site.get(to)).text(), /95% interval/, to);
});
