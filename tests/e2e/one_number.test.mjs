// One number for one player-year: wherever its rating is shown, in lists and answers and on pages, it is the same, with
// the same interval, from as many moves; and nowhere it is missing. So has a player one strength, and two players one order. Every address of
// resources.def is either asked here or among those that show no rating of a player-year.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib.mjs';
import { rated, scene } from '../golden/scene.mjs';
import { page } from '../golden/text.mjs';

// Addresses without the rating of a player-year, by what they have instead.
const others = {
    'a rating of one game': ['/api/v1/games/{game}', '/games/{game}'],
    'expected scores of player-years, as paper A has them': ['/api/v1/reports/royale', '/royale'],
    'predictions of games that were played': ['/api/v1/reports/comparisons', '/comparisons'],
    'Elo and results alone': ['/api/v1/elo'],
    'figures of all moves or of many players together': ['conformance', 'complexity', 'covariance', 'score-curve']
        .flatMap((name) => [`/api/v1/reports/${name}`, `/reports/${name}`]).concat(['/api/v1/reports/time-controls', '/time-controls']),
    "what papers print, and the same by the papers' methods": ['/api/v1/papers', '/papers', '/api/v1/papers/{paper}/{table}',
        '/papers/{paper}/{table}', '/api/v1/papers/{paper}/figures/{figure}', '/papers/{paper}/figures/{figure}'],
    'what a rating is worth': ['/api/v1/calibrations', '/calibrations', '/api/v1/calibrations/{name}', '/calibrations/{name}',
        '/api/v1/validation', '/validation', '/api/v1/predictors', '/predictors', '/api/v1/glossary', '/glossary'],
    'counts of games and moves': ['/api/v1/events', '/events', '/api/v1/uploads', '/uploads', '/api/v1/uploads/{upload}/duplicates',
        '/api/v1/players/{player}/events', '/api/v1/players/doubtful', '/players/doubtful',
        '/api/v1/identity-changes', '/api/v1/games', '/api/v1/evaluations', '/api/v1/reports', '/reports'],
    'analysis and the service': ['/api/v1', '/docs', '/openapi.json', '/api/v1/queue', '/queue', '/api/v1/queue/events', '/api/v1/analyses',
        '/api/v1/uploads/{upload}/events', '/api/v1/judges', '/api/v1/judges/{name}', '/static/{dir}/{file}', '/problems/{type}',
        '/health', '/ready', '/metrics', '/status', '/fishnet/status', '/fishnet/key', '/fishnet/key/{key}'],
};

const cleanups = [], asked = new Set(); // addresses without their parameters
let site, years, players; // years: {key: {player, year}} of all that any place rates

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    site = await scene(suite);
    await rated(suite, site.url);
    players = [];
    for (let after = ''; after !== null;) {
        const { players: some, next } = await json(`/api/v1/players?limit=500${after && `&after=${after}`}`);
        players.push(...some);
        after = next;
    }
    years = {};
    for (const row of await ndjson('/api/v1/player-years.ndjson?judge=rating'))
        if (row.rating?.interval) years[`${row.player.id} ${row.year}`] = { player: row.player, year: row.year };
});

after(async () => {
    for (const f of cleanups) await f();
});

/** An answer; 503: too many costly ones at a time. */
async function text(address) {
    asked.add(address.replace(/(\.ndjson)?(\?.*)?$/, ''));
    for (let tries = 0; ; tries++) {
        const r = await site.get(address), body = await r.text();
        if (r.status === 200) return body;
        if (r.status !== 503 || tries > 600) throw new Error(`${address}: ${r.status} ${body}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}
const json = async (address) => JSON.parse(await text(address));
const ndjson = async (address) => (await text(address)).split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** `work` of each, four together. */
async function each(some, work) {
    const rest = some.values();
    await Promise.all([1, 2, 3, 4].map(async () => {
        for (const one of rest) await work(one);
    }));
}

/** What is compared of a rating; undefined where there is none. Not its games: lists count those without a rated move, too. */
function told(rating) {
    if (!rating || rating.estimate === null) return undefined;
    const of = ({ low, high }) => [low, high].map((v) => v.toFixed(3)).join(' to ');
    return [rating.estimate.toFixed(3), of(rating.interval), `${rating.turns} moves`, ...(rating.extrapolated ? ['extrapolated'] : [])].join(', ');
}

/** The ratings of a place by "PLAYER YEAR"; `rows` have player and year. */
const byYear = (rows) => Object.fromEntries(rows.map(({ player, year, rating }) => [`${player.id} ${year}`, told(rating)]));

const all = () => Object.values(years);
const people = () => [...new Map(all().map(({ player }) => [player.id, player])).values()];

async function ofEach(some, rows) {
    const out = [];
    await each(some, async (one) => out.push(...await rows(one)));
    return byYear(out);
}

// Places that show the year of everybody.
const places = {
    '/player-years': async () => byYear(await ndjson('/api/v1/player-years.ndjson')),
    '/player-years, by rating': async () => byYear(await ndjson('/api/v1/player-years.ndjson?sort=-rating')),
    '/players/{player}/ratings?year=': async () => ofEach(all(), async ({ player, year }) =>
        [{ player, year, rating: (await json(`/api/v1/players/${player.id}/ratings?year=${year}`)).rating }]),
    '/players/{player}': async () => ofEach(people(), async (player) =>
        (await json(`/api/v1/players/${player.id}`)).years.map((y) => ({ ...y, player }))),
    '/careers': async () => ofEach(people(), async (player) =>
        (await json(`/api/v1/careers?set=${player.id}`)).sets[0].years.map((y) => ({ ...y, player }))),
    '/moves': async () => ofEach(all(), async ({ player, year }) =>
        [{ player, year, rating: (await json(`/api/v1/moves?player=${player.id}&year=${year}&limit=1`)).rating }]),
    '/profile': async () => ofEach(all(), async ({ player, year }) =>
        [{ player, year, rating: (await json(`/api/v1/profile?player=${player.id}&year=${year}`)).rating }]),
    '/predictions': async () => ofEach(all(), async ({ player, year }) => {
        const { white, black } = await json(`/api/v1/predictions?white=${player.id}:${year}&black=${player.id}:${year}&method=rating`);
        return [white, black].map((side) => ({ ...side, player, year }));
    }),
};

test('a player-year has one rating at every address', async () => {
    const found = {}, differ = [];
    for (const [name, take] of Object.entries(places)) found[name] = await take();
    for (const [key, { player, year }] of Object.entries(years)) {
        const values = Object.entries(found).map(([name, of]) => [name, of[key] ?? 'none']);
        if (new Set(values.map(([, value]) => value)).size > 1)
            differ.push(`${player.name} ${year}: ${values.map(([name, value]) => `${name} ${value}`).join('; ')}`);
    }
    for (const [name, of] of Object.entries(found))
        for (const [key, value] of Object.entries(of))
            if (value && !(key in years)) differ.push(`${key}: ${name} ${value}; not in /player-years?judge=rating`);
    assert.ok(Object.keys(years).length > 100, `${Object.keys(years).length} rated player-years`);
    assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
});

test('and one count of moves', async () => {
    const counts = ({ games_judged, turns, counted, active }) => JSON.stringify({ games_judged, turns, counted, active });
    const listed = Object.fromEntries((await ndjson('/api/v1/player-years.ndjson?judge=rating'))
        .map((row) => [`${row.player.id} ${row.year}`, counts(row)]));
    const differ = [];
    await each(people(), async ({ id, name }) => {
        const { turns, years } = await json(`/api/v1/players/${id}`), same = await json(`/api/v1/players/${id}?judge=rating`);
        if (turns !== same.turns) differ.push(`${name}: ${turns} moves, ${same.turns} of the rating`);
        for (const row of years.filter(({ rating }) => told(rating)))
            if (counts(row) !== listed[`${id} ${row.year}`])
                differ.push(`${name} ${row.year}: ${counts(row)}, ${listed[`${id} ${row.year}`]} in the list`);
    });
    assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
});

test('the moves of all games of a player have one rating', async () => {
    const differ = [];
    await each(people(), async ({ id, name }) => {
        const [player, ratings] = [await json(`/api/v1/players/${id}`), await json(`/api/v1/players/${id}/ratings`)].map((a) => told(a.rating));
        if (player !== ratings) differ.push(`${name}: ${player}, ${ratings}`);
    });
    assert.deepEqual(differ, []);
});

// Of both choices of what strengths of different years are compared by.
for (const era of ['as-played', 'for-its-time']) {
    test(`a player has one strength at every address, ${era}`, async () => {
        const differ = [], list = await ndjson(`/api/v1/players.ndjson?sort=-rating&era=${era}`);
        const strengths = new Map(list.map((p) => [p.id, told(p.peak)]));
        const { ranking } = await json(`/api/v1/dashboard?limit=100&era=${era}`);
        const ranked = new Map(ranking.map((p) => [p.id, told(p.peak)]));
        await each(people(), async ({ id, name }) => {
            const values = {
                '/players': strengths.get(id), '/players/{player}': told((await json(`/api/v1/players/${id}?era=${era}`)).peak),
                '/careers': told((await json(`/api/v1/careers?set=${id}&era=${era}`)).sets[0].peak),
                '/search': told((await json(`/api/v1/search?q=${encodeURIComponent(name)}&era=${era}`)).groups
                    .flatMap((g) => g.hits).find((h) => h.to?.startsWith(`/players/${id}/`))?.peak),
                ...(ranked.has(id) ? { '/dashboard': ranked.get(id) } : {}),
            };
            if (new Set(Object.values(values)).size > 1) differ.push(`${name}: ${JSON.stringify(values)}`);
        });
        assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
        const estimates = list.map((p) => p.peak.estimate);
        assert.deepEqual(estimates, [...estimates].sort((a, b) => b - a));
        assert.deepEqual(ranking.map((p) => p.id), list.filter((p) => p.peak.turns >= 1000).map((p) => p.id).slice(0, ranking.length));
        assert.ok(ranking.length > 2, `${ranking.length} ranked`);
        const start = page(await text(`/?era=${era}`)).split('\n'), missing = [];
        for (const { id, peak } of ranking.slice(0, 20)) shows(missing, `/: ${id}`, start.filter((line) => line.includes(`/players/${id}/`)), printed(peak));
        assert.deepEqual(missing, []);
    });

    // Of the strongest twenty: whatever page names two of them has the same one ahead, with one probability.
    test(`two players have one order and one probability on every page, ${era}`, async () => {
        const top = (await json(`/api/v1/players?sort=-rating&limit=20&era=${era}`)).players, differ = [];
        const chances = new Map(); // of the first of a pair, as a table of up to twelve has it
        for (let first = 0; first < top.length; first += 6)
            for (let second = first; second < top.length; second += 6) {
                const some = [...new Set([...top.slice(first, first + 6), ...top.slice(second, second + 6)])];
                const { against } = await json(`/api/v1/careers?${some.map((p) => `set=${p.id}`).join('&')}&era=${era}`);
                against.forEach((row, i) => row.against.forEach((cell, k) => {
                    if (cell) chances.set(`${some[i].id} ${some[k].id}`, cell.higher);
                }));
            }
        await each(top.flatMap((a, i) => top.slice(i + 1).map((b) => [a, b])), async ([a, b]) => {
            const { finding, against: [[, cell]] } = await json(`/api/v1/careers?set=${a.id}&set=${b.id}&era=${era}`)
                .then((answer) => ({ ...answer, against: answer.against.map((row) => row.against) }));
            const p = cell.higher, of = chances.get(`${a.id} ${b.id}`), back = chances.get(`${b.id} ${a.id}`);
            const close = (x, y) => Math.abs(x - y) < 1e-6;
            if (!(p >= 0.5 && close(p, of) && close(p, 1 - back) && close(p, finding.probability)))
                differ.push(`${a.name} and ${b.name}: ${[p, of, 1 - back, finding.probability].join(', ')}`);
        });
        assert.ok(chances.size > 100, `${chances.size} pairs`);
        assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
    });

    // The same player too, whose years depend on each other; and the years of a peak, which are the peak.
    test(`years have one order and one probability on every page, ${era}`, async () => {
        const top = (await json(`/api/v1/players?sort=-rating&limit=20&era=${era}`)).players.filter(({ peak }) => peak.to > peak.from);
        const differ = [], close = (x, y) => Math.abs(x - y) < 1e-6;
        const played = new Map();
        await each(top, async ({ id, peak }) => {
            const { path, years } = await json(`/api/v1/players/${id}?era=${era}`);
            played.set(id, path.filter(({ year }) => years.some((y) => y.year === year && y.rating?.turns > 0)));
            const { sets: [{ strength }] } = await json(`/api/v1/careers?set=${id}:${peak.from}-${peak.to}&era=${era}`);
            if (!close(strength.estimate, peak.estimate) || !close(strength.interval.low, peak.interval.low))
                differ.push(`${id}: ${strength.estimate} in the years of the peak, ${peak.estimate}`);
        });
        const sides = top.flatMap(({ id }, i) => {
            const of = played.get(id), other = top[(i + 1) % top.length].id, others = played.get(other);
            const [first, last, middle] = [of[0], of.at(-1), of[Math.floor(of.length / 2)]];
            return [[id, middle, id, last], [id, first, id, middle], [id, middle, other, others[Math.floor(others.length / 3)]]];
        });
        await each(sides, async ([a, x, b, y]) => {
            if (a === b && x.year === y.year) return;
            const sets = [`${a}:${x.year}`, `${b}:${y.year}`], name = sets.join(' and ');
            const careers = await json(`/api/v1/careers?set=${sets[0]}&set=${sets[1]}&era=${era}`);
            const head = await json(`/api/v1/predictions?white=${sets[0]}&black=${sets[1]}&method=rating&era=${era}`);
            const { estimate, standard_error, interval } = head.rating_difference, cell = careers.against[0].against[1];
            const points = (d) => 1 / (1 + 10 ** (-d / 400));
            const pairs = { first: [careers.sets[0].strength.estimate, x.estimate, head.white.strength.estimate],
                second: [careers.sets[1].strength.estimate, y.estimate, head.black.strength.estimate],
                difference: [careers.sets[0].strength.estimate - careers.sets[1].strength.estimate, estimate],
                probability: [cell.higher, head.verdict.probability], low: [cell.interval.low, points(interval.low)], high: [cell.interval.high, points(interval.high)] };
            for (const [what, [of, ...rest]] of Object.entries(pairs))
                if (rest.some((value) => Math.abs(value - of) > (what === 'probability' ? 1e-4 : 0.01))) differ.push(`${name}, ${what}: ${of}, ${rest.join(', ')}`);
            if (!(standard_error > 0)) differ.push(`${name}: ${standard_error}`);
        });
        assert.ok(sides.length > 30, `${sides.length} pairs`);
        assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
    });

    test(`the chance of being first is the same whatever is shown, ${era}`, async () => {
        const { ranking, finding } = await json(`/api/v1/dashboard?limit=100&era=${era}`);
        const chances = (rows) => rows.filter(({ first }) => first !== undefined).map(({ id, first, first_five }) => [id, first, first_five]);
        const known = new Map(ranking.map(({ id, first, first_five }) => [id, [id, first, first_five]]));
        for (const address of ['/api/v1/dashboard?limit=1', '/api/v1/dashboard?limit=5', '/api/v1/players?sort=-rating&limit=3', '/api/v1/players?sort=rating&limit=50',
            '/api/v1/players?sort=-rise&limit=4', '/api/v1/players?sort=-rating&peak_to=1980'].map((a) => `${a}&era=${era}`)) {
            const answer = await json(address), rows = chances(answer.ranking ?? answer.players);
            assert.ok(rows.length > 0, address);
            assert.deepEqual(rows, rows.map(([id]) => known.get(id)), address);
        }
        const findings = await Promise.all(['/api/v1/dashboard?limit=2', '/api/v1/players?sort=-rating', '/api/v1/players?sort=-rating&moves_from=1000']
            .map(async (address) => (await json(`${address}&era=${era}`)).finding));
        assert.deepEqual(findings, findings.map(() => finding));
        for (const address of ['/', '/players']) {
            const lines = page(await text(`${address}?era=${era}`)).split('\n');
            assert.ok(lines.some((line) => line.includes(finding)), `${address}: ${finding}`);
        }
    });

    test(`players typed without years are compared as their careers are, ${era}`, async () => {
        const [a, b] = ranked(await json(`/api/v1/players?sort=-rating&limit=5&era=${era}`)), { finding } = await json(`/api/v1/careers?set=${a.id}&set=${b.id}&era=${era}`);
        const typed = ({ name }) => encodeURIComponent(name);
        for (const address of [`/compare?white=${typed(a)}&black=${typed(b)}`, `/compare?white=${a.id}&black=${b.id}`, `/search?q=${typed(a)}+vs+${typed(b)}`]) {
            const shown = page(await text(`${address}&era=${era}`)).split('\n');
            assert.ok(shown.some((line) => line.includes(finding.text)), `${address}: ${finding.text}`);
        }
    });
}

const ranked = ({ players }) => players.filter(({ peak }) => peak.turns >= 1000);

test('a search for two players leads to their comparison, another one does not', async () => {
    const only = async (q) => (await json(`/api/v1/search?q=${q}`)).only;
    for (const q of ['fischer+vs+spassky', 'fischer+spassky', 'fischer+-+spassky', 'Fischer+v.+spassky'])
        assert.match(await only(q) ?? '', /^\/compare\?white=fischer&black=spassky$/i, q);
    for (const [q, white, black] of [['fischer+spassky+1972', 'fischer%201972', 'spassky%201972'], ['fischer+1971+spassky+72', 'fischer%201971', 'spassky%2072'],
        ['fischer+vs+spassky+1972', 'fischer', 'spassky%201972']])
        assert.equal(await only(q), `/compare?white=${white}&black=${black}`, q);
    assert.equal(await only('smyslov+vs+tal'), '/compare?white=smyslov&black=tal', 'though one of the words is found alone');
    // A namesake with a game beside a champion's hundreds is not meant.
    const at = await fetch(`${site.base}/compare?white=carlsen&black=kasparov`, { redirect: 'manual' });
    assert.match(at.headers.get('location') ?? '', /\/careers\?set=\d+&set=\d+$/);
    for (const q of ['championship+19', 'zz+yy', 'fischer+zz', 'fischer+72', 'zz+spassky+72', 'vs', 'fischer+vs', 'fischer'])
        assert.doesNotMatch(await only(q) ?? '', /compare/, q);
});

test('a rating of some games is no strength', async () => {
    const [a, b] = ranked(await json('/api/v1/players?sort=-rating&limit=5'));
    const { sets, against, finding } = await json(`/api/v1/careers?set=${a.id}&set=${b.id}&set=${a.id},color=white&era=for-its-time`);
    assert.deepEqual(against.map(({ set }) => set), [`${a.id}`, `${b.id}`]);
    assert.deepEqual(sets.map((set) => 'path' in set), [true, true, false]);
    assert.match(finding.text, /not compared with strengths/);
    const colours = await json(`/api/v1/careers?set=${a.id},color=black&set=${a.id},color=white`);
    assert.equal(colours.against.length, 2);
    assert.match(colours.finding.text, /played better/);
});

test('a predictor has one answer, named alone or among all', async () => {
    const sides = 'white=12:1972&black=11:1972', { predictions } = await json(`/api/v1/predictions?${sides}`);
    for (const [method, { expected }] of Object.entries(predictions))
        assert.equal((await json(`/api/v1/predictions?${sides}&method=${method}`)).predictions[method].expected, expected, method);
});

test('for its time a year is compared with the field of that year', async () => {
    const differ = [];
    await each(people().slice(0, 12), async ({ id, name }) => {
        const [played, own] = [await json(`/api/v1/players/${id}`), await json(`/api/v1/players/${id}?era=for-its-time`)];
        const width = ({ interval: { low, high } }) => high - low;
        assert.deepEqual([played.era, own.era], ['as-played', 'for-its-time']);
        own.path.forEach((y, i) => {
            const before = played.path[i];
            if (!(y.year === before.year && Math.abs(y.estimate - before.estimate) < 150 && width(y) >= width(before)))
                differ.push(`${name} ${y.year}: ${y.estimate}, ${before.estimate}`);
        });
        // At 2600 and above, play at equal Elo was weaker before 1971 than in the mean of the calibration's games.
        played.path.forEach(({ year, estimate }, i) => {
            if (year < 1971 && estimate > 2600 && own.path[i].estimate <= estimate) differ.push(`${name} ${year}: ${own.path[i].estimate}, ${estimate}`);
        });
    });
    assert.deepEqual(differ, []);
});

// Of events and uploads, where all rated moves of a year are of one; a third of the events, and pages of some.
test('the same moves have one rating, of a year, an event or an upload', async () => {
    const differ = [], compared = { event: 0, upload: 0 }, onPages = new Set();
    const listed = (await ndjson('/api/v1/player-years.ndjson?judge=rating')).filter(({ rating }) => rating);
    async function compare(kind, rating, year, ...pages) {
        if (!rating?.interval || rating.turns !== year.rating.turns) return;
        compared[kind]++;
        if (told(rating) !== told(year.rating)) differ.push(`${pages[0]}: ${told(rating)}, ${told(year.rating)}`);
        if (onPages.has(kind + year.year)) return;
        onPages.add(kind + year.year);
        for (const address of pages) shows(differ, address, page(await text(address)).split('\n'), printed(year.rating));
    }
    const events = (await ndjson('/api/v1/events.ndjson?judge=rating')).filter((event) => event.games_analysed > 0);
    await each(events.filter((_, i) => i % 3 === 0), async ({ id, year }) => {
        const { players, only_player } = await json(`/api/v1/events/${id}`); // of an only player's event the page shows no other
        for (const { player, rating } of players)
            for (const row of listed.filter((row) => row.player.id === player.id && row.year === year)) {
                const address = `/events/${id}/players/${player.id}`;
                if (only_player && only_player.id !== player.id) continue;
                await compare('event', rating, row, `/events/${id}`, address, `${address}/moves?limit=1`, `/events/${id}/moves?player=${player.id}&limit=1`);
                if (onPages.size < 5) await compare('event', (await json(`/api/v1${address}`)).rating, row, address);
            }
    });
    await each((await json('/api/v1/uploads?limit=500')).uploads, async ({ id }) => {
        for (const { player, rating } of (await json(`/api/v1/uploads/${id}`)).ratings)
            for (const row of listed.filter((row) => row.player.id === player.id))
                await compare('upload', rating, row, `/uploads/${id}?player=${player.id}`, `/uploads/${id}/players/${player.id}`, `/uploads/${id}/moves?player=${player.id}&limit=1`);
    });
    assert.ok(compared.event > 10 && compared.upload > 10, JSON.stringify(compared));
    assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
});

/** As pages print it: the estimate, and the interval. */
function printed({ estimate, interval: { low, high } }) {
    return [String(Math.round(estimate)), `${Math.round(low)} to ${Math.round(high)}`];
}

/** Whether a line has all words; else it is one of `missing`. */
function shows(missing, name, lines, words) {
    if (!lines.some((line) => words.every((word) => line.includes(word)))) missing.push(`${name}: ${words.join(' … ')}`);
}

test('and so it has on pages', async () => {
    const missing = [];
    const list = page(await text('/players?limit=500&sort=-rating')).split('\n');
    await each(people(), async (player) => {
        const own = await json(`/api/v1/players/${player.id}`);
        const lines = page(await text(`/players/${player.id}`)).split('\n');
        const career = page(await text(`/careers?set=${player.id}`)).split('\n');
        for (const { year, rating } of own.years.filter(({ rating }) => told(rating))) {
            const words = printed(rating);
            shows(missing, `/players/${player.id}`, lines.filter((line) => line.includes(`/${year}>`) || line.includes(`/${year}?`)), words);
            const page_ = page(await text(`/players/${player.id}/${year}`)).split('\n');
            shows(missing, `/players/${player.id}/${year}`, page_.filter((line) => line.startsWith('Rating by the moves | ')), words);
            const compared = page(await text(`/compare?white=${player.id}:${year}&black=${player.id}:${year}`)).split('\n');
            shows(missing, `/compare ${player.id}:${year}`, compared.filter((line) => line.includes(`/${year}>`)), words);
            shows(missing, `/careers ${player.id}:${year}`, career.filter((line) => line.includes(`/${year}>`)), words);
        }
        const of = (lines) => lines.filter((line) => line.includes(`/players/${player.id}/`));
        if (told(own.peak)) shows(missing, `/players: ${player.name}`, of(list), printed(own.peak));
        if (player.id % 4 > 0 || !told(own.rating)) return; // what is costly: of some
        const [{ year, rating }] = own.years.filter(({ rating }) => told(rating));
        for (const [address, words] of [[`/players/${player.id}/moves?limit=1`, printed(own.rating)],
            [`/players/${player.id}/${year}/moves?limit=1`, printed(rating)], [`/moves?player=${player.id}&year=${year}&limit=1`, printed(rating)]])
            shows(missing, address, page(await text(address)).split('\n').filter((line) => line.startsWith('Rating: ')), words);
        shows(missing, `/profile: ${player.name}`, page(await text(`/players/${player.id}/profile?year=${year}`)).split('\n'), printed(rating));
        const found = await text(`/search?q=${encodeURIComponent(player.name.split(',')[0])}`); // or it leads to the player
        if (found.includes('id="players-title"')) shows(missing, `/search: ${player.name}`, of(page(found).split('\n')), printed(own.peak));
    });
    assert.deepEqual(missing.slice(0, 10), [], `of ${missing.length}`);
});

test('every address is asked here, or shows no rating of a player-year', () => {
    const patterns = [...readFileSync(path.join(root, 'server/resources.def'), 'utf8').matchAll(/^\s+(?:get|page) (\/\S*)/gm)]
        .map(([, pattern]) => pattern);
    const named = new Set(Object.values(others).flat());
    for (const list of ['/api/v1/events', '/api/v1/uploads']) asked.delete(list); // of counts, to find the others
    const isAsked = (pattern) => [...asked].some((address) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address));
    assert.deepEqual(patterns.filter((pattern) => isAsked(pattern) === named.has(pattern)), []);
    assert.deepEqual([...named].filter((pattern) => !patterns.includes(pattern)), []);
});
