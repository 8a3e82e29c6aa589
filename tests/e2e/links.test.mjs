// Every page with every parameter it takes links to JSON that has the figures printed on it, and
// every parameter of the API is refused alike: both as GET /api/v1 lists them.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { scene } from '../golden/scene.mjs';

const cleanups = [];
let site, resources;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    site = await scene(suite);
    ({ resources } = await site.json('/api/v1'));
});

after(async () => {
    for (const f of cleanups) await f();
});

/** One of each on the samples. */
const examples = {
    evidence: { player: 6 }, ratings: { player: 12, year: 1972 }, game: { game: 280 }, event: { event: 13 },
    prediction: { white: '12:1972', black: '11:1972' }, calibration: { name: 'standard' },
    events: { q: 'championship' }, upload: { upload: 3 }, search: { q: 'championship' },
    event_player: { event: 13, player: 12 },
    paper_table: { paper: 'alliot-2017', table: '5' },
    paper_figure: { paper: 'alliot-2017', figure: '8' },
};
const named = { player: 6, year: 1972, event: 13, change: 1, judge: 'second', type: 'bad_parameter',
    calibration: 'regan-haworth-2011', time_class: 'classical,blitz', q: 'tal', search: 'tal', limit: 2, from: 1900, to: 2000,
    color: 'white', white: '13:1985', black: '15:1985', k1: 1.5, k2: -2, n0: 20, b: 2.5, a: 0.5, forgetting: 0.75, alpha: 0.1,
    beta: 2, replicates: 100, seed: 7, edges: '10,22,38', least: 30, games: 20, players: 5, band: 50,
    set: '12', opponent: '11', upload: 1, game: 280, ply: 30, name: 'standard' };
/** Where another example has more to show. */
const others = {
    evidence: { time_class: { player: 6, time_class: 'blitz' }, upload: { upload: 3 }, event: { player: 6, event: 9 },
        player: { player: 6, event: 9 }, opponent: { player: 6, opponent: 9 }, year: { player: 6, year: 1960 }, from: { player: 6, from: 1960 }, to: { player: 6, to: 1960 } },
    ratings: { time_class: { player: 6, year: 1962, time_class: 'classical' }, event: { event: 13 } },
    event: { time_class: { event: 31, time_class: 'classical' }, limit: { event: 13, limit: 1 } },
    player: { time_class: { player: 9, time_class: 'blitz' } },
    events: { to: { to: 1950 } },
    players: { to: { to: 1950 } },
    search: { q: { q: 'championship 19' } }, // one that leads to no other page
    upload: { player: { upload: 3, player: 3 } },
    profile: { time_class: { player: 6, time_class: 'blitz' }, upload: { player: 6, upload: 3 }, year: { player: 6, year: 1960 }, from: { player: 6, from: 1960 }, to: { player: 6, to: 1960 } },
    royale: { calibration: { method: 'markov', calibration: 'regan-haworth-2011' },
        forgetting: { method: 'covariance', forgetting: '0.5' } },
    comparisons: { without_match: { year: 'event', without_match: 'true' } },
    prediction: { time_class: { white: '6:1962', black: '9:1962', time_class: 'blitz' },
        a: { a: 0.5, score: 'tanh' } },
};

const example = (resource) => examples[resource.name] ??
    Object.fromEntries(resource.params.filter((p) => p.required).map((p) => [p.name, named[p.name]]));

/** The address for parameters: those in the path, the rest as query. */
function address(path, given) {
    const rest = new URLSearchParams(given);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
        const value = rest.get(name);
        rest.delete(name);
        return value;
    });
    return rest.size > 0 ? `${filled}?${rest}` : filled;
}

/** Values of a parameter that are not its default. */
function values(p) {
    if (p.type === 'boolean') return [String(!p.default)];
    if (p.choices) return p.choices.filter((c) => c !== p.default && !(p.name === 'active' && c > 300));
    const value = named[p.name] ?? (p.methods && p.high !== null ? Math.floor(p.low + (p.high - p.low) / 3) : undefined);
    return value === undefined ? [] : [value];
}

/** [parameter, everything given] of a page, first none. */
function cases(resource) {
    const base = example(resource), out = [['', base, base]];
    for (const p of resource.params) {
        if (p.type === 'cursor' || !p.on_page || resource.page.includes(`{${p.name}}`)) continue;
        const other = others[resource.name]?.[p.name];
        for (const value of other ? [other[p.name]] : values(p)) {
            const given = { ...base, ...other, [p.name]: value };
            const { [p.name]: _, ...without } = given;
            out.push([p.name, given, p.name in base ? base : without]);
        }
    }
    return out;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Waits for reports, and for a place among costly answers. */
async function settled(where) {
    for (;;) {
        const r = await site.get(where, { headers: { accept: where.startsWith('/api') ? '*/*' : 'text/html' } });
        const text = await r.text();
        if (r.status === 202 || r.status === 503 || text.includes('http-equiv="refresh"') ||
            text.includes('"pending":true') || text.includes('on the next visit')) {
            await pause();
            continue;
        }
        assert.equal(r.status, 200, `${where}: ${/<p class="lead">.*|"detail".*/.exec(text)}`);
        return text;
    }
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text) => text.replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : entities[name] ?? all);

const numbers = (text) => text.match(/(?<![\p{L}\d.,#])\d+(?:[.,]\d+)*(?:e[-+]\d+)?%?/gu) ?? [];

/** The figures in the cells of a page's tables and its headline, without their signs. */
function printed(html) {
    const main = /<main[^>]*>([^]*)<\/main>/.exec(html)[1].replace(/<(svg|script|button)\b[^]*?<\/\1>/g, ' ');
    const cells = [...main.matchAll(/<td\b[^>]*>([^]*?)<\/td>|<p class="big">([^]*?)<\/p>/g)];
    return cells.flatMap(([, cell, big]) => numbers(decoded((cell ?? big.replace(/95%/g, ''))
        .replace(/<[^>]*>/g, ' '))));
}

/** What a page computes from members of one object. */
const derived = [
    (o) => ('score' in o ? [o.games * o.score, o.games * (1 - o.score)].map((x) => Math.round(2 * x) / 2) : []),
    (o) => [o.elo - o.fitted],
    (o) => ('ply' in o ? [Math.floor(o.ply / 2) + 1] : []),
    (o) => ['clock_ms', 'elapsed_ms'].flatMap((k) => [o[k] / 3.6e6, o[k] / 6e4 % 60, o[k] / 1e3 % 60].map(Math.floor)),
];

/** How a page may print a number. */
function forms(x) {
    const size = Math.abs(x), out = [];
    for (const value of [size, 100 * size, size / 100])
        for (let digits = 0; digits <= 6; digits++) out.push(value.toFixed(digits));
    out.push((Math.floor(100 * size + 1e-6) / 100).toFixed(2), Math.round(size).toLocaleString('en'), String(size), String(Number(size.toPrecision(2))),
        String(Math.floor(size)).padStart(2, '0'),
        ...[1, 2].map((digits) => size.toExponential(digits).replace(/e(.)(\d)$/, (_, sign, e) => `e${sign}0${e}`)));
    for (let digits = 0; digits <= 2; digits++) out.push(`${(100 * size).toFixed(digits)}%`);
    out.push(`${Math.min(99, Math.floor(100 * size))}%`); // a probability (view/certainty.h): none is printed as one of the next word, or as 100%
    return out;
}

/** Every way to print what JSON has. */
function printable(json) {
    const out = new Set();
    const add = (x) => Number.isFinite(x) && forms(x).forEach((form) => out.add(form));
    const walk = (value) => {
        if (typeof value === 'number') add(value);
        else if (typeof value === 'string') numbers(value.replace(/[T_:]/g, ' ')).forEach((n) => out.add(n));
        else if (Array.isArray(value)) value.forEach(walk);
        else if (value && typeof value === 'object') {
            derived.flatMap((f) => f(value)).forEach(add);
            Object.entries(value).forEach(([key, member]) => { walk(key); walk(member); });
        }
    };
    walk(json);
    return out;
}

/** A page and the JSON it links to. */
async function both(where) {
    const html = await settled(where);
    const link = />?<a href="([^"]*)">This page as JSON</.exec(html)?.[1];
    assert.ok(link, `${where} links to JSON`);
    const href = decoded(link);
    const text = await settled(href);
    return { figures: printed(html), href, json: JSON.parse(text) };
}

/** Parameters that no figure in a table of the page rests on. */
const silent = {
    dashboard: ['sort', 'limit', 'era'], // of the ranking, which these games have none of; tests/e2e/rating_lists.test.mjs
    game: ['judge', 'ply'], // the second engine setting has the evaluations of the first, for fewer games; the board shown
    similar_pairs: ['limit', 'aliases'], // the samples have one pair and no spelling file
    reports: ['judge', 'calibration', 'time_class', 'imported'], // the state of each, which is time stamps
    players: ['time_class', 'imported', 'era'], // affect ratings, which these games do not have; tested in rating_lists.test.mjs
    search: ['judge', 'era'], // likewise
    upload: ['player', 'time_class'], // likewise; upload.test.mjs, profile.test.mjs
    // Likewise, and what finds players to add is in no table; careers.test.mjs.
    careers: ['by', 'q', 'from', 'to', 'color', 'phase', 'opponent', 'event', 'upload', 'judge', 'time_class', 'imported', 'calibration', 'era'],
    player: ['era'], // likewise; one_number.test.mjs
    prediction: ['era'],
    event_player: ['judge', 'imported', 'calibration'], // likewise; dossier.test.mjs
    time_controls: ['imported'], // likewise; tests/db/test_time_controls.c
};

test('every page with every parameter links to JSON that has its figures', async () => {
    const wrong = [];
    const pages = resources.filter((r) => r.page && r.method === 'GET' && r.name !== 'index');
    assert.ok(pages.length >= 18, `${pages.length} pages`);
    for (const resource of new Map(pages.map((r) => [r.page, r])).values()) {
        const seen = new Map();
        const at = async (given) => {
            const where = address(resource.page, given);
            if (!seen.has(where)) seen.set(where, await both(where));
            return { where, ...seen.get(where) };
        };
        const lively = new Set();
        for (const [name, given, without] of cases(resource)) {
            const now = await at(given);
            const there = printable(now.json);
            const missing = now.figures.filter((figure) => !there.has(figure));
            if (missing.length > 0) wrong.push(`${now.where} prints ${missing.slice(0, 9)}: not in ${now.href}`);
            if (name === '') continue;
            const { searchParams } = new URL(now.href, site.base);
            const sent = searchParams.get(name) ?? '';
            if (sent !== String(given[name]) && (sent === '' || Number(sent) !== given[name]))
                wrong.push(`${now.where} links to ${now.href}, without ${name}`);
            const was = await at(without);
            if (JSON.stringify(was.figures) !== JSON.stringify(now.figures)) {
                lively.add(name);
                if (JSON.stringify(was.json) === JSON.stringify(now.json))
                    wrong.push(`${now.where} differs from ${was.where}, their JSON does not`);
            }
        }
        const idle = resource.params.map((p) => p.name).filter((name) => !lively.has(name) &&
            cases(resource).some(([n]) => n === name) && !silent[resource.name]?.includes(name));
        if (idle.length > 0) wrong.push(`${resource.page}: no figure changes with ${idle}`);
    }
    assert.equal(wrong.length, 0, `\n${wrong.join('\n')}`);
});

const shared = { judge: 'second', time_class: 'classical,blitz', imported: false, calibration: 'regan-haworth-2011' };

/** With the pages that the index of the API has nothing of, but figures that rest on all of these. */
const pages = () => [...resources.filter((r) => r.page && r.method === 'GET'), ...['/', '/reports'].map((page) =>
    ({ name: page, page, params: Object.keys(shared).map((name) => ({ name, on_page: true })) }))];

/** The page that an address is of: the one with the fewest parameters in its path. */
/** A name behind an id, as in /players/12/fischer-robert-j/1972, is for readers. */
const unnamed = (path) => path.replace(/(\/(?:players|events)\/\d+)\/(?!players\/|moves$)(?=\D)[^/]+/g, '$1');
const pageOf = (path) => pages().filter((r) => new RegExp(`^${r.page.replace(/\{\w+\}/g, '[^/]+')}$`).test(unnamed(path)))
    .sort((a, b) => a.page.split('{').length - b.page.split('{').length)[0];

test('links from page to page keep what figures rest on, and the target takes it', async () => {
    const wrong = [], targets = new Set();
    for (const resource of pages()) {
        // An upload's time classes choose one of its player's pools, and go no further.
        for (const p of resource.params.filter(({ name, on_page }) => on_page && shared[name] !== undefined && !(resource.name === 'upload' && name === 'time_class'))) {
            const where = address(resource.page, { ...example(resource), [p.name]: shared[p.name] });
            const html = await settled(where);
            const [, main] = /<main[^>]*>([^]*)<\/main>/.exec(html);
            for (const [, href] of main.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)) {
                const link = new URL(decoded(href), site.base);
                const target = pageOf(link.pathname);
                if (!target || link.pathname.startsWith('/api') || ['players', 'events'].includes(target.name)) continue;
                const taken = target.params.some((q) => q.name === p.name && q.on_page);
                const got = link.searchParams.get(p.name);
                if (taken ? got === null : got !== null) wrong.push(`${where} links to ${href}`);
                if (taken) targets.add(target.name);
            }
        }
    }
    assert.equal(wrong.length, 0, `\n${[...new Set(wrong)].slice(0, 30).join('\n')}`);
    for (const name of ['player', 'ratings', 'game', 'event', 'prediction', 'royale', 'score_curve'])
        assert.ok(targets.has(name), name);
});

test('a page refuses parameters that only the API takes', async () => {
    const apart = resources.filter((r) => r.page && r.method === 'GET')
        .flatMap((r) => r.params.filter((p) => !p.on_page && !r.page.includes(`{${p.name}}`)).map((p) => [r, p]));
    assert.ok(apart.length >= 8, `${apart.length} parameters`);
    for (const [r, p] of apart) {
        const where = address(r.page, { ...example(r), [p.name]: values(p)[0] ?? 'id' });
        const answer = await site.get(where, { headers: { accept: 'text/html' } });
        assert.equal(answer.status, 400, where);
        assert.match(await answer.text(), new RegExp(`no parameter &quot;${p.name}&quot; here`), where);
    }
});

/** A value that a parameter can't have. */
function bad(p) {
    const most = /at most (\d+)/.exec(p.expected);
    return p.type === 'text' ? 'x'.repeat(Number(most[1]) + 1) : '?';
}

test('every parameter refuses a bad value by its name', async () => {
    let n = 0;
    for (const resource of resources.filter((r) => r.method === 'GET')) {
        for (const p of resource.params.filter((param) => param.in === 'query')) {
            const where = address(resource.path, { ...example(resource), [p.name]: bad(p) });
            const r = await site.get(where, { headers: { accept: 'application/json, */*;q=0.1' } });
            const problem = await r.json();
            assert.equal(r.status, 400, `${where}: ${r.status}`);
            assert.equal(problem.type, '/problems/bad_parameter', where);
            assert.ok(problem.detail.startsWith(`${p.name}: ${p.type === 'cursor' ? '' : 'expected '}`), `${where}: ${problem.detail}`);
            n++;
        }
    }
    assert.ok(n > 100, `${n} parameters`);
});
