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
const place = ({ peak, rating }) => (peak ?? rating).estimate;

function assertOrder(list, sign, what) {
    const places = list.map(place);
    const rated = places.filter((p) => p !== null);
    assert.deepEqual(places.slice(rated.length), Array(places.length - rated.length).fill(null), `${what}: unrated last`);
    assert.deepEqual(rated, rated.toSorted((a, b) => sign * (a - b) || 0), what);
    return rated.length;
}

test('the ranking of the overview has the strongest players with enough moves, and their chances', async () => {
    const { ranking, finding } = await site.json('/api/v1/dashboard?limit=100');
    const estimates = ranking.map(({ peak }) => peak.estimate), sum = (of) => ranking.reduce((all, r) => all + of(r), 0);
    assert.ok(ranking.length > 10, `${ranking.length}`);
    assert.deepEqual(estimates, estimates.toSorted((a, b) => b - a));
    assert.ok(ranking.every(({ peak }) => peak.turns >= 1000));
    assert.ok(Math.abs(sum((r) => r.first) - 1) < 1e-6 && Math.abs(sum((r) => r.first_five) - 5) < 1e-6);
    assert.ok(ranking.every((r) => r.first <= r.first_five && r.path.length >= r.peak.to - r.peak.from + 1));
    assert.match(finding, new RegExp(`${ranking[0].name.split(',')[0]}\\b.*\\b${Math.round(estimates[0])}\\b`));
    assert.equal((await site.json('/api/v1/dashboard?limit=3')).ranking.length, 3);
    const { rating: { calibrated_range: range } } = await site.json(`/api/v1/players/${ranking[0].id}/ratings`);
    for (const { name, peak } of ranking) assert.equal(peak.extrapolated, peak.estimate < range.low || peak.estimate > range.high, name);
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

test('where nobody has many moves those with enough for a rating are ranked, and the page says how many', async (t) => {
    const url = freshDatabase(t), few = path.join(root, 'build', `few-${process.pid}.ndjson`);
    t.after(() => execFileSync('rm', ['-f', few]));
    execFileSync('sh', ['-c', 'zstd -dcq "$1" | head -6 >"$2"', 'sh', path.join(root, 'static/samples/rating.ndjson.zst'), few]);
    run(['import', few], url);
    const own = await serve(t, url), { ranking, ranked_from: from } = await own.json('/api/v1/dashboard');
    assert.equal(from, 150);
    assert.ok(ranking.length >= 2 && ranking.every(({ peak }) => peak.turns >= from && peak.turns < 1000), JSON.stringify(ranking.map(({ peak }) => peak.turns)));
    const html = await (await own.get('/', { headers: { accept: 'text/html' } })).text();
    assert.match(html, /at least 150 rated moves/);
    assert.doesNotMatch(html, /No ranking yet/);
    assert.equal((await site.json('/api/v1/dashboard')).ranked_from, 1000);
});

test('players are sorted by their strength at the peak', async () => {
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
        const { within, ...peak } = (await site.json(`/api/v1/players/${p.id}`)).peak; // which lists do without
        assert.deepEqual(peak, p.peak, p.name);
        assert.ok(within.from <= peak.from && peak.to <= within.to, p.name);
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
    const { id } = await send('POST', '/api/v1/identity-changes', { kind: 'merge', player: second, other: first, sure: true });
    assert.ok(!(await renewed('merged')).some(([player]) => player === second));
    await send('POST', '/api/v1/identity-changes', { kind: 'undo', change: id });
    assert.deepEqual(await renewed('taken apart'), before);
    await send('POST', '/api/v1/identity-changes', { kind: 'split', player: first, name: 'Nobody, N', from: year, to: year });
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
    const ranked = 'sort=-rating&moves_from=1000&limit=2';
    const { players, next, rows_left_out: left } = await site.json(`/api/v1/players?${ranked}`);
    assert.equal(players.length, 2);
    const all = await rows('/api/v1/players?sort=-rating');
    assert.equal(left, all.filter(({ peak }) => peak.turns < 1000).length);
    assert.ok(left > 0 && left < all.length, `${left} of ${all.length}`);
    assert.deepEqual(await ids('/players?limit=2'), players.map(({ id }) => id));
    const html = await (await site.get('/players?limit=2')).text();
    assert.match(html, /<input type="hidden" name="sort" value="-rating">/);
    assert.ok(html.includes(`<input type="hidden" name="after" value="${next}">`));
    assert.match(html, /href="\/api\/v1\/players\?[^"]*sort=-rating/);
    const second = await site.json(`/api/v1/players?${ranked}&after=${next}`);
    assert.deepEqual(await ids(`/players?${ranked}&after=${next}`), second.players.map(({ id }) => id));
    const byMoves = await site.json('/api/v1/players?limit=2');
    assert.deepEqual(await ids('/players?limit=2&sort=-moves'), byMoves.players.map(({ id }) => id));
    const found = await site.json('/api/v1/players?q=t');
    assert.deepEqual(await ids('/players?q=t'), found.players.map(({ id }) => id), 'a search is in its own order');
});

test('players are listed by the years of the peak and the number of moves, and what is left out is counted', async () => {
    const all = await rows('/api/v1/players?sort=-rating'), ids = (list) => list.map(({ id }) => id);
    for (const [query, keep] of [
        ['peak_from=1960', ({ peak }) => peak.to >= 1960], ['peak_to=1959', ({ peak }) => peak.from !== null && peak.from <= 1959],
        ['peak_from=1950&peak_to=1975', ({ peak }) => peak.to >= 1950 && peak.from !== null && peak.from <= 1975],
        ['moves_from=1000', ({ peak }) => peak.turns >= 1000], ['moves_to=999', ({ peak }) => peak.turns <= 999],
    ]) {
        const kept = all.filter(keep), answer = await site.json(`/api/v1/players?sort=-rating&limit=500&${query}`);
        assert.ok(kept.length > 0 && kept.length < all.length, query);
        assert.deepEqual(ids(answer.players), ids(kept), query);
        assert.equal(answer.rows_left_out, all.length - kept.length, query);
        const csv = await site.get(`/api/v1/players.csv?sort=-rating&${query}`, { headers: { origin: 'https://example.org' } });
        assert.equal(csv.headers.get('left-out'), `rows=${all.length - kept.length}`);
        assert.match(csv.headers.get('access-control-expose-headers'), /\bLeft-Out\b/);
        await csv.text();
    }
    const refused = await site.get('/api/v1/players?sort=name&moves_from=1000');
    assert.equal(refused.status, 400);
    assert.match((await refused.json()).detail, /sort.*-rating/);
});

test('who improved fastest has one answer', async () => {
    for (const era of ['as-played', 'for-its-time']) {
        const { fastest, ranked_from: moves, era: said } = await site.json(`/api/v1/dashboard?era=${era}`);
        const { players, finding } = await site.json(`/api/v1/players?sort=-rise&moves_from=${moves}&era=${era}`);
        const { rise } = players[0].peak, rises = players.map(({ peak }) => peak.rise.estimate);
        assert.equal(said, era);
        assert.equal(finding, fastest);
        assert.deepEqual(rises, rises.toSorted((a, b) => b - a));
        assert.equal(rise.to - rise.from, 5);
        assert.ok(rise.interval.low < rise.estimate && rise.estimate < rise.interval.high);
        assert.match(fastest, new RegExp(`${players[0].name.split(',')[0]} rose by ${Math.round(rise.estimate)} Elo from ${rise.from} to ${rise.to}`));
        const { path, peak } = await site.json(`/api/v1/players/${players[0].id}?era=${era}`);
        const at = (year) => path.find((p) => p.year === year).estimate;
        assert.deepEqual(peak.rise, rise);
        assert.ok(Math.abs(at(rise.to) - at(rise.from) - rise.estimate) < 1e-6);
        for (const page of ['/', `/players?sort=-rise&moves_from=${moves}`])
            assert.ok((await (await site.get(`${page}${page === '/' ? '?' : '&'}era=${era}`)).text()).includes(fastest), page);
    }
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
