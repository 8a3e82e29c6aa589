// The bar under every figure of every page, with the samples: the data as CSV from the server, the drawing as SVG
// and PNG. Journey (g): the data behind a figure in one click.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { download, open } from './browser.mjs';
import { csv } from './csv.mjs';
import { browsed, patterns } from './sampled.mjs';

let site, where;
browsed((...made) => { [site, where] = made; });

// Where figures are drawn, and how many at least, by the pattern of the page.
const drawn = { '/': 1, '/players/{player}': 1, '/players/{player}/{year}': 3, '/games/{game}': 1, '/events/{event}': 2, '/events/{event}/players/{player}': 1,
    '/careers': 1, '/compare': 1, '/royale': 1, '/comparisons': 1, '/reports/conformance': 1, '/reports/complexity': 1,
    '/reports/covariance': 1, '/reports/score-curve': 1, '/calibrations/{name}': 2, '/validation': 3, '/predictors': 1,
    '/papers/{paper}/{table}': 1, '/papers/{paper}/figures/{figure}': 1 };
for (const pattern of patterns.filter((one) => one.endsWith('moves'))) drawn[pattern] = 1;

/** The page with all that is folded open and drawn; the figures that it shows, but for those within another. */
async function figuresOf(t, address) {
    const { page, complaints } = await open(t, site.base + address);
    await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => [...document.querySelectorAll('figure[data-plot]')].every((figure) =>
        figure.matches('.drawn, .nothing')));
    return { page, complaints, figures: page.locator('figure:visible:not(figure figure)') };
}

const save = async (page, link) => readFileSync(await (await download(page, link)).path());

// What the samples may have nothing of: intervals, bounds, reasons, periods of a calibration.
const known = /bound|interval|^(reason|period|points\.value|elo)$/;

async function savedAsCsv(page, bar, at) {
    const link = bar.getByRole('link', { name: 'CSV' });
    const answer = await site.get(await link.getAttribute('href'), { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 200, at);
    assert.match(answer.headers.get('content-type'), /^text\/csv/, at);
    const text = await answer.text(), { head, rows } = csv(text);
    assert.ok(rows.length > 0 && head.length > 1, `rows of ${at}`);
    const empty = head.filter((column) => !known.test(column) && rows.every((row) => row[column] === ''));
    assert.deepEqual(/[?&]rows=/.test(answer.url) ? empty : [], [], `columns of ${at} without any value`);
    assert.equal(String(await save(page, link)), text, at);
    const again = await site.get(answer.url.slice(site.base.length), { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    assert.equal(again.status, 304, `${at} is computed again for who has it`);
}

describe('every figure is saved as CSV, SVG and PNG', { concurrency: 2 }, () => {
    for (const pattern of patterns)
        test(pattern, async (t) => {
            const { page, complaints, figures } = await figuresOf(t, where[pattern]);
            const n = await figures.count();
            assert.ok(n >= (drawn[pattern] ?? 0), `${n} figures`);
            assert.ok(pattern in drawn || n === 0, `${n} figures are to be listed in this test`);
            for (let i = 0; i < n; i++) {
                const figure = figures.nth(i), bar = figure.locator('.share'), at = `${await figure.getAttribute('id')} of ${where[pattern]}`;
                assert.equal(await bar.count(), 1, at);
                await savedAsCsv(page, bar, at);
                const svg = String(await save(page, bar.getByRole('button', { name: 'SVG' })));
                assert.match(svg, /^<svg [^]*<\/svg>$/, at);
                assert.match(svg, /<(path|rect|circle|line)/, at);
                const png = await save(page, bar.getByRole('button', { name: 'PNG' }));
                assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n', at);
            }
            assert.deepEqual(complaints, [], where[pattern]);
        });
});

test('journey (g): the data behind a figure, one click', async (t) => {
    const { page } = await figuresOf(t, where['/players/{player}/{year}/moves']);
    const text = String(await save(page, page.locator('#figure-bins').getByRole('link', { name: 'CSV' }))); // 1
    const [head, ...bins] = text.trimEnd().split('\r\n').map((line) => line.split(','));
    assert.deepEqual(head, ['from', 'to', 'moves', 'share']);
    const shown = await page.locator('#bins tbody tr').allInnerTexts();
    assert.equal(shown.length, bins.length, 'as many as are drawn');
    bins.forEach(([, , moves, share], i) => {
        assert.ok(shown[i].split(/\s+/).includes(moves), shown[i]);
        assert.ok(shown[i].includes(`${(100 * share).toFixed(0)}%`), shown[i]);
    });
});
