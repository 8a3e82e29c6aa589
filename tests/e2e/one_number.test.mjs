// One number for one player-year: wherever its rating is shown, in lists and answers and on pages, it is the same, with
// the same interval, from as many moves; and nowhere it is missing. So are the ratings of careers.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { rated, scene } from '../golden/scene.mjs';
import { page } from '../golden/text.mjs';

const cleanups = [];
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
    '/players/{player}/years': async () => ofEach(people(), async (player) =>
        (await json(`/api/v1/players/${player.id}/years`)).years.map((y) => ({ ...y, player }))),
    '/players/{player}': async () => ofEach(people(), async (player) =>
        (await json(`/api/v1/players/${player.id}`)).years.map((y) => ({ ...y, player }))),
    '/careers': async () => ofEach(people(), async (player) =>
        (await json(`/api/v1/careers?set=${player.id}`)).sets[0].years.map((y) => ({ ...y, player }))),
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
        assert.deepEqual((await json(`/api/v1/players/${id}/years`)).years.map(counts), years.map(counts));
        for (const row of years.filter(({ rating }) => told(rating)))
            if (counts(row) !== listed[`${id} ${row.year}`])
                differ.push(`${name} ${row.year}: ${counts(row)}, ${listed[`${id} ${row.year}`]} in the list`);
    });
    assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
});

// Only years with enough moves are ranked there.
test('the ranking of the start page has these ratings', async () => {
    const { ranking, rated } = await json('/api/v1/dashboard?limit=1000');
    const of = await places['/player-years, by rating']();
    assert.equal(ranking.length, rated);
    assert.ok(rated > 50, `${rated} ranked`);
    assert.deepEqual(byYear(ranking), Object.fromEntries(Object.keys(byYear(ranking)).map((key) => [key, of[key]])));
    const html = page(await text('/?limit=1000')).split('\n');
    for (const { player, year, rating } of ranking.slice(0, 20)) {
        const words = printed(rating);
        assert.ok(html.some((line) => line.includes(`/players/${player.id}/`) && line.includes(`/${year}>`)
            && words.every((word) => line.includes(word))), `${player.name} ${year}: ${words.join(' … ')}`);
    }
});

test('a career has one rating at every address', async () => {
    const differ = [];
    const list = new Map((await ndjson('/api/v1/players.ndjson?sort=-rating')).map((p) => [p.id, told(p.rating)]));
    await each(people(), async ({ id, name }) => {
        const values = {
            '/players': list.get(id), '/players/{player}': told((await json(`/api/v1/players/${id}`)).rating),
            '/players/{player}/ratings': told((await json(`/api/v1/players/${id}/ratings`)).rating),
            '/search': told((await json(`/api/v1/search?q=${encodeURIComponent(name)}`)).groups
                .flatMap((g) => g.hits).find((h) => h.to?.startsWith(`/players/${id}/`))?.rating),
        };
        if (new Set(Object.values(values)).size > 1) differ.push(`${name}: ${JSON.stringify(values)}`);
    });
    assert.deepEqual(differ.slice(0, 10), [], `of ${differ.length}`);
});

/** As pages print it: the estimate, and the interval. */
function printed({ estimate, interval: { low, high } }) {
    return [String(Math.round(estimate)), `${Math.round(low)} to ${Math.round(high)}`];
}

test('and so it has on pages', async () => {
    const missing = [];
    const shows = (name, lines, words) => {
        if (!lines.some((line) => words.every((word) => line.includes(word)))) missing.push(`${name}: ${words.join(' … ')}`);
    };
    await each(people(), async (player) => {
        const own = await json(`/api/v1/players/${player.id}`);
        const lines = page(await text(`/players/${player.id}`)).split('\n');
        for (const { year, rating } of own.years.filter(({ rating }) => told(rating))) {
            const words = printed(rating);
            shows(`/players/${player.id}`, lines.filter((line) => line.includes(`/${year}>`) || line.includes(`/${year}?`)), words);
            const page_ = page(await text(`/players/${player.id}/${year}`)).split('\n');
            shows(`/players/${player.id}/${year}`, page_.filter((line) => line.startsWith('Rating by the moves | ')), words);
            const compared = page(await text(`/compare?white=${player.id}:${year}&black=${player.id}:${year}`)).split('\n');
            shows(`/compare ${player.id}:${year}`, compared.filter((line) => line.includes(`/${year}>`)), words);
        }
    });
    assert.deepEqual(missing.slice(0, 10), [], `of ${missing.length}`);
});
