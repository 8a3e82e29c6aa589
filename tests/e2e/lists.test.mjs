// Lists with filters: as JSON, NDJSON and CSV the same rows; every filter against all rows; pages
// and streams; analysed games out of one database and into another.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import http from 'node:http';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { scene } from '../golden/scene.mjs';
import { csv } from './csv.mjs';
import { freshDatabase, run, serve, sql, until } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site, database, games;

const lines = (text) => text.trimEnd().split('\n').filter(Boolean).map((line) => JSON.parse(line));
const ndjson = async (address) => {
    const r = await site.get(`${address}`, { headers: { accept: 'application/x-ndjson' } });
    assert.equal(r.status, 200, address);
    return lines(await r.text());
};

const at = (row, path) => path.split('.').reduce((v, name) => v?.[name], row);
/* CSV writes a row for each element of a list within a row: the columns are of one of them. */
const has = (row, path) => {
    const names = path.split('.'), last = names.pop();
    const lists = names.length > 0 && Array.isArray(row[names[0]]);
    if (lists) return row[names[0]].some((one) => has(one, path.slice(names[0].length + 1)));
    const holder = names.length > 0 ? at(row, names.join('.')) : row;
    return holder != null && typeof holder === 'object' && last in holder;
};

before(async () => {
    site = await scene(suite);
    database = site.url;
    /* Two games are too few for a rating. */
    const few = run(['export', '--judge=standard', '--year=1894'], database).split('\n').slice(0, 2).join('\n')
        .replaceAll('"Date":"1894', '"Date":"1895');
    await fetch(`${site.base}/api/v1/evaluations`, { method: 'POST', body: few,
        headers: { 'content-type': 'application/x-ndjson' } });
    games = await ndjson('/api/v1/games?sort=id');
    await fetch(`${site.base}/api/v1/judges`, { method: 'POST', headers: { 'content-type':
        'application/json' }, body: '{"name":"by_nodes","program":"stockfish","multipv":4,"nodes":100000}' });
});

after(async () => {
    for (const f of cleanups) await f();
});

/** The answer, once it is computed: one list is a report's. */
const settled = async (path) => {
    for (;;) {
        const response = await site.get(path);
        if (response.status !== 202) return response.text();
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
};

/** Whether CSV has the rows of a list by default, and not what a figure draws (downloads.test.mjs). */
const isList = ({ formats, params }) => formats.includes('text/csv') && !params.some(({ name, default: preset }) => name === 'rows' && preset !== null);

test('every column of every list is a member of its rows', async () => {
    const { resources } = await site.json('/api/v1');
    const lists = resources.filter((a) => a.method === 'GET' && isList(a));
    const ids = { player: 12, upload: 18 };
    const chosen = { careers: '?set=12', evidence: '?player=12' };
    const missing = [];
    assert.ok(lists.length >= 10);
    for (const list of lists) {
        const path = list.path.replace(/\{(\w+)\}/g, (_, name) => ids[name]);
        const query = chosen[list.name] ?? '';
        const { head } = csv(await settled(`${path}.csv${query}`));
        const rows = list.name === 'evaluated_games' ? (await site.json(`${path}.json`)).evaluations : await ndjson(`${path}${query}`);
        if (rows.length === 0) missing.push(`${list.name}: rows`);
        missing.push(...head.filter((column) => !rows.some((row) => has(row, column)))
            .map((column) => `${list.name}: ${column}`));
    }
    const unrated = (name) => ['extrapolated', 'interval.low', 'interval.high'].map((column) => `${name}.${column}`); // no game here has a rating
    const figure = ['estimate', 'standard_error', 'interval.low', 'interval.high', 'players', 'moves'];
    assert.deepEqual(missing.toSorted(), ['evaluated_games: turns.settled', // of one position in some 45,000
        ...['estimate', 'extrapolated', 'games', 'turns', 'interval.low', 'interval.high'].map((column) => `careers: years.rating.${column}`), // no rating here
        ...['estimate', 'interval.low', 'interval.high'].map((column) => `careers: years.strength.${column}`),
        ...figure.slice(2, 4).map((column) => `time_controls: ${column}`), // no rating here, and no rapid game
        ...['same_players', 'same_elo'].flatMap((of) => figure.map((column) => `time_controls: ${of}.${column}`)),
        ...[...unrated('peak'), ...['estimate', 'interval.low', 'interval.high', 'from', 'to'].map((column) => `peak.rise.${column}`)].map((column) => `players: ${column}`),
        ...['all_player_years', 'player'].flatMap((list) => unrated('rating').map((column) => `${list}: ${column}`))].toSorted());
});

test('JSON, NDJSON and CSV have the same rows', async () => {
    const query = 'sort=date&player=12&limit=20';
    const page = await site.json(`/api/v1/games?${query}`);
    const table = csv(await (await site.get(`/api/v1/games.csv?${query}`)).text());
    assert.equal(page.games.length, 20);
    assert.deepEqual(page.games, await ndjson(`/api/v1/games?${query}`));
    page.games.forEach((game, i) => {
        for (const column of table.head) {
            const value = at(game, column) ?? '';
            const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
            assert.equal(table.rows[i][column], text, column);
        }
    });
    const few = await site.json(`/api/v1/games?${query}&fields=id,white.name`);
    assert.deepEqual(few.games, page.games.map((g) => ({ id: g.id, white: { name: g.white.name } })));
    assert.deepEqual(await ndjson(`/api/v1/games?${query}&fields=id,white.name`), few.games);
    assert.deepEqual(await ndjson('/api/v1/players/12'), (await site.json('/api/v1/players/12')).years);
});

/* The body as it is sent. */
const raw = (path, headers) => new Promise((resolve, reject) => {
    http.get(`${site.base}${path}`, { headers }, (r) => {
        const chunks = [];
        r.on('data', (chunk) => chunks.push(chunk));
        r.on('end', () => resolve({ headers: r.headers, status: r.statusCode,
            body: Buffer.concat(chunks) }));
        r.on('error', reject);
    }).on('error', reject);
});

test('streams of rows are compressed as the client allows', async () => {
    const unpack = { gzip: (b) => gunzipSync(b), zstd: (b) => execFileSync('zstd', ['-dc'],
        { input: b, maxBuffer: 1 << 26 }) };
    for (const path of ['/api/v1/games.ndjson', '/api/v1/games.csv', '/api/v1/evaluations.ndjson']) {
        const plain = await raw(path, {});
        assert.equal(plain.headers['content-encoding'], undefined);
        for (const coding of ['gzip', 'zstd']) {
            const r = await raw(path, { 'accept-encoding': coding });
            assert.equal(r.headers['content-encoding'], coding, path);
            assert.ok(r.body.length < plain.body.length / 2, `${path}: ${r.body.length} bytes`);
            assert.ok(unpack[coding](r.body).equals(plain.body), `${path} by ${coding}`);
        }
    }
    const few = await raw('/api/v1/games.csv?limit=1', { 'accept-encoding': 'gzip' });
    assert.equal(few.headers['content-encoding'], undefined);
    assert.equal((await raw('/api/v1/games.csv', { 'accept-encoding': '*;q=0' })).status, 406);
});

test('pages join to the stream, in every order', async () => {
    const place = (g) => [g.year ?? 0, g.date ?? '', g.id];
    const before = (a, b) => {
        const [x, y] = [place(a), place(b)];
        for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1;
        return 0;
    };
    const orders = { id: (a, b) => a.id - b.id, '-id': (a, b) => b.id - a.id, date: before,
        '-date': (a, b) => before(b, a) };
    for (const [sort, compare] of Object.entries(orders)) {
        const paged = [];
        for (let next = `/api/v1/games?sort=${sort}&limit=67`; next;) {
            const r = await site.get(next), page = await r.json();
            paged.push(...page.games);
            next = /<(.*)>; rel="next"/.exec(r.headers.get('link') ?? '')?.[1];
            assert.equal(next !== undefined, page.next !== null);
        }
        assert.deepEqual(paged.map((g) => g.id), games.toSorted(compare).map((g) => g.id), sort);
        assert.deepEqual(paged, await ndjson(`/api/v1/games?sort=${sort}`));
    }
    const page = await site.json('/api/v1/games?sort=-date&limit=100');
    assert.deepEqual(await ndjson(`/api/v1/games?sort=-date&after=${page.next}`),
        games.toSorted(orders['-date']).slice(100));
});

test('every filter, alone and with others', async () => {
    const sent = new Set(sql(database, 'SELECT game_id FROM upload_game WHERE upload_id = 18')
        .split('\n').map(Number));
    const filters = {
        'player=12': (g) => [g.white.id, g.black.id].includes(12),
        'player=12&color=white': (g) => g.white.id === 12,
        'player=12&color=black': (g) => g.black.id === 12,
        'player=12&opponent=11': (g) => [12, 11].every((id) => [g.white.id, g.black.id].includes(id)),
        'player=12&opponent=11&color=black': (g) => g.black.id === 12 && g.white.id === 11,
        'year=1972': (g) => g.year === 1972,
        'from=1960': (g) => g.year >= 1960,
        'to=1960': (g) => g.year !== null && g.year <= 1960,
        'from=1950&to=1960': (g) => g.year >= 1950 && g.year <= 1960,
        'event=13': (g) => g.event_id === 13,
        'result=1-0': (g) => g.result === '1-0',
        'result=1/2-1/2': (g) => g.result === '1/2-1/2',
        'result=*': (g) => g.result === '*',
        'elo_from=2650': (g) => g.white.elo >= 2650 && g.black.elo >= 2650,
        'elo_to=2700': (g) => g.white.elo !== null && g.black.elo !== null &&
            g.white.elo <= 2700 && g.black.elo <= 2700,
        'judge=standard': (g) => g.judged_by.includes('standard'),
        'judge=second': (g) => g.judged_by.includes('second'),
        'judge=quick': () => false,
        'time_class=blitz': (g) => g.time_class === 'blitz',
        'time_class=blitz,unknown': (g) => ['blitz', 'unknown'].includes(g.time_class),
        'upload=18': (g) => sent.has(g.id),
    };
    const ask = async (query, keep) => {
        const got = await ndjson(`/api/v1/games?sort=id&${query}`);
        assert.deepEqual(got.map((g) => g.id), games.filter(keep).map((g) => g.id), query);
        return got.length;
    };
    const none = ['judge=quick', 'result=*'];
    for (const [query, keep] of Object.entries(filters))
        assert.equal(await ask(query, keep) > 0, !none.includes(query) || games.some(keep), query);
    const all = Object.entries(filters), name = (q) => q.split('&').map((p) => p.split('=')[0]);
    for (const [q1, f1] of all)
        for (const [q2, f2] of all)
            if (q1 < q2 && !name(q1).some((n) => name(q2).includes(n)) &&
                !(/year/.test(q1 + q2) && /from=|to=/.test(q1 + q2)))
                await ask(`${q1}&${q2}`, (g) => f1(g) && f2(g));
    for (const wrong of ['opponent=11', 'color=white', 'year=1972&from=1970', 'from=1972&to=1970',
        'elo_from=2600&elo_to=2500', 'sort=elo', 'after=x',
        'after=1-2', 'fields=elo', 'fields=,', 'judge=nobody', 'elo=2600'])
        assert.equal((await site.get(`/api/v1/games?${wrong}`)).status, 400, wrong);
});

/** All rows of a list, page by page. */
async function paged(address, member) {
    const rows = [];
    for (let next = address; next;) {
        const r = await site.get(next), page = await r.json();
        assert.equal(r.status, 200, `${next}: ${page.detail}`);
        rows.push(...page[member]);
        next = /<(.*)>; rel="next"/.exec(r.headers.get('link') ?? '')?.[1];
    }
    return rows;
}

test('events by player, years and in both orders', async () => {
    const all = await paged('/api/v1/events?limit=7', 'events');
    const ids = (list) => list.map((e) => e.id);
    const of = (player) => new Set(games.filter((g) => [g.white.id, g.black.id].includes(player)).map((g) => g.event_id));
    const upwards = (list) => [false, true].flatMap((part) => list.filter((e) => e.part === part).toReversed());
    assert.ok(all.some(({ part }) => part) && all.some(({ part }) => !part));
    assert.deepEqual(ids(all), ids([false, true].flatMap((part) => all.filter((e) => e.part === part))), 'whole ones first');
    assert.deepEqual(ids(await paged('/api/v1/events?sort=year&limit=7', 'events')), ids(upwards(all)));
    for (const [query, fits] of Object.entries({
        'player=12': (e) => of(12).has(e.id),
        'player=12&q=championship': (e) => of(12).has(e.id) && /championship/i.test(e.name),
        'player=12&from=1971': (e) => of(12).has(e.id) && e.year >= 1971,
        'from=1950&to=1970': (e) => e.year >= 1950 && e.year <= 1970,
        'to=1910': (e) => e.year && e.year <= 1910,
        'q=championship&from=1960': (e) => e.year >= 1960 && /championship/i.test(e.name),
    })) {
        const want = all.filter(fits);
        assert.ok(want.length > 0 && want.length < all.length, query);
        assert.deepEqual(ids(await paged(`/api/v1/events?${query}&limit=2`, 'events')), ids(want), query);
        assert.deepEqual(ids(await paged(`/api/v1/events?${query}&sort=year&limit=2`, 'events')),
            ids(upwards(want)), query);
    }
    assert.equal((await site.get('/api/v1/events?year=1972&from=1970')).status, 400);
});

// Games of an event as PGN: each the players' numbers, white first, and a round.
const opening = (i) => `${'abcdefgh'[i % 8]}${3 + Math.floor(i / 8) % 2}`;
const eventOf = (name, games, date = '2001.05.??') => games.map(([white, black, round = '?'], i) => `[Event "${name}"]
[Date "${date}"]
[Round "${round}"]
[White "Player, ${name} ${white}"]
[Black "Player, ${name} ${black}"]
[Result "1-0"]

1. ${opening(i)} e5 1-0

`).join('');
const pairs = (n, keep = () => true) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, k) => [i, k]))
    .flat().filter(([i, k]) => i < k && keep(i, k));

test('events of which games are missing follow the others, and are called so', async (t) => {
    const own = await serve(t, freshDatabase(t));
    const stored = async (text) => {
        const { id } = await (await own.post(text)).json();
        await until('the upload is stored', async () => (await own.json(`/api/v1/uploads/${id}`)).state === 'stored');
        return id;
    };
    const whole = {
        'Round robin': pairs(8), 'Match': [[0, 1], [1, 0], [0, 1]],
        'Swiss': [0, 1, 2].flatMap((r) => Array.from({ length: 6 }, (_, i) => [i, 6 + (i + r) % 6, r + 1])),
        'Knockout': [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [4, 6], [0, 4]],
        'Teams': pairs(8, (i, k) => i < 4 && k >= 4),
    };
    const part = {
        'Star': pairs(9, (i) => i === 0), 'Two stars': pairs(9, (i) => i < 2), 'Half of the field': pairs(8, (i) => i < 4),
        'Single game': [[0, 1]], 'Round seven': [[0, 1, 7], [1, 0, 8]], 'Two of three': [[0, 1], [0, 2]],
        'Two of four': [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]].flatMap((pair) => [pair, pair.toReversed()]), 'Rounds of one': [[0, 1, 1], [0, 2, 2], [0, 3, 3]],
    };
    const text = Object.entries({ ...whole, ...part }).map(([name, games]) => eventOf(name, games)).join('')
        + eventOf('Simul', pairs(9, (i) => i === 0), '2001.05.06');
    const first = await stored(text);
    const { events } = await own.json('/api/v1/events?limit=100');
    assert.deepEqual(events.filter((e) => !e.part).map((e) => e.name).toSorted(), [...Object.keys(whole), 'Simul'].toSorted());
    assert.deepEqual(events.filter((e) => e.part).map((e) => e.name).toSorted(), Object.keys(part).toSorted());
    assert.ok(events.findIndex((e) => e.part) === Object.keys(whole).length + 1);
    for (const { id, name, part: listed } of events.filter((e) => e.name !== 'Simul')) { // whose games are of one player
        const { incomplete, only_player: only } = await own.json(`/api/v1/events/${id}`);
        assert.equal(Boolean(incomplete ?? only), listed, `${name}: ${incomplete}`);
    }
    const page = (await (await own.get('/events')).text()).replaceAll(/<[^>]*>/g, '');
    assert.match(page, /some games of Two stars/);
    assert.doesNotMatch(page, /some games of (Swiss|Knockout|Teams|Simul|Match|Round robin)/);

    // The events of an upload, one link from it; games that it has again count, too.
    const again = await stored(eventOf('Match', whole.Match) + eventOf('Other', [[0, 1], [1, 0]]));
    const names = async (upload) => (await own.json(`/api/v1/events?upload=${upload}&limit=100`)).events.map((e) => e.name).toSorted();
    assert.deepEqual(await names(first), events.map((e) => e.name).toSorted());
    assert.deepEqual(await names(again), ['Match', 'Other']);
    assert.deepEqual(await names(again + 1), []);
    assert.match(await (await own.get(`/uploads/${first}`)).text(), new RegExp(`<a href="/events\\?upload=${first}">Its events</a>`));
    assert.match((await (await own.get(`/events?upload=${again}`)).text()).replaceAll(/<[^>]*>/g, ''), new RegExp(`Those of upload ${again}[^]*Match`));
    assert.equal((await own.get(`/api/v1/events?upload=${first}&player=1`)).status, 400);

    // More games make an event whole, and without them it is not.
    const added = await stored(eventOf('Two stars', pairs(9, (i) => i >= 2)));
    const two = async () => (await own.json('/api/v1/events?q=two+stars')).events[0].part;
    assert.equal(await two(), false);
    assert.ok((await fetch(`${own.base}/api/v1/uploads/${added}`, { method: 'DELETE' })).ok);
    await until('without them it is not', two);
});

test('players by event, years and name', async () => {
    const all = await paged('/api/v1/players?limit=5', 'players');
    const met = (fits) => new Set(games.filter(fits).flatMap((g) => [g.white.id, g.black.id]));
    const byName = all.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || a.id - b.id);
    assert.deepEqual(await paged('/api/v1/players?sort=name&limit=5', 'players'), byName);
    assert.deepEqual(await paged('/api/v1/players?sort=-name&limit=5', 'players'), byName.toReversed());
    for (const [query, set] of Object.entries({
        'event=13': met((g) => g.event_id === 13),
        'year=1972': met((g) => g.year === 1972),
        'from=1960&to=1966': met((g) => g.year >= 1960 && g.year <= 1966),
        'to=1900': met((g) => g.year && g.year <= 1900),
        'event=13&year=1972': met((g) => g.event_id === 13 && g.year === 1972),
    })) {
        const want = all.filter((p) => set.has(p.id));
        assert.ok(want.length > 0 && want.length < all.length, query);
        assert.deepEqual(await paged(`/api/v1/players?${query}&limit=2`, 'players'), want, query);
    }
    const fischer = await paged('/api/v1/players?q=fischer&year=1972', 'players');
    const ids = ({ players }) => players.map(({ id }) => id);
    assert.deepEqual(ids(await site.json('/api/v1/players?q=fischer%201972')), ids(await site.json('/api/v1/players?q=fischer')), 'no name has a year');
    assert.deepEqual(fischer.map((p) => p.id), [12]);
});

/** Lists of the API with a cursor: {path, columns of their parameters}. */
async function cursors() {
    const { resources } = await site.json('/api/v1');
    const ids = { upload: 16, event: 20 };
    return resources.filter((r) => r.method === 'GET' && r.params.some((p) => p.name === 'after'))
        .map((r) => ({ name: r.name, formats: r.formats, params: r.params, path: r.path.replace(/\{(\w+)\}/g, (_, id) => ids[id]) }));
}

test('a cursor is of one list, and its address is in every format', async () => {
    const lists = await cursors(), known = [];
    assert.ok(lists.length >= 10);
    for (const { name, path, formats, params } of lists) {
        const { next } = await site.json(`${path}.json?limit=1`).catch(() => ({ next: null }));
        if (next === null) continue;
        known.push({ name, path, next });
        for (const suffix of ['', '.json', '.ndjson', '.csv']) {
            if (suffix !== '' && !formats.some((f) => f.includes(suffix.slice(1)))) continue;
            const r = await site.get(`${path}${suffix}?limit=1`);
            await r.text();
            if (!isList({ formats, params })) continue;
            assert.equal(r.headers.get('link'), `<${path}${suffix}?limit=1&after=${encodeURIComponent(next)}>; rel="next"`);
        }
    }
    assert.ok(known.length >= 7, known.map((l) => l.name).join());
    for (const a of known)
        for (const b of known) {
            const r = await site.get(`${a.path}.json?limit=1&after=${encodeURIComponent(b.next)}`);
            const { detail } = await r.json();
            assert.equal(r.status, a === b ? 200 : 400, `${a.name} with the cursor of ${b.name}`);
            if (a !== b) assert.match(detail, /^after: expected a cursor/);
        }
});

test('a cursor whose row is gone is refused, or the list goes on', async () => {
    const gone = { '/api/v1/players?sort=name': '0-999999', '/api/v1/player-years?sort=-rating': '1972-999999',
        '/api/v1/player-years': '1899-12', '/api/v1/events/20': '999999' };
    for (const [list, row] of Object.entries(gone)) {
        const { next } = await site.json(`${list}${list.includes('?') ? '&' : '?'}limit=2`);
        const r = await site.get(`${list}${list.includes('?') ? '&' : '?'}after=${next.replace(/\..*/, `.${row}`)}`);
        assert.deepEqual([r.status, (await r.json()).type], [400, '/problems/bad_parameter'], list);
    }
    const page = await site.json('/api/v1/player-years?sort=-ipr&limit=3');
    sql(database, 'DELETE FROM rating');
    const rest = await site.json(`/api/v1/player-years?sort=-ipr&limit=500&after=${page.next}`);
    const names = (rows) => rows.map((y) => `${y.player.id}:${y.year}`);
    const seen = new Set(names([...page.player_years, ...rest.player_years]));
    assert.deepEqual(names(await ndjson('/api/v1/player-years')).filter((name) => !seen.has(name)), []);
});

test('a person is found by any of its identities', async () => {
    const member = Number(sql(database, 'SELECT max(id) FROM player WHERE merged_into = 10'));
    const whole = await ndjson('/api/v1/games?sort=id&player=10');
    assert.ok(member > 0 && whole.length > 0);
    assert.deepEqual(await ndjson(`/api/v1/games?sort=id&player=${member}`), whole);
    assert.ok(whole.every((g) => [g.white.id, g.black.id].includes(10)));
});

test('games are found by year, month and day', async () => {
    const all = await ndjson('/api/v1/games?sort=id');
    assert.ok(all.some(({ date }) => /\?/.test(date ?? '')), 'some have no day');
    for (const [query, wanted] of [['from=1972-07-20&to=1972-08', (date) => date >= '1972.07.20' && date < '1972.08~'],
        ['from=1972-08', (date) => date >= '1972.08'], ['to=1910-02-05', (date) => date < '1910.02.05~'],
        ['from=1972-07-11&to=1972-07-11', (date) => date === '1972.07.11'], ['from=1972&to=1972-07', (date) => date >= '1972' && date < '1972.07~'],
        ['to=1900', (date) => date < '1901'], ['from=1961-04&to=1961', (date) => date >= '1961.04' && date < '1962']]) {
        const want = all.filter(({ date, year }) => year && wanted(date)).map(({ id }) => id);
        assert.ok(want.length > 0 && want.length < all.length, query);
        assert.deepEqual((await ndjson(`/api/v1/games?sort=id&${query}`)).map(({ id }) => id), want, query);
    }
    const judged = (await paged('/api/v1/evaluations.json?limit=20&judge=standard&from=1972-07-20&to=1972-08', 'evaluations')).map(({ id }) => id);
    assert.deepEqual(judged, (await ndjson('/api/v1/games?sort=id&judge=standard&from=1972-07-20&to=1972-08')).map(({ id }) => id));
    for (const [query, says] of [['from=1972-13', /from: expected a date as 2024, 2024-05 or 2024-05-31, got "1972-13"/],
        ['to=1972-02-30', /to: expected a date/], ['from=72', /from: expected a date/],
        ['from=1972-08&to=1972-07-20', /from: expected at most 1972-07-20, the value of to, got "1972-08"/]]) {
        const r = await site.get(`/api/v1/games?${query}`);
        assert.equal(r.status, 400, query);
        assert.match((await r.json()).detail, says);
    }
});

test('games and players are found by the day on which they were stored', async () => {
    const all = await ndjson('/api/v1/games?sort=id'), players = await ndjson('/api/v1/players');
    const ids = (rows) => rows.map(({ id }) => id).sort((a, b) => a - b);
    const [old, day] = [all.slice(0, -3), all.slice(-3)].map((some) => ids(some));
    sql(database, `UPDATE game SET created = CASE WHEN id = ANY('{${day}}') THEN '2031-05-31 23:59:59Z' ELSE '2031-05-30 23:59:59Z' END::timestamptz;
        UPDATE upload SET ended = created + interval '10 years' WHERE ended IS NOT NULL`);
    const played = ids([...new Map(day.flatMap((id) => { const g = all.find((one) => one.id === id); return [g.white, g.black]; }).map((p) => [p.id, p])).values()]);
    assert.ok(old.length > 100 && played.length >= 2 && played.length < players.length);
    for (const [since, want] of [['2031-05-31', day], ['2031-05-30', ids(all)], ['2031-05', ids(all)], ['2031', ids(all)], ['2031-06-01', []], ['2032', []]]) {
        assert.deepEqual(ids(await ndjson(`/api/v1/games?created_since=${since}`)), want, since);
        assert.deepEqual(ids(await paged(`/api/v1/games?sort=-id&limit=500&created_since=${since}`, 'games')), want, since);
    }
    for (const sort of ['', '&sort=name']) {
        assert.deepEqual(ids(await ndjson(`/api/v1/players?created_since=2031-05-31${sort}`)), played);
        assert.deepEqual(ids(await ndjson(`/api/v1/players?created_since=2031-05${sort}`)), ids(players));
        assert.deepEqual(await ndjson(`/api/v1/players?created_since=2032${sort}`), []);
    }
    const rated = ids(await ndjson('/api/v1/players?sort=-rating'));
    assert.deepEqual(ids(await ndjson('/api/v1/players?sort=-rating&created_since=2031-05-31')), rated.filter((id) => played.includes(id)));
    const one = (await ndjson('/api/v1/games?sort=id')).find(({ id }) => id === day[0]);
    assert.deepEqual(ids(await ndjson(`/api/v1/games?created_since=2031-05-31&player=${one.white.id}`)),
        ids(all.filter((g) => day.includes(g.id) && [g.white.id, g.black.id].includes(one.white.id))));
    for (const [path, says] of [['/games?created_since=yesterday', /created_since: expected a date as 2024, 2024-05 or 2024-05-31, got "yesterday"/],
        ['/players?created_since=2031-02-30', /created_since: expected a date/], ['/players?created_since=2031&ids=12', /ids.*created_since|created_since.*ids/]]) {
        const r = await site.get(`/api/v1${path}`);
        assert.equal(r.status, 400, path);
        assert.match((await r.json()).detail, says);
    }
});

test('players are found by ids, by FIDE id and by the name in the tags', async () => {
    const found = async (query) => (await site.json(`/api/v1/players?${query}`)).players.map(({ id }) => id);
    const member = Number(sql(database, 'SELECT max(id) FROM player WHERE merged_into = 10'));
    assert.deepEqual(await found(`ids=12,${member},99999,6`), [6, 10, 12]);
    const [, other] = sql(database, `SELECT min(id), max(id) FROM player WHERE fide_id IS NULL AND merged_into IS NULL`).split('\t');
    sql(database, `UPDATE player SET fide_id = 1503014 WHERE id = ${other}`);
    assert.deepEqual(await found('fide_id=1503014'), [Number(other)]);
    assert.deepEqual(await found('fide_id=4'), []);
    sql(database, `UPDATE player SET fide_id = NULL WHERE id = ${other}`);
    assert.deepEqual(await found('name=FISCHER,+ROBERT+j'), [12]);
    assert.deepEqual(await found('name=fischer'), [], 'no beginning');
    for (const [query, says] of [['ids=12&q=tal', /ids: expected only without/], ['ids=x', /ids: expected/], ['name=%3F', /name: expected a name/],
        ['ids=6,12&limit=1', /limit: expected at least 2/]]) {
        const r = await site.get(`/api/v1/players?${query}`);
        assert.equal(r.status, 400, query);
        assert.match((await r.json()).detail, says);
    }
});

test('analysed games leave over HTTP as from the command line', async () => {
    const r = await site.get('/api/v1/evaluations.ndjson');
    assert.equal(r.headers.get('content-type'), 'application/x-ndjson');
    assert.equal(await r.text(), run(['export', '--judge=standard'], database));
    const some = await site.get('/api/v1/evaluations.ndjson?event=13&judge=standard');
    const event = sql(database, 'SELECT name FROM event WHERE id = 13');
    assert.equal(await some.text(), run(['export', '--judge=standard', `--event=${event}`], database));
    for (const filter of ['player=12&opponent=11', 'player=12&color=black&result=1-0', 'elo_from=2600&elo_to=2790',
        'year=1972&time_class=classical,unknown']) {
        const moves = async (address) => lines(await (await site.get(address)).text()).length;
        const n = await moves(`/api/v1/games.ndjson?judge=standard&${filter}`);
        assert.ok(n > 0, filter);
        assert.equal(await moves(`/api/v1/evaluations.ndjson?judge=standard&${filter}`), n, filter);
    }
    const page = await site.get('/api/v1/evaluations.ndjson?limit=3&player=12');
    assert.equal(lines(await page.text()).length, 3);
    for (const [accept, type] of [['*/*', 'application/json'], ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
        ['application/json;q=0, */*', 'application/x-ndjson']]) // a named type is refused whatever */* says
        assert.equal((await site.get('/api/v1/evaluations?limit=1', { headers: { accept } })).headers.get('content-type'), type);
    assert.equal((await site.get('/api/v1/evaluations',
        { headers: { accept: 'text/html' } })).status, 406);
    assert.equal(await (await site.get('/api/v1/evaluations.ndjson?judge=quick')).text(), '');
});

test('analysed games as JSON are the lines with ids, as CSV a line a turn', async () => {
    const query = 'player=12&color=white&limit=4';
    const page = await (await site.get(`/api/v1/evaluations?${query}`, { headers: { accept: 'application/json' } })).json();
    const ids = (await ndjson('/api/v1/games?sort=id&judge=standard&player=12&color=white')).map((g) => g.id);
    assert.deepEqual(page.evaluations.map((g) => g.id), ids.slice(0, 4));
    assert.deepEqual(page.evaluations.map(({ id, domain, ...line }) => line), await ndjson(`/api/v1/evaluations?${query}`));
    assert.ok(page.evaluations.every((g) => g.domain === 'chess'));
    const all = await paged(`/api/v1/evaluations.json?${query.replace('4', '3')}`, 'evaluations');
    assert.deepEqual(all.map((g) => g.id), ids);
    const table = csv(await (await site.get(`/api/v1/evaluations.csv?${query}`)).text());
    const turns = page.evaluations.flatMap((g) => g.turns.map((turn) => ({ g, turn })));
    assert.equal(table.rows.length, turns.length);
    turns.forEach(({ g, turn }, i) => {
        const row = table.rows[i];
        assert.deepEqual([row.id, row['tags.White'], row['judge.name'], row['turns.ply'], row['turns.played']],
            [g.id, g.tags.White, 'standard', turn.ply, turn.played].map(String));
        assert.deepEqual(JSON.parse(row['turns.scores']), turn.scores);
    });
    const few = await site.json(`/api/v1/evaluations.json?${query}&fields=id,judge.name,turns.ply`);
    assert.deepEqual(few.evaluations, page.evaluations.map((g) => ({ id: g.id, judge: { name: g.judge.name },
        turns: g.turns.map(({ ply }) => ({ ply })) })));
    assert.deepEqual(await ndjson(`/api/v1/evaluations?${query}&fields=id,judge.name,turns.ply`), few.evaluations);
});

test('a stream ends with its reader, and takes no memory meanwhile', async () => {
    const peak = () => Number(/VmHWM:\s+(\d+)/.exec(
        readFileSync(`/proc/${site.child.pid}/status`, 'utf8'))[1]);
    const before = peak();
    const cut = () => [...site.log().matchAll(/path="\/api\/v1\/evaluations\.ndjson" status=200 .* bytes=(\d+) cut=true/g)];
    const seen = cut().length;
    const leave = () => new Promise((resolve, reject) => {
        const request = http.get(`${site.base}/api/v1/evaluations.ndjson`, { agent: false }, (answer) => {
            answer.once('data', () => { /* reads one piece, waits, and goes */
                answer.pause();
                setTimeout(() => { request.destroy(); resolve(); }, 1000);
            });
        });
        request.on('error', reject);
    }).catch((e) => { if (e.code !== 'ECONNRESET') throw e; });
    await until('the stream is given up', async () => {
        await leave(); // buffers of the system may take all of one on a busy machine
        return cut().length > seen;
    });
    const whole = (await (await site.get('/api/v1/evaluations.ndjson')).arrayBuffer()).byteLength;
    assert.ok(Number(cut().at(-1)[1]) < whole / 2, `${cut().at(-1)[1]} of ${whole} bytes were made`);
    assert.ok(peak() - before < 32 * 1024, `${peak() - before} KiB more`);
});

test('an id that nothing has gives an empty list, a name that nothing has a refusal', async () => {
    for (const [list, filters] of Object.entries({ games: ['player', 'event', 'upload'], players: ['event'], events: ['player'],
        'player-years': ['player', 'event'], evaluations: ['player', 'event', 'upload', 'game'] })) {
        for (const filter of filters) {
            const r = await site.get(`/api/v1/${list}.ndjson?${filter}=999999`);
            assert.deepEqual([r.status, await r.text()], [200, ''], `${list} ${filter}`);
        }
        const r = await site.get(`/api/v1/${list}?judge=nobody`);
        assert.equal(r.status, 400);
        assert.match((await r.json()).detail, /^judge: expected /, list);
    }
});

test('uploads are listed with who sent them', async () => {
    const rows = await ndjson('/api/v1/uploads');
    assert.equal(rows.length, Number(sql(database, 'SELECT count(*) FROM upload')));
    assert.ok(rows.every((row, i) => i === 0 || row.id < rows[i - 1].id));
    for (const row of rows.slice(0, 3)) {
        const one = await site.json(`/api/v1/uploads/${row.id}`);
        assert.deepEqual(Object.fromEntries(Object.keys(row).map((name) => [name, one[name]])), row);
    }
    assert.deepEqual(new Set(rows.map((row) => row.created_by)), new Set(['import', 'local']));
    const first = await site.json('/api/v1/uploads?limit=4');
    assert.deepEqual(await ndjson(`/api/v1/uploads?after=${first.next}`), rows.slice(4));
    const r = await site.post('[White "Tal, M"]\n[Black "Keres, P"]\n[Date "1959.01.01"]\n\n1. e4 *\n');
    assert.equal((await r.json()).created_by, 'local');
});

test('player-years come with their ratings in one call', async () => {
    const all = await ndjson('/api/v1/player-years?sort=player');
    const want = Number(sql(database, `SELECT count(*) FROM (
        SELECT coalesce(p.merged_into, p.id), y.year FROM player_year AS y
        INNER JOIN player AS p ON p.id = y.player_id INNER JOIN judge AS j ON j.id = y.judge_id
        WHERE j.name = 'standard' AND y.time_class IN (0, 1, 16, 17)
        GROUP BY 1, 2 HAVING sum(y.turns) > 0) AS x`));
    assert.equal(all.length, want);
    for (const id of new Set(all.slice(0, 20).map((row) => row.player.id))) {
        const { years, name } = await site.json(`/api/v1/players/${id}`);
        for (const row of all.filter((y) => y.player.id === id)) {
            const { bayes_elo: agent, player: who, ...rest } = row;
            assert.deepEqual(rest, years.find((y) => y.year === row.year));
            assert.deepEqual(who, { id, name });
            if (!agent) continue;
            const { bayes } = await site.json(`/api/v1/players/${id}/ratings?year=${row.year}`);
            assert.equal(agent.estimate, bayes.elo?.estimate ?? null);
            assert.equal(agent.standard_error, bayes.elo?.standard_error ?? null);
        }
    }
    assert.ok(all.some((row) => row.bayes_elo?.estimate > 0));
    assert.ok(all.every((row) => row.ipr.estimate !== null ? row.ipr.standard_error > 0 : row.ipr.reason));

    const filters = {
        'player=12': (y) => y.player.id === 12,
        'year=1972': (y) => y.year === 1972,
        'from=1960&to=1970': (y) => y.year >= 1960 && y.year <= 1970,
        'active=true': (y) => y.active,
        'active=false': (y) => !y.active,
        'turns_from=500': (y) => y.turns >= 500,
    };
    for (const [query, keep] of Object.entries(filters)) {
        const got = await ndjson(`/api/v1/player-years?sort=player&${query}`);
        assert.deepEqual(got, all.filter(keep), query);
        assert.ok(got.length > 0, query);
        const { rows_left_out: left } = await site.json(`/api/v1/player-years?limit=1&${query}`);
        assert.equal(left, all.length - got.length, query);
    }
    const event = new Set((await ndjson('/api/v1/games?event=13'))
        .flatMap((g) => [g.white.id, g.black.id].map((id) => `${id} ${g.year}`)));
    assert.deepEqual(await ndjson('/api/v1/player-years?sort=player&event=13'),
        all.filter((y) => event.has(`${y.player.id} ${y.year}`)));

    const keys = { ipr: (y) => y.ipr.estimate, moves: (y) => y.turns, year: (y) => y.year };
    for (const [name, key] of Object.entries(keys))
        for (const sign of [1, -1]) {
            const sorted = all.toSorted((a, b) => (key(a) === null) - (key(b) === null) ||
                sign * (key(a) - key(b)) || a.player.id - b.player.id || a.year - b.year);
            const sort = `${sign < 0 ? '-' : ''}${name}`;
            assert.deepEqual(await ndjson(`/api/v1/player-years?sort=${sort}`), sorted, sort);
            const page = await site.json(`/api/v1/player-years?sort=${sort}&limit=7`);
            const rest = await site.json(`/api/v1/player-years?sort=${sort}&limit=500&after=${page.next}`);
            assert.deepEqual([...page.player_years, ...rest.player_years], sorted, sort);
        }
    assert.deepEqual(await ndjson('/api/v1/player-years?judge=quick'), []);
    const blitz = await ndjson('/api/v1/player-years?time_class=blitz');
    assert.ok(blitz.length > 0 && blitz.every((row) => row.year === 1962));
});

test('a list of player-years says what is not in it, and a table what is only a bound', async () => {
    const year = (row) => `${row.player.id} ${row.year}`;
    const analysed = sql(database, `SELECT DISTINCT coalesce(p.merged_into, p.id) || ' ' || y.year
        FROM player_year AS y INNER JOIN player AS p ON p.id = y.player_id
        WHERE y.turns > 0 AND y.year > 0 AND y.time_class IN (0, 1, 16, 17)`).trim().split('\n');
    for (const judge of ['standard', 'second']) {
        const { player_years: rows, rows_left_out: left, other_settings: others } =
            await site.json(`/api/v1/player-years?judge=${judge}&limit=500`);
        const listed = new Set(rows.map(year));
        assert.ok(listed.size > 0, judge);
        assert.equal(left, 0, 'without a filter none is left out');
        assert.equal(others, analysed.filter((one) => !listed.has(one)).length, judge);
        const [first] = rows;
        const response = await site.get(`/api/v1/player-years.csv?judge=${judge}&player=${first.player.id}`);
        const kept = rows.filter(({ player }) => player.id === first.player.id).length;
        assert.equal(response.headers.get('left-out'), `rows=${rows.length - kept}, other_settings=${others}`);
    }
    assert.ok((await site.json('/api/v1/player-years?judge=second')).other_settings > 0);
    const censored = csv(await (await site.get('/api/v1/player-years.csv')).text())
        .rows.filter((row) => row['bayes_elo.censored'] !== '');
    assert.ok(censored.length > 0);
    for (const row of censored) {
        const above = row['bayes_elo.censored'] === 'above';
        assert.equal(row['bayes_elo.estimate'], '', 'no estimate beyond the range');
        assert.equal(above, row['bayes_elo.bound.low'] !== '');
        assert.equal(above, row['bayes_elo.interval.high'] === '', 'the interval is open on that side');
    }
});

test('a page rates a bounded number of player-years, a stream all', async () => {
    sql(database, 'DELETE FROM rating');
    const page = await site.json('/api/v1/player-years?sort=-ipr&limit=500');
    const pending = page.player_years.filter((row) => row.pending);
    assert.ok(pending.length > 0 && pending.length < page.player_years.length);
    assert.ok(pending.every((row) => row.ipr.reason === 'not computed yet'));
    const all = await ndjson('/api/v1/player-years?sort=-ipr');
    assert.ok(all.every((row) => !row.pending));
});

test('no cell of CSV is a formula', async () => {
    const texts = ['=1+1', '+1', '-1+2', '@sum', '=HYPERLINK("x")'];
    const game = (text, i) => `[Event "${text.replaceAll('"', '\\"')}"]\n[White "Adler, Ann"]\n[Black "Brandt, Bo"]\n[Date "1801.01.0${i + 1}"]\n\n1. ${'abcdef'[i]}4 *\n\n`;
    assert.equal((await site.post(texts.map(game).join(''), '?analyse=false')).status, 202);
    const rows = csv(await (await site.get('/api/v1/events.csv?year=1801')).text()).rows.map((e) => e.name);
    assert.deepEqual(rows.toSorted(), texts.map((text) => `'${text}`).toSorted());
    assert.deepEqual((await ndjson('/api/v1/events?year=1801')).map((e) => e.name).toSorted(), texts.toSorted());
    const [row] = csv(await (await site.get('/api/v1/events.csv?limit=1&fields=id,year')).text()).rows;
    assert.match(row.id, /^\d+$/);
});
