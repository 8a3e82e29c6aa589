// Tables of papers beside ours, from the figures of the champions that ship.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { close, launch, open, stands } from './browser.mjs';
import { freshDatabase, root, run, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const printed = JSON.parse(readFileSync(path.join(root, 'static/papers/alliot-2017.json'), 'utf8'));
let site, empty;

before(async () => {
    const url = freshDatabase(suite);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    empty = await serve(suite, freshDatabase(suite));
    const champions = path.join(root, 'static/champions');
    run(['import', '--quiet', ...readdirSync(champions).filter((f) => f.endsWith('.ndjson.zst'))
        .map((f) => path.join(champions, f))], url);
    site = await serve(suite, url);
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const near = (a, b, by = 1e-8) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
const table = (number) => site.json(`/api/v1/papers/alliot-2017/${number}`);

// Mean ranks: equal values share one.
const ranks = (x) => x.map((v) => x.filter((u) => u < v).length + (x.filter((u) => u === v).length + 1) / 2);
const pearson = (x, y) => {
    const [a, b] = [mean(x), mean(y)];
    const sum = (f) => x.reduce((s, _, i) => s + f(i), 0);
    return sum((i) => (x[i] - a) * (y[i] - b)) /
        Math.sqrt(sum((i) => (x[i] - a) ** 2) * sum((i) => (y[i] - b) ** 2));
};

test('the list leads to every table of the file', async () => {
    const { tables } = await site.json('/api/v1/papers');
    assert.deepEqual(tables.map(({ table: number, rows }) => [number, rows]),
        printed.tables.map(({ table: number, rows }) => [number, rows.length]));
    for (const { href, page } of tables) {
        assert.equal((await fetch(site.base + page, { method: 'HEAD' })).status, 200);
        assert.equal((await fetch(site.base + href, { method: 'HEAD' })).status, 200);
    }
    for (const address of ['/api/v1/papers/nobody-2000/5', '/api/v1/papers/alliot-2017/55'])
        assert.equal((await fetch(site.base + address)).status, 404);
});

test('table 5 predicts the matches as /predictions does, from the year before', async () => {
    const { rows, judge } = await table(5);
    const { rows: file } = printed.tables[0];
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
    const { first, second, cells } = rows.find(({ year }) => year === 1972);
    const { predictions } = await site.json(`/api/v1/predictions?white=${first.player.id}:1971&black=${second.player.id}:1971&judge=rating`);
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

test('a row of CSV for each cell', async () => {
    const lines = (await (await fetch(`${site.base}/api/v1/papers/alliot-2017/5.csv`)).text()).trim().split(/\r?\n/);
    assert.equal(lines.length, 1 + 17 * 4);
    assert.match(lines[0], /^year,first\.name,.*,cells\.column,cells\.printed,cells\.ours,/);
});

test('without the samples nothing is guessed', async () => {
    const { finding, rows } = await empty.json('/api/v1/papers/alliot-2017/5');
    assert.match(finding, /Too few of the 17 matches/);
    for (const { first, cells } of rows) {
        assert.equal(first.player, null);
        assert.match(first.reason, /^no games of \w+ are stored$/);
        for (const { ours, reason } of cells) assert.ok(ours === null && /^no games of /.test(reason));
    }
});

for (const [name, where, expected] of [
    ['papers', '/papers', /Predictions of world championship matches/],
    ['paper_table_5', '/papers/alliot-2017/5', /mean error of 3\.\d percentage points in the paper/],
    ['paper_table_7', '/papers/alliot-2017/7', /Our order of the \d+ of 20 players|Only \d+ of the 20 players/],
    ['paper_table_9', '/papers/alliot-2017/9', /Rank, ours/i],
])
    test(`${name}: at two widths, accessible, no complaint of the browser`,
        (t) => stands(t, name, site.base + where, expected));

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
