// Lists in the order of the rating: of player-years and of players, over identities, classes of time
// control and changes of all that they are computed from.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { environment, fitted, freshDatabase, intrinsic, root, run, serve, sql } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site, database;

before(async () => {
    database = freshDatabase(suite);
    execFileSync(path.join(root, 'setup/prepare.sh'), [intrinsic],
        { cwd: root, stdio: 'ignore', env: environment(database) });
    site = await serve(suite, database, { SCID_RATINGS_PATH: '' });
});

after(async () => {
    for (const f of cleanups) await f();
});

const rows = async (address) => {
    const r = await site.get(address, { headers: { accept: 'application/x-ndjson' } });
    assert.equal(r.status, 200, await r.clone().text());
    return (await r.text()).split('\n').filter(Boolean).map((line) => JSON.parse(line));
};
const years = (query = '') => rows(`/api/v1/player-years?sort=-rating${query}`);
const send = async (method, address, body) => {
    const r = await fetch(site.base + address, { method, body: body && JSON.stringify(body),
        headers: body && { 'content-type': 'application/json' } });
    assert.ok(r.ok, await r.clone().text());
    return r.status === 204 ? null : r.json();
};

/** Where a row stands: by its estimate, also beyond the calibrated range. */
const place = ({ rating: r }) => r.estimate;

function assertOrder(list, sign, what) {
    const places = list.map(place);
    const rated = places.filter((p) => p !== null);
    assert.deepEqual(places.slice(rated.length), Array(places.length - rated.length).fill(null), `${what}: unrated last`);
    assert.deepEqual(rated, rated.toSorted((a, b) => sign * (a - b) || 0), what);
    return rated.length;
}

test('the ranking of the overview is sorted and cut as requested', async () => {
    const keys = { rating: place, elo: (r) => r.elo, difference: (r) => r.difference, year: (r) => r.year,
        moves: (r) => r.rating.turns };
    for (const [sort, key] of [['-rating', 'rating'], ['-elo', 'elo'], ['-difference', 'difference'],
        ['difference', 'difference'], ['-year', 'year'], ['year', 'year'], ['-moves', 'moves']]) {
        const { ranking, rated } = await site.json(`/api/v1/dashboard?sort=${sort}&limit=40`);
        const values = ranking.map(keys[key]).filter((x) => x !== null);
        assert.ok(rated > 100 && ranking.length === 40 && values.length > 5, sort);
        assert.deepEqual(values, values.toSorted((a, b) => (sort[0] === '-' ? b - a : a - b) || 0), sort);
    }
    const { ranking } = await site.json('/api/v1/dashboard?limit=3');
    assert.equal(ranking.length, 3);
    for (const { rank_low: low, rank_high: high } of ranking) assert.ok(low >= 1 && high >= low);
});

test('beyond the calibrated range the estimate ranks, too, with both ends, its difference and a mark', async () => {
    const { ranking, best } = await site.json('/api/v1/dashboard?limit=1000');
    const beyond = ranking.filter(({ rating: r }) => r.extrapolated);
    const { rating: { calibrated_range: range } } = await site.json(`/api/v1/players/${best.player.id}/ratings`);
    assert.ok(beyond.length > 1, `${beyond.length}`);
    assert.deepEqual(ranking.slice(0, beyond.length), beyond, 'they come first');
    for (const { player, year, elo, difference, rating: { estimate, extrapolated, interval } } of ranking) {
        const what = `${player.name} ${year}`;
        assert.equal(extrapolated, estimate < range.low || estimate > range.high, what);
        assert.ok(interval.low < estimate && estimate < interval.high, what);
        assert.equal(difference === null, elo === null, what);
        if (elo !== null) assert.ok(Math.abs(estimate - elo - difference) < 0.01, what);
    }
    const html = await (await site.get('/?limit=1000')).text();
    const marked = html.slice(html.indexOf('id="ranking"')).match(/<abbr title="outside the calibrated range">\*<\/abbr>/g);
    assert.equal(marked.length, beyond.length);
    assert.deepEqual(best, ranking[0]);
});

test('the overview answers who played furthest above their Elo', async () => {
    const { ranking, gap } = await site.json('/api/v1/dashboard?limit=1000');
    const known = ranking.filter((r) => r.difference !== null);
    const z = (r) => r.difference / Math.hypot(r.rating.standard_error, 31);
    const ordered = known.toSorted((a, b) => z(b) - z(a));
    // Not where only some of the games have an Elo.
    const own = async ({ player, year }) => (await site.json(`/api/v1/players/${player.id}/ratings?year=${year}`)).rating.surprise;
    while (/not in the tags of all/.test((await own(ordered[0])).reason ?? '')) ordered.shift();
    const [first] = ordered;
    assert.equal(gap.compared, ordered.length);
    assert.deepEqual([gap.player, gap.year], [first.player, first.year]);
    const said = (n) => String(Math.abs(Math.round(n))).replace(/^/, n < 0 ? '−' : '');
    const half = 1.96 * Math.hypot(first.rating.standard_error, 31);
    assert.match(gap.text, new RegExp(`rated ${said(first.rating.estimate)} by the moves, ${said(first.difference)} more than the Elo in the tags, ` +
        `95% interval ${said(first.difference - half)} to ${said(first.difference + half)}\\.`));
    assert.match(gap.text, new RegExp(` of ${ordered.length} player-years is (often as far above by chance|as far above in at most \\d+% of cases)\\.$`));
});

test('player-years are sorted by the rating they show', async () => {
    const all = await rows('/api/v1/player-years?sort=player');
    const key = (y) => `${y.player.id}:${y.year}`;
    for (const sign of [1, -1])
        for (const query of ['', '&time_class=unknown', '&judge=rating', '&from=1950&to=1975', '&active=true', '&event=13']) {
            const list = `/api/v1/player-years?sort=${sign < 0 ? '-' : ''}rating${query}`;
            const sorted = await rows(list);
            assert.ok(assertOrder(sorted, sign, list) > (query === '&event=13' ? 1 : 10), list);
            const page = await site.json(`${list}&limit=1`);
            const rest = await rows(`${list}&after=${page.next}`);
            assert.deepEqual([...page.player_years, ...rest].map(key), sorted.map(key), list);
            if (query === '') assert.deepEqual(sorted.map(key).toSorted(), all.map(key).toSorted());
        }
    for (const y of all.slice(0, 30)) {
        const { rating } = await site.json(`/api/v1/players/${y.player.id}/ratings?year=${y.year}`);
        assert.equal(y.rating.estimate, rating.estimate, key(y));
    }
});

test('players are sorted by the rating of their careers', async () => {
    const all = await rows('/api/v1/players');
    const rated = all.filter((p) => place(p) !== null);
    assert.ok(rated.length > 10 && rated.length <= all.length, `${rated.length} of ${all.length}`);
    const ids = {};
    for (const query of ['q=fischer', 'event=13', 'year=1972'])
        ids[query] = (await rows(`/api/v1/players?${query}`)).map((p) => p.id);
    for (const sign of [1, -1]) {
        const list = `/api/v1/players?sort=${sign < 0 ? '-' : ''}rating`;
        const sorted = await rows(list);
        assertOrder(sorted, sign, list);
        assert.deepEqual(sorted.map((p) => p.id).toSorted(), rated.map((p) => p.id).toSorted());
        const page = await site.json(`${list}&limit=5`);
        assert.deepEqual([...page.players, ...await rows(`${list}&after=${page.next}`)], sorted);
        for (const [query, found] of Object.entries(ids))
            assert.deepEqual(await rows(`${list}&${query}`), sorted.filter((p) => found.includes(p.id)), query);
    }
    for (const p of rated.slice(0, 10)) {
        const { rating } = await site.json(`/api/v1/players/${p.id}/ratings`);
        assert.equal(p.rating.estimate, rating.estimate, p.name);
    }
    // The samples have no time controls in their tags, and all of their evaluations are imported.
    for (const [query, n] of [['time_class=unknown', rated.length], ['time_class=blitz', 0], ['imported=false', 0]])
        assert.equal((await rows(`/api/v1/players?${query}`)).filter((p) => place(p) !== null).length, n, query);
});

/** What differs between the stored lists and the sums that they are of. */
const stale = () => sql(database, `WITH listed AS (
        SELECT list_id, player_id, year, version, games, turns, counted, at_0, at_30, strength_score,
            strength_information
        FROM listed_year
        WHERE turns > 0 OR strength_information > 0
    ), summed AS (
        SELECT l.id, coalesce(p.merged_into, p.id), v.year, sum(v.version * o.own), sum(v.games * o.own),
            sum(v.turns * o.own), sum(v.counted * o.own), sum(v.at_0 * o.own), sum(v.at_30 * o.own),
            sum(v.strength_score), sum(v.strength_information)
        FROM year_list AS l
        CROSS JOIN (
            SELECT player_id, year, judge_id, time_class, version, games, turns, counted, at_0, at_30,
                strength_score, strength_information
            FROM player_year
            UNION ALL
            SELECT player_id, 0, judge_id, time_class, version, games, turns, 0, 0, 0, strength_score,
                strength_information
            FROM player_total
        ) AS v
        INNER JOIN player AS p ON p.id = v.player_id
        CROSS JOIN LATERAL (SELECT (v.judge_id = l.judge_id)::integer AS own) AS o
        WHERE v.time_class = ANY(l.times)
        GROUP BY 1, 2, 3
        HAVING sum(v.turns * o.own) > 0 OR sum(v.strength_information) > 0
    )
    SELECT (SELECT count(*) FROM (TABLE listed EXCEPT TABLE summed) AS x)
        + (SELECT count(*) FROM (TABLE summed EXCEPT TABLE listed) AS x)
        + (SELECT count(*) FROM listed_year WHERE strength_information > 0 AND estimate IS NULL)`);

test('lists follow whatever their ratings are computed from', async () => {
    const renewed = async (what) => {
        const list = await years();
        assert.equal(stale(), '0', what);
        return list.map((y) => [y.player.id, y.year, y.turns, y.rating]);
    };
    await years('&time_class=classical');
    await years('&judge=rating');
    const before = await renewed('as it is');
    const [[first, year, , rating]] = before;
    const [second] = before.find(([player]) => player !== first);
    assert.ok(rating.turns > 0);
    const { id } = await send('POST', `/api/v1/players/${second}/merge`, { into: first, sure: true });
    assert.ok(!(await renewed('merged')).some(([player]) => player === second));
    await send('POST', `/api/v1/identity-changes/${id}/undo`);
    assert.deepEqual(await renewed('taken apart'), before);
    await send('POST', `/api/v1/players/${first}/split`, { name: 'Nobody, N', from: year, to: year });
    assert.ok(!(await renewed('split')).some(([player, of]) => player === first && of === year));
    const [game] = await rows(`/api/v1/games?player=${second}&judge=rating`);
    await send('DELETE', `/api/v1/games/${game.id}`);
    const rest = await renewed('a game less');
    sql(database, 'UPDATE year_list SET strength_version = 0');
    assert.deepEqual(await renewed('by another model'), rest);
    run(['migrate'], database);
    assert.deepEqual(await renewed('migrated'), rest);
});

test('the page of players begins by rating, and so do what follows it and its JSON', async () => {
    const ids = async (address) => [...(await (await site.get(address)).text()).matchAll(/<th scope="row"><a href="\/players\/(\d+)/g)].map(([, id]) => Number(id));
    const { players, next } = await site.json('/api/v1/players?sort=-rating&limit=2');
    assert.equal(players.length, 2);
    assert.deepEqual(await ids('/players?limit=2'), players.map(({ id }) => id));
    const html = await (await site.get('/players?limit=2')).text();
    assert.match(html, /<input type="hidden" name="sort" value="-rating">/);
    assert.ok(html.includes(`<input type="hidden" name="after" value="${next}">`));
    assert.match(html, /href="\/api\/v1\/players\?[^"]*sort=-rating/);
    const second = await site.json(`/api/v1/players?sort=-rating&limit=2&after=${next}`);
    assert.deepEqual(await ids(`/players?limit=2&sort=-rating&after=${next}`), second.players.map(({ id }) => id));
    const byMoves = await site.json('/api/v1/players?limit=2');
    assert.deepEqual(await ids('/players?limit=2&sort=-moves'), byMoves.players.map(({ id }) => id));
    const found = await site.json('/api/v1/players?q=t');
    assert.deepEqual(await ids('/players?q=t'), found.players.map(({ id }) => id), 'a search is in its own order');
});

test('a list that takes long is refused until it is complete', async () => {
    const list = '/api/v1/player-years?sort=-rating&limit=7';
    await fitted(database);
    const expected = (await years()).slice(0, 7);
    sql(database, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$;
        CREATE TRIGGER slow AFTER INSERT ON listed_year FOR EACH STATEMENT EXECUTE FUNCTION slow();
        INSERT INTO changed_year (player_id, year)
        SELECT (SELECT min(id) FROM player), 0 FROM generate_series(1, 30000)`);
    let r = await site.get(list);
    assert.equal(r.status, 503);
    assert.equal((await r.json()).type, '/problems/list_incomplete');
    assert.ok(Number(r.headers.get('retry-after')) > 0);
    assert.equal((await site.get('/players')).status, 200, 'the page has the order by moves until then');
    sql(database, 'DROP TRIGGER slow ON listed_year');
    for (let i = 0; r.status !== 200 && i < 20; i++) r = await site.get(list);
    assert.deepEqual((await r.json()).player_years, expected);
    assert.equal(stale(), '0');
});
