// Pages on paper, with the samples: the address and what the figures are stand at the head, no sheet has a foot alone,
// and long lists are cut.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { open } from './browser.mjs';
import { browsed, patterns } from './sampled.mjs';

let site, where;
browsed((...made) => { [site, where] = made; });

const today = () => new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Sheets of a PDF that Chromium prints. */
const sheets = (pdf) => [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;

async function printed(t, address) {
    const { page } = await open(t, site.base + address);
    await page.waitForLoadState('networkidle'); // drawings
    const pdf = await page.pdf({ preferCSSPageSize: true });
    await page.emulateMedia({ media: 'print' });
    return { page, n: sheets(pdf) };
}

describe('on paper', { concurrency: 2 }, () => {
    for (const pattern of patterns)
        test(pattern, async (t) => {
            const { page } = await open(t, site.base + where[pattern]);
            await page.evaluate(() => window.dispatchEvent(new Event('beforeprint'))); // as a print does
            await page.emulateMedia({ media: 'print' });
            assert.equal(await page.locator('.colophon:visible').count(), 0, 'a foot may come on a sheet of its own');
            if (pattern.startsWith('/events/{event}/players/{player}') && !pattern.endsWith('moves')) return; // a head of its own
            const head = await page.innerText('.masthead');
            assert.match(head, /Ratings measure the moves .+ Intervals are of 95%/s);
            const own = await page.locator('.colophon .printed').textContent();
            assert.ok(own.startsWith('/') && head.includes(`${site.base}${own}, printed on ${today()}`), head);
            assert.equal(await page.locator('details:not([open]):visible').count(), 0, 'neither a fold nor its title');
            assert.equal(await page.locator('.masthead nav:visible, .masthead form:visible').count(), 0);
        });
});

test('what fits one sheet is on one', async (t) => {
    for (const pattern of ['/compare', '/reports', '/calibrations', '/queue', '/predictors', '/events/{event}', '/reports/conformance', '/reports/covariance', '/reports/score-curve']) {
        const { n } = await printed(t, where[pattern]);
        assert.equal(n, 1, `${n} sheets of ${where[pattern]}`);
    }
});

test('an upload of many player-years prints the first ones, and says so', async (t) => {
    const { page, n } = await printed(t, where['/uploads/{upload}']);
    await page.locator('details.report').evaluate((fold) => { fold.open = true; });
    const rows = page.locator('.of-players tbody tr');
    assert.ok(await rows.count() > 40);
    assert.equal(await page.locator('.of-players tbody tr:visible').count(), 25);
    assert.match(await page.innerText('.of-players'), /The first 25 of \d+ on the page\./);
    assert.ok(n <= 3, `${n} sheets`);
    await page.emulateMedia({ media: 'screen' });
    assert.equal(await page.locator('.of-players tbody tr:visible').count(), await rows.count());
});

test('the box of a move of a game is on one sheet', async (t) => {
    const { page } = await open(t, `${site.base}${where['/games/{game}']}?ply=41`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.panel-of-move').evaluate((box) => getComputedStyle(box).breakInside), 'avoid');
    assert.equal(await page.locator('.report').evaluate((box) => getComputedStyle(box).display), 'block', 'a flexible box is cut');
});

test('on paper every piece stands on its square', async (t) => {
    const { page } = await open(t, `${site.base}${where['/games/{game}']}?ply=0`);
    await page.locator('cg-board piece').first().waitFor();
    await page.pdf({ preferCSSPageSize: true }); // chessground measures its board again
    await page.emulateMedia({ media: 'print' });
    const places = await page.locator('cg-board').evaluate((board) => {
        const { left, top, width } = board.getBoundingClientRect();
        return [...board.querySelectorAll('piece')].map((piece) => {
            const box = piece.getBoundingClientRect();
            return `${Math.round((8 * (box.left - left)) / width)}${Math.round((8 * (box.top - top)) / width)}`;
        });
    });
    assert.deepEqual(places.sort(), [...'01234567'].flatMap((x) => [...'0167'].map((y) => x + y)).sort());
});
