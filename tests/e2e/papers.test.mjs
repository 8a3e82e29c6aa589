// Tables and figures of papers beside ours: the files that the service reads are what `make papers` computes today,
// and what it computes is what the service's own figures of the same games are.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { close, launch, open, stands } from './browser.mjs';
import { environment, freshDatabase, intrinsic, root, run, serve, until } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const papers = ['alliot-2017', 'regan-haworth-2011', 'di-fatta-2009', 'regan-2019'].map((name) => json(`static/papers/${name}.json`));
const [printed] = papers;
const champions = readdirSync(path.join(root, 'static/champions')).filter((f) => f.endsWith('.ndjson.zst'))
    .map((f) => path.join(root, 'static/champions', f));
let site, empty, url;

before(async () => {
    url = freshDatabase(suite);
    empty = await serve(suite, freshDatabase(suite));
    execFileSync('setup/prepare.sh', [intrinsic], { cwd: root, stdio: 'ignore', env: environment(url) });
    site = await serve(suite, url);
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

/** Everything below static/papers that is computed: {name: value}. */
const made = (folder) => Object.fromEntries(readdirSync(folder, { recursive: true }).sort()
    .filter((name) => name === 'list.json' || /\/.*\.json$/.test(name))
    .map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]));

/** Where two values differ by more than the order of a sum. */
function unlike(a, b, where) {
    if (typeof a === 'number' && typeof b === 'number')
        return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a)) ? [] : [`${where}: ${a}, ${b}`];
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object')
        return a === b ? [] : [`${where}: ${a}, ${b}`];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => unlike(a[key], b[key], `${where}.${key}`));
}

test('static/papers is what `make papers` makes', (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    execFileSync(path.join(path.dirname(intrinsic), 'lab/papers/papers'), [folder], { cwd: root, env: environment(url) });
    const differ = unlike(made(path.join(root, 'static/papers')), made(folder), 'static/papers');
    assert.deepEqual(differ.slice(0, 20), [], `${differ.length} differ: \`make papers\`, and review git's diff`);
});

const near = (a, b, by = 1e-8) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
const table = (number, paper = 'alliot-2017') => site.json(`/api/v1/papers/${paper}/${number}`);

// Mean ranks: equal values share one.
const ranks = (x) => x.map((v) => x.filter((u) => u < v).length + (x.filter((u) => u === v).length + 1) / 2);
const pearson = (x, y) => {
    const [a, b] = [mean(x), mean(y)];
    const sum = (f) => x.reduce((s, _, i) => s + f(i), 0);
    return sum((i) => (x[i] - a) * (y[i] - b)) /
        Math.sqrt(sum((i) => (x[i] - a) ** 2) * sum((i) => (y[i] - b) ** 2));
};

test('players are found by what their games call them, whatever a spelling file shows', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const spellings = path.join(folder, 'names.ssp');
    writeFileSync(spellings, '@PLAYER "., -_*"\nSmyslov, Vasily #gm  RUS [2690] 1921.03.24--2010.03.27\n' +
        '   = Smyslov, Vassily V\nBotvinnik, Mikhail URS #gm  URS [2730] 1911.08.17--1995.05.05\n' +
        '   = Botvinnik, Mikhail M\n');
    const url = freshDatabase(t);
    run(['import', '--quiet', ...champions], url, { SCID_RATINGS_PATH: spellings });
    const other = await serve(t, url);
    const { players } = await other.json('/api/v1/players?q=smyslov');
    assert.equal(players[0].name, 'Smyslov, Vasily');
    const rows = (await other.json('/api/v1/papers/alliot-2017/5')).rows;
    for (const { year, first, second } of rows)
        assert.ok(first.player && second.player, String(year));
});

test('the list leads to every table and figure of the files', async () => {
    const { tables, figures } = await site.json('/api/v1/papers');
    assert.deepEqual(tables.map(({ paper, table: number, rows }) => [paper, number, rows]),
        papers.flatMap(({ paper, tables: of }) => of.map(({ table: number, rows }) => [paper, number, rows.length])));
    assert.deepEqual(figures.map(({ paper, figure: name }) => [paper, name]),
        papers.flatMap(({ paper, figures: of = [] }) => of.map(({ figure: name }) => [paper, name])));
    for (const { href, page } of [...tables, ...figures]) {
        assert.equal((await fetch(site.base + page, { method: 'HEAD' })).status, 200);
        assert.equal((await fetch(site.base + href, { method: 'HEAD' })).status, 200);
    }
    for (const address of ['/api/v1/papers/nobody-2000/5', '/api/v1/papers/alliot-2017/55',
        '/api/v1/papers/nobody-2000/figures/5', '/api/v1/papers/alliot-2017/figures/55'])
        assert.equal((await fetch(site.base + address)).status, 404);
});

test('table 5 predicts the matches as /predictions does, from the year before', async () => {
    const { rows, judge } = await table(5);
    const { rows: file } = printed.tables.find(({ table: number }) => number === '5');
    assert.equal(judge.name, 'rating');
    assert.equal(rows.length, 17);
    for (const [i, row] of rows.entries()) {
        assert.equal(row.actual, file[i].actual);
        assert.ok(row.first.year === row.year - 1 && row.second.year === row.year - 1);
        for (const cell of row.cells) {
            assert.equal(cell.printed, file[i].printed[cell.column]);
            if (cell.ours !== null && cell.printed !== null) near(cell.difference, cell.ours - cell.printed);
            assert.ok((cell.ours === null) === (cell.reason !== null), cell.reason);
        }
    }
    const { first, second, cells, games } = rows.find(({ year }) => year === 1972);
    assert.equal(games, 20, 'but for the forfeited one');
    const { predictions } = await site.json(`/api/v1/predictions?white=${first.player.id}:1971&black=${second.player.id}:1971&judge=rating&forgetting=0.5&games=${games}`);
    for (const { column, match, interval } of cells) {
        assert.equal(match.games, games);
        near(match.interval.low, predictions[column].match.interval.low, 0.051); // of 1972, not 1971
        if (interval) assert.ok(match.interval.low < interval.low && interval.high < match.interval.high, column);
    }
    for (const { column, ours, interval, standard_error } of cells) {
        assert.equal(ours, predictions[column].expected);
        assert.equal(standard_error, predictions[column].standard_error);
        assert.deepEqual(interval, predictions[column].interval);
    }
});

test('errors and rank correlations are those of the rows', async () => {
    const { columns, rows, finding } = await table(5);
    for (const [k, column] of columns.entries()) {
        const both = rows.map(({ actual, cells }) => ({ actual, ...cells[k] }))
            .filter((c) => c.printed !== null && c.ours !== null);
        assert.equal(column.both, both.length);
        if (both.length === 0) continue;
        const error = (f) => mean(both.map((c) => Math.abs(f(c) - c.actual)));
        near(column.errors.printed.estimate, error((c) => c.printed));
        near(column.errors.ours.estimate, error((c) => c.ours));
        near(column.errors.even.estimate, error(() => 0.5));
        near(column.errors.gain?.estimate ?? 0, column.errors.gain ? error(() => 0.5) - error((c) => c.ours) : 0);
        near(column.spearman, pearson(ranks(both.map((c) => c.printed)), ranks(both.map((c) => c.ours))));
    }
    const [markov] = columns;
    near(markov.errors.printed_all.estimate, mean([9, 5, 5, 5, 7, 0, 7, 0, 0, 1, 2, 2, 2, 8, 2, 2, 5]) / 100);
    for (const { estimate } of [markov.errors.printed, markov.errors.ours, markov.errors.even])
        assert.ok(finding.includes((100 * estimate).toFixed(1)), finding);
});

test('best years: pairs without their moves say so, and ranks are of the others', async () => {
    const { rows, standings } = await table(9);
    assert.equal(rows.length, 190);
    assert.ok(standings.players >= 2);
    for (const { side, pairs, printed: mine } of standings.rows) {
        const own = rows.flatMap(({ first, second, cells: [c] }) => (c.ours === null ? []
            : first.name === side.name ? [c.printed] : second.name === side.name ? [1 - c.printed] : []));
        assert.equal(pairs, own.length);
        if (pairs > 0) near(mine, mean(own));
    }
    const ranked = standings.rows.filter(({ pairs }) => pairs > 0);
    assert.equal(ranked.length, standings.players);
    for (const { ours, our_rank } of ranked)
        assert.equal(our_rank, 1 + ranked.filter((r) => r.ours > ours + 1e-9).length);
    for (const { cells: [c] } of rows) assert.ok((c.ours === null) === Boolean(c.reason));
});

// A cell by the name of its column.
const cell = ({ cells }, column) => cells.find((c) => c.column === column);

test('sets of games by Elo and period: the paper, and the calibration beside it', async () => {
    const paper = json('tests/data/paper/regan_haworth_mileposts.json').rows;
    const { mileposts } = await site.json('/api/v1/calibrations/standard');
    const { rows, columns, finding } = await table('mileposts', 'regan-haworth-2011');
    assert.equal(rows.length, 22);
    for (const [i, row] of rows.entries()) {
        const { period, elo, ...figures } = paper[i];
        assert.deepEqual([row.period, row.elo], [period, elo]);
        for (const [column, value] of Object.entries(figures))
            near(cell(row, column).printed, column.startsWith('mm_') ? value / 100 : value);
        const { fits: { percentile: fit }, turns } = mileposts.find(({ nominal }) => nominal === elo);
        const c = cell(row, 'c');
        if (period !== '2006-2009') {
            assert.ok(c.ours === null && /too small to be divided by period/.test(c.reason));
            continue;
        }
        assert.deepEqual([c.ours, c.standard_error, c.n, cell(row, 's').ours, cell(row, 'mm_a').ours],
            [fit.c, fit.c_se, turns, fit.s, fit.mm.actual]);
        near(c.difference, fit.c - c.printed);
        near(c.interval.high - c.interval.low, 2 * 1.959964 * fit.c_se, 1e-6);
    }
    const k = columns.findIndex(({ column }) => column === 's');
    const both = rows.map(({ cells }) => cells[k]).filter(({ ours }) => ours !== null);
    assert.deepEqual([columns[k].printed, columns[k].both, columns[k].intervals], [22, 12, 12]);
    assert.equal(columns[k].contained, both.filter((x) => x.interval.low <= x.printed && x.printed <= x.interval.high).length);
    near(columns[k].spearman, pearson(ranks(both.map((x) => x.printed)), ranks(both.map((x) => x.ours))));
    assert.ok(finding.startsWith('108 of the paper\'s 198 figures'), finding);
});

test('play at equal Elo by period is that of the benchmark', async () => {
    const { rows, columns: [{ alike }], finding } = await table('inflation', 'regan-haworth-2011');
    const { parts } = await site.json('/api/v1/validation');
    const { years } = parts.find(({ part }) => part === 'cross_validated');
    const { mileposts, other_periods: others } = await site.json('/api/v1/calibrations/regan-haworth-2011');
    assert.equal(rows.length, years.length);
    for (const [i, row] of rows.entries()) {
        const [c] = row.cells;
        assert.deepEqual([c.ours, c.standard_error, c.n], [years[i].bias, years[i].standard_error, years[i].moves]);
        const of = [...mileposts, ...others].filter(({ period, nominal }) =>
            period === row.period && nominal >= 2300 && nominal <= 2600);
        if (c.printed === null) assert.equal(of.length, 0);
        else near(c.printed, mean(of.map(({ residual }) => -residual)), 0.05);
    }
    const weights = years.map(({ standard_error: se }) => 1 / se ** 2);
    const total = weights.reduce((a, b) => a + b, 0);
    const centre = weights.reduce((sum, w, i) => sum + w * years[i].bias, 0) / total;
    near(alike.q, weights.reduce((sum, w, i) => sum + w * (years[i].bias - centre) ** 2, 0), 1e-6);
    assert.equal(alike.degrees, years.length - 1);
    assert.ok(finding.includes(alike.distinct ? 'by more than chance' : 'by no more than chance'), finding);
});

test('apparent skill: the paper, and the calibration\'s posteriors beside it', async () => {
    const { mileposts: paper } = json('tests/data/paper/di_fatta_posteriors.json');
    const { mileposts } = await site.json('/api/v1/calibrations/standard');
    const { rows, columns } = await table(2, 'di-fatta-2009');
    assert.deepEqual(rows.map(({ label }) => label), paper.map(({ name }) => name));
    for (const [i, row] of rows.entries()) {
        const { bayes } = mileposts.find(({ nominal }) => nominal === row.elo);
        const [c, sd, low, high, events] = row.cells;
        assert.deepEqual(row.cells.map((x) => x.printed),
            [paper[i].c_mean, paper[i].c_sd, ...paper[i].cr95, paper[i].events]);
        assert.deepEqual([c, sd, low, high, events].map((x) => x.ours),
            [bayes.mean, bayes.sd, bayes.interval.low, bayes.interval.high, bayes.events]);
        assert.deepEqual(c.interval, bayes.interval);
    }
    assert.equal(columns.find(({ column }) => column === 'c_sd').spearman, null);
});

const figure = (number, paper = 'alliot-2017') => site.json(`/api/v1/papers/${paper}/figures/${number}`);
const line = ({ series }, name) => series.find((s) => s.name === name && !s.printed).points;

test('tables 2 and 3 are the matrices of the predictor, rows of probabilities', async () => {
    const { rows } = await table(5);
    const { first, second } = rows.find(({ year }) => year === 1972);
    const { predictions: { markov: { matrices: { as_white: chain } } } } = await site.json(`/api/v1/predictions?method=markov&matrices=true&classes=10&white=${first.player.id}:1971&black=${second.player.id}:1971&judge=rating`);
    for (const [number, name, matrix] of [['table-2', 'Fischer 1971, White', chain.white], ['table-3', 'Spassky 1971, Black', chain.black]]) {
        const points = line(await figure(number), name);
        assert.deepEqual(points.map(({ value }) => value), matrix.flat());
        for (const y of new Set(points.map((p) => p.y)))
            near(points.filter((p) => p.y === y).reduce((sum, { value }) => sum + value, 0), 1);
    }
    const { series, constants } = await figure('stationary-10');
    assert.deepEqual(series[0].points.map(({ y }) => y), chain.stationary);
    assert.deepEqual(series[1].points.map(({ y }) => y), [0.07, 0.01, 0.01, 0.04, 0.14, 0.18, 0.07, 0.04, 0.04, 0.4]);
    near(constants.reduce((sum, { ours }) => sum + ours, 0), 1);
});

test('careers are the conformance of each player-year', async () => {
    for (const [number, share] of [[16, 'at_0'], [17, 'at_30']]) {
        const points = line(await figure(number), 'Fischer');
        const { first } = (await table(5)).rows.find(({ year }) => year === 1972);
        const { x: year, y, interval, n } = points.find(({ x }) => x === 1971);
        const { conformance } = (await site.json(`/api/v1/players/${first.player.id}/ratings?year=${year}&judge=rating`));
        assert.equal(n, conformance.turns);
        near(y, conformance[share].share);
        near(interval.low, conformance[share].interval.low);
    }
});

test('a match: moves of these two alone; shares rise with the loss', async () => {
    const { series } = await figure(8);
    const won = series.find(({ name, printed: p }) => name === 'Fischer 1972' && !p);
    assert.equal(won.panel, 'Winners');
    assert.ok(won.points[0].n > 500 && won.points[0].n < 900, `${won.points[0].n} moves of 20 games`);
    won.points.slice(1).forEach((p, i) => assert.ok(p.y >= won.points[i].y));
    assert.deepEqual(series.find(({ name, printed: p }) => p && name === 'Carlsen 2013').points.map(({ x, y }) => [x, y]),
        [[0, 0.75], [0.1, 0.86], [0.2, 0.95], [0.3, 0.97]]);
});

test('by the evaluation: every bin has the moves of both colours, and losses grow when losing', async () => {
    const [losses, left, right] = await Promise.all([figure(2), figure('6-left'), figure('6-right')]);
    const all = line(losses, 'All champions');
    for (const { x, y, interval, n } of all) assert.ok(Math.abs(x) <= 10 && interval.low <= y && y <= interval.high && n >= 150);
    const [first] = line(left, 'White − Black');
    assert.equal(first.n, left.turns);
    near(first.y, left.constants[0].ours - left.constants[1].ours);
    const counted = ['White', 'Black'].flatMap((name) => line(right, name)).reduce((sum, { n }) => sum + n, 0);
    assert.ok(counted > 0.7 * right.turns && counted <= right.turns);
});

test('losses, evaluations and scores add up to the moves and games', async () => {
    const { constants: [none, large], turns, ...losses } = await figure(3);
    near(line(losses, 'All positions').reduce((sum, { y }) => sum + y, none.ours + large.ours), 1, 1e-6);
    const [narrow, classes] = await Promise.all([figure(14), figure(15)]);
    for (const { series: [{ points }], turns: of } of [narrow, classes])
        assert.equal(points.reduce((sum, { n }) => sum + n, 0), of);
    const zero = ({ series: [{ points }] }, x) => points.find((p) => p.x === x).n;
    assert.ok(zero(classes, 0) <= zero(narrow, 0) && zero(classes, 9) === zero(narrow, 2), 'end classes are the same');
    assert.equal(classes.constants.length, 0);
    near(narrow.constants[0].ours, narrow.turns);
    const reached = line(await figure(13), 'All champions');
    assert.equal(reached.length, 13);
    reached.slice(1).forEach(({ n }, i) => assert.ok(n <= reached[i].n));
    assert.ok(reached[12].y > reached[0].y && turns > 1e5);
});

test('what winners did better is the difference of their curves', async () => {
    const [curves, differences] = await Promise.all([figure(8), figure('7-right')]);
    const [winner, loser] = ['Fischer 1972', 'Spassky 1972'].map((name) => line(curves, name));
    line(differences, 'Fischer – Spassky 1972').forEach(({ x, y, interval }, i) => {
        near(x, winner[i].x);
        near(y, winner[i].y - loser[i].y);
        near((interval.low + interval.high) / 2, y);
    });
});

test('curves of a method are those of its report over the same games', async () => {
    const address = '/api/v1/reports/conformance?judge=rating&games=5000';
    const report = await until('the report', async () => {
        const answer = await site.json(address);
        return answer.forms && answer;
    });
    for (const [name, form] of [['Weighted', 'weighted'], ['Guid and Bratko', 'guid_bratko'], ['Raw', 'raw']])
        for (const [number, member] of [[4, 'rho'], ['5-alpha', 'alpha'], ['5-beta', 'beta']])
            assert.deepEqual(line(await figure(number), name).map(({ x, y, interval }) => [x, y, interval]),
                report.forms[form].curve.filter((p, i) => i % 5 === 0 && p[member] !== null)
                    .map((p) => [p.x, p[member], p[`${member}_interval`]]));
});

test('scores of matches: the actual ones, and by the share of good moves of these two', async () => {
    const { series: [actual, weighted, raw], constants: [even, ...errors], games } = await figure('7-left');
    assert.ok(actual.points.length >= 20 && games > 500);
    const { y, n } = actual.points.find(({ x }) => x === 1921);
    near(y, 9 / 14); // won 4, drew 10
    assert.equal(n, 14);
    for (const [k, { points }] of [weighted, raw].entries()) {
        assert.deepEqual(points.map(({ x }) => x), actual.points.map(({ x }) => x));
        near(errors[k].ours, mean(points.map((p, i) => Math.abs(p.y - actual.points[i].y))));
    }
    near(even.ours, mean(actual.points.map((p) => Math.abs(p.y - 0.5))));
    const [winner, loser] = ['Fischer 1972', 'Spassky 1972'].map(async (name) => line(await figure(8), name)[6]);
    near(raw.points.find(({ x }) => x === 1972).y, 0.5 + 2 * ((await winner).y - (await loser).y));
});

test('sums of differences: distributions of one mean and growing spread', async () => {
    const { series, reason } = await figure(10);
    assert.equal(reason, null);
    assert.deepEqual(series.map(({ name }) => name), ['1 pair', ...[2, 4, 8, 16, 32].map((n) => `${n} pairs`)]);
    const moments = series.map(({ points }) => {
        const total = points.reduce((sum, { y }) => sum + y, 0);
        return [total, points.find(({ x }) => x === 0).y];
    });
    moments.slice(1).forEach(([total, middle], i) => assert.ok(total < moments[i][0] && middle < moments[i][1]));
    assert.ok(moments[0][0] > 0.9 && moments[0][0] < 1);
});

test('the worth of a difference: the paper\'s formula, ours and mean scores of games', async () => {
    const { series: [curve, scores, paper], constants: [a, rho], games, finding } = await figure(9);
    const { tanh } = json('tests/data/paper/alliot_figures.json').covariance;
    assert.deepEqual([a.printed, rho.printed], [tanh.a, tanh.rho]);
    for (const [{ points }, constant] of [[curve, a.ours], [paper, tanh.a]])
        for (const { x, y } of points) near(y, (1 + Math.tanh(constant * x)) / 2, 1e-4);
    assert.ok(a.interval.low < a.ours && a.ours < a.interval.high && a.interval.high < tanh.a);
    for (const { interval, y, n } of scores.points) assert.ok(n >= 20 && interval.low <= y && y <= interval.high);
    const [first, last] = [scores.points[0], scores.points.at(-1)];
    assert.ok(first.interval.high < last.interval.low, 'a larger difference scores more');
    assert.ok(scores.points.reduce((sum, { n }) => sum + n, 0) <= games);
    assert.match(finding, /over the 21 printed values/);
});

test('depths: every position once in each line, deeper with more nodes', async () => {
    const { series, judge, engine, constants: [depth], games } = await figure(1);
    assert.equal(judge, null);
    assert.match(engine, /^Stockfish/);
    const own = series.filter(({ printed: p }) => !p);
    const means = own.map(({ points }) => {
        assert.equal(points.reduce((sum, { n }) => sum + n, 0), games);
        for (const { y, n, interval } of points) {
            near(y, n / games);
            assert.ok(interval.low <= y && y <= interval.high);
        }
        return points.reduce((sum, { x, y }) => sum + x * y, 0);
    });
    means.slice(1).forEach((m, i) => assert.ok(m > means[i]));
    near(depth.ours, means.at(-1), 1e-6);
});

test('figures 11 and 12 are the surface of the report', async () => {
    const { n0, b, rho, games } = await report('covariance?judge=rating&games=5000');
    const { series: [{ points }], games: used } = await figure(11);
    assert.equal(used, games.counted);
    assert.equal(points.length, 400);
    const near_ = (v) => b.findIndex((x) => Math.abs(x - v) < 1e-9);
    for (const { x, y, value } of points) near(value, rho[n0.indexOf(x)][near_(y)], 1e-7);
    const [bounds, best] = [await figure('12-left'), await figure('12-right')];
    for (const [i, { x, y }] of bounds.series[0].points.entries()) {
        near(best.series[0].points[i].y, Math.max(...rho[n0.indexOf(x)]), 1e-6);
        near(rho[n0.indexOf(x)][near_(y)], best.series[0].points[i].y, 1e-6);
    }
    const at = best.constants.find(({ name }) => name.startsWith('ρ at'));
    near(at.ours, rho[n0.indexOf(29)][near_(2.2)], 1e-7);
    assert.equal(at.printed, json('tests/data/paper/alliot_figures.json').covariance.n0_29_b_2_2_rho);
});

test('densities are of the means and deviations of the table', async () => {
    const { rows } = await table(2, 'di-fatta-2009');
    const { series } = await figure(1, 'di-fatta-2009');
    assert.equal(series.length, 2 * rows.length);
    for (const { name, panel, points } of series) {
        const [c, sd] = rows.find(({ label }) => label === name).cells;
        const [mean, deviation] = panel === 'Paper' ? [c.printed, sd.printed] : [c.ours, sd.ours];
        const top = points.reduce((a, b) => (a.y > b.y ? a : b));
        near(top.x, mean);
        near(top.y, 1 / (deviation * Math.sqrt(2 * Math.PI)), 1e-6);
        const width = points[1].x - points[0].x;
        near(points.reduce((sum, { y }) => sum + y * width, 0), 1, 1e-3);
    }
});

test('a figure has points, or says why not', async () => {
    for (const { figure: number, href } of (await site.json('/api/v1/papers')).figures) {
        const { series, reason: why } = await site.json(href);
        for (const one of series)
            if (!one.printed) assert.ok(one.points.length > 0 || one.reason !== null || why !== null, `${number}: ${one.name}`);
    }
});

/** A report, once it is computed. */
const report = async (where) => {
    for (;;) {
        const response = await fetch(`${site.base}/api/v1/reports/${where}`);
        if (response.status !== 202) return response.json();
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
};

test('complexity is that of the report', async () => {
    const { rows, columns } = await table(4);
    const { players, all } = await report('complexity?judge=standard');
    const beside = [['World champions (ours: the players with most moves)', all.indicators],
        ...players.flatMap(({ player, indicators }) => Object.entries(printed.players)
            .filter(([, names]) => names.includes(player.name)).map(([name]) => [name, indicators]))];
    assert.ok(beside.length >= 8);
    for (const [label, indicators] of beside)
        for (const c of rows.find((row) => row.label === label).cells) {
            const { estimate, interval, reason } = indicators[c.column];
            assert.deepEqual([c.ours, c.interval], [estimate, interval ?? null]);
            assert.equal(c.reason, estimate === null ? reason : null);
        }
    assert.deepEqual(rows.slice(0, 2).map((row) => cell(row, 'jump_value_depth').printed), [0.312, 0.101]); // section 4.1
    for (const name of ['Khalifman', 'Other players'])
        assert.ok(rows.find(({ label }) => label === name).cells.every(({ ours, reason }) => ours === null && reason));
    assert.equal(columns.find(({ column }) => column === 'depth_time').both, 0);
});

test('the statistics of covariance are those of the report at its points', async () => {
    const { covariance: paper } = json('tests/data/paper/alliot_figures.json');
    const { rows, columns, finding } = await table(6);
    const rho = (begin) => cell(rows.find(({ label }) => label.startsWith(begin)), 'rho');
    const raw = await report('covariance?judge=rating&games=5000&loss=raw');
    const weighted = await report('covariance?judge=rating&games=5000');
    assert.ok(raw.games.counted > 1000);
    near(rho('Raw').ours, raw.rho[raw.n0.indexOf(0)][0], 1e-7);
    near(rho('Bound').ours, weighted.rho[weighted.n0.indexOf(29)][11], 1e-7);
    assert.equal(rho('Raw').n, raw.games.counted);
    assert.deepEqual(['Weighted, k1 = 0.37', 'tanh', 'Spline', 'Bound', 'Best'].map((begin) => rho(begin).printed),
        [paper.best_rho_step, paper.tanh.rho, paper.spline_rho, paper.n0_29_b_2_2_rho, paper.max_rho]);
    assert.ok(finding.includes(`ρ: ours are ${Math.abs(columns[2].mean_difference).toFixed(3)} ${columns[2].mean_difference < 0 ? 'less' : 'more'} than the paper's on average.`), finding);
    const [results] = rows;
    for (const row of rows.slice(1).filter((r) => cell(r, 'rho').ours !== null && cell(r, 'rho').n === results.cells[0].n)) {
        const [mean_, sd, r, beta, alpha] = row.cells.map(({ ours }) => ours); // of a least-squares line
        near(alpha + beta * mean_, results.cells[0].ours, 1e-7);
        near(beta * sd, r * results.cells[1].ours, 1e-7);
    }
    for (const { cells } of rows) for (const c of cells) assert.ok((c.ours === null) === Boolean(c.reason));
});

test('intrinsic ratings by year are those of the players', async () => {
    const { series } = await figure('4', 'regan-2019');
    const drawn = series.filter(({ points }) => points.length > 0);
    assert.ok(drawn.length >= 10, `${drawn.length} players`);
    const { players: [{ id }] } = await site.json('/api/v1/players?q=fischer+robert&fields=id');
    const { ipr } = await site.json(`/api/v1/players/${id}/ratings?year=1972&judge=standard`);
    const { y, interval, n } = drawn.find(({ name }) => name === 'Fischer').points.find(({ x }) => x === 1972);
    near(y, ipr.estimate);
    assert.deepEqual(interval, ipr.interval);
    assert.ok(n > 500);
});

test('a row of CSV for each cell', async () => {
    const lines = (await (await fetch(`${site.base}/api/v1/papers/alliot-2017/5.csv`)).text()).trim().split(/\r?\n/);
    assert.equal(lines.length, 1 + 17 * 4);
    assert.match(lines[0], /^label,elo,period,year,first\.name,.*,cells\.column,cells\.printed,cells\.ours,/);
    const values = (await (await fetch(`${site.base}/api/v1/papers/di-fatta-2009/2.csv`)).text()).trim().split(/\r?\n/);
    assert.equal(values.length, 1 + 7 * 5);
    assert.match(values[1], /^E2100,2100,.*,c_mean,1\.066,/);
});

test('a service without games answers the same, but for its players', async () => {
    const players = (key, value) => (key === 'player' ? undefined : value);
    const { tables, figures } = await site.json('/api/v1/papers');
    for (const { href } of [...tables, ...figures]) {
        const [with_, without] = [await site.json(href), await empty.json(href)];
        assert.equal(JSON.stringify(without, players), JSON.stringify(with_, players), href);
    }
    for (const { first, second } of (await empty.json('/api/v1/papers/alliot-2017/5')).rows)
        assert.deepEqual([first.player, second.player], [null, null]);
    const { analysed } = await table(5);
    const { judges } = await site.json('/api/v1/judges');
    const { games, turns } = judges.find(({ name }) => name === 'rating');
    assert.deepEqual(analysed, { games, turns });
});

for (const [name, where, expected] of [
    ['papers', '/papers', /Predictions of world championship matches/],
    ['paper_table_4', '/papers/alliot-2017/4', /World champions \(ours: the players with most moves\)\s+0\.05\d[^]*Depth against time: the engine/],
    ['paper_table_6', '/papers/alliot-2017/6', /Weighted, k1 = 0\.37, k2 = −3\.70[^]*0\.825/],
    ['paper_table_5', '/papers/alliot-2017/5', /mean error of 3\.\d percentage points in the paper/],
    ['paper_table_7', '/papers/alliot-2017/7', /Our order of the \d+ of 20 players|Only \d+ of the 20 players/],
    ['paper_table_mileposts', '/papers/regan-haworth-2011/mileposts', /108 of the paper's 198 figures[^]*2006–2009, 2700\s+0\.112[^]*?paper 0\.078/],
    ['paper_table_inflation', '/papers/regan-haworth-2011/inflation', /Moves less Elo: our rows differ by/],
    ['paper_table_posteriors', '/papers/di-fatta-2009/2', /E2100\s[^]*?paper 1\.0660/],
    ['paper_figure_matrix', '/papers/alliot-2017/figures/table-2', /Evaluation before/],
    ['paper_figure_match', '/papers/alliot-2017/figures/8', /Winners: Capablanca 1921/],
    ['paper_figure_iprs', '/papers/regan-2019/figures/4', /Kasparov/],
    ['paper_figure_careers', '/papers/alliot-2017/figures/16', /Karpov/],
    ['paper_figure_bins', '/papers/alliot-2017/figures/2', /slope above 0/],
    ['paper_figure_curves', '/papers/alliot-2017/figures/5-beta', /weighted, at 0\.30/],
    ['paper_figure_positions', '/papers/alliot-2017/figures/14', /Positions in a year/],
    ['paper_figure_densities', '/papers/di-fatta-2009/figures/1', /Ours: E2100/],
    ['paper_figure_scores', '/papers/alliot-2017/figures/7-left', /mean error: half the points/],
    ['paper_figure_sums', '/papers/alliot-2017/figures/10', /Difference \(pawns\)/],
    ['paper_figure_surface', '/papers/alliot-2017/figures/11', /Bound b \(pawns\)/],
    ['paper_figure_bounds', '/papers/alliot-2017/figures/12-left', /n0 of the highest ρ/],
    ['paper_figure_best', '/papers/alliot-2017/figures/12-right', /ρ at n0 = 29, b = 2\.2/],
    ['paper_figure_depths', '/papers/alliot-2017/figures/1', /Ours are searches of Stockfish [^]* for this figure alone/],
    ['paper_figure_worth', '/papers/alliot-2017/figures/9', /a\s+1\.16/],
    ['paper_figure_bars', '/papers/alliot-2017/figures/stationary-10', /White wins/],
    ['paper_table_9', '/papers/alliot-2017/9', /Rank, ours/i],
])
    test(`${name}: at two widths, accessible, no complaint of the browser`,
        (t) => stands(t, name, site.base + where, expected, { unfolded: true }));

for (const [name, where, expected] of [
    ['paper_table_without', '/papers/alliot-2017/5', /Euwe 1934/],
    ['paper_figure_without', '/papers/alliot-2017/figures/table-2', /imported games do not change them/],
])
    test(`${name} games: at two widths, accessible, no complaint of the browser`, async (t) => {
        await stands(t, name, empty.base + where, expected);
        const { page } = await open(t, empty.base + where);
        assert.equal(await page.locator('main a[href^="/players/"], main a[href^="/games/"]').count(), 0, 'no link to what is not there');
    });

test('figures are drawn, and have their values without JavaScript', async (t) => {
    for (const number of ['table-2', 8, 'stationary-10', '7-left', 9, 10, 11]) {
        const { title, series } = await figure(number);
        const { points: [point] } = series.find(({ points }) => points.length > 0);
        for (const javaScriptEnabled of [true, false]) {
            const { page } = await open(t, `${site.base}/papers/alliot-2017/figures/${number}`, { javaScriptEnabled });
            const text = await page.textContent('main');
            const shown = point.value === null ? `${(100 * point.y).toFixed(1)}%` : point.value.toFixed(2);
            assert.ok(text.includes(shown), `${shown} is on the page`);
            if (javaScriptEnabled) await page.locator(`figure[data-plot*="/paper_figure."] svg[aria-label="${title}"]`).waitFor();
        }
    }
});

test('the page draws the table and has its figures without JavaScript', async (t) => {
    const { rows: [row] } = await table(5);
    for (const javaScriptEnabled of [true, false]) {
        const { page } = await open(t, `${site.base}/papers/alliot-2017/5`, { javaScriptEnabled });
        const text = await page.innerText('main');
        for (const share of [`${100 * row.actual}%`, `${100 * row.cells[0].printed}%`, `${(100 * row.cells[0].ours).toFixed(1)}%`])
            assert.ok(text.includes(share), `${share} is on the page`);
        if (javaScriptEnabled) await page.locator('figure[data-plot*="/paper_table."] svg[aria-label^="Our scores"]').waitFor();
    }
});
