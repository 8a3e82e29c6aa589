// Figures in a real browser: saved as SVG and PNG, shared by their address, and read point by point with
// pointer, finger and keys. /validation needs no games.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { close, download, launch, open } from './browser.mjs';
import { freshDatabase, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site;

before(async () => {
    site = await serve(suite, freshDatabase(suite), { INTRINSIC_WORKERS: '0' });
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const validation = async (t, options) => {
    const opened = await open(t, `${site.base}/validation`, options);
    const figure = opened.page.locator('#figure-validation-coverage');
    await opened.page.locator('#figure-validation-coverage.drawn svg').first().waitFor();
    return { ...opened, figure };
};

const saved = async (page, figure, name) => {
    const made = await download(page, figure.getByRole('button', { name, exact: true }));
    return { name: made.suggestedFilename(), bytes: readFileSync(await made.path()) };
};

test('a figure is saved as SVG that needs no style sheet, and as PNG', async (t) => {
    const { page, figure, complaints } = await validation(t);
    const svg = await saved(page, figure, 'SVG');
    assert.equal(svg.name, 'validation-validation-coverage.svg');
    const { marks, caption, error } = await page.evaluate((text) => {
        const made = new DOMParser().parseFromString(text, 'image/svg+xml');
        return { marks: made.querySelectorAll('circle').length, caption: made.documentElement.textContent,
            error: made.querySelector('parsererror')?.textContent };
    }, String(svg.bytes));
    assert.equal(error, undefined);
    assert.equal(marks, await figure.locator('circle').count());
    assert.match(caption, /How often the 95% interval contained the Elo of the players/, 'what is drawn');
    assert.match(caption, /\/validation#figure-validation-coverage/, 'where it is from');
    assert.doesNotMatch(String(svg.bytes), /var\(/, 'colours, not their names');
    const png = await saved(page, figure, 'PNG');
    assert.equal(png.bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
    const box = await figure.boundingBox();
    assert.ok(Math.abs(png.bytes.readUInt32BE(16) - 2 * (box.width + 32)) <= 2, 'two pixels for one');
    assert.deepEqual(complaints, []);
});

test('the address of a figure leads to it, though it is drawn later', async (t) => {
    const { page, figure } = await validation(t);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await figure.getByRole('button', { name: 'Copy link' }).click();
    await figure.getByText('Copied').waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(address, `${site.base}/validation#figure-validation-coverage`);
    const { page: other } = await open(t, address);
    await other.locator('#figure-validation-coverage svg').first().waitFor();
    await other.waitForFunction(() => {
        const { top } = document.getElementById('figure-validation-coverage').getBoundingClientRect();
        return top > -50 && top < window.innerHeight;
    });
});

test('an answer that failed is asked for again when the network is back', async (t) => {
    const { page } = await open(t, `${site.base}/glossary`);
    const json = /\/api\/v1\/validation/, asked = [];
    await page.route(json, (route) => (asked.push(route), route.abort()));
    await page.goto(`${site.base}/validation`);
    const figures = page.locator('figure[data-json="/api/v1/validation"]'), drawn = page.locator('figure.drawn[data-json="/api/v1/validation"]');
    const n = await figures.count();
    assert.ok(n > 1);
    await page.waitForFunction((all) => document.querySelectorAll('figure.nothing').length >= all, n);
    assert.deepEqual([asked.length, await drawn.count()], [1, 0]);
    await page.unroute(json);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.waitForFunction((all) => document.querySelectorAll('figure.drawn').length >= all, n);
});

test('points are read by pointer, finger and keys', async (t) => {
    const { page, figure } = await validation(t, { hasTouch: true });
    const tip = figure.locator('.tip');
    const drawing = figure.locator('svg[tabindex="0"]');
    assert.equal(await figure.locator('svg title').count(), 0, 'no tooltip of the browser beside it');
    await drawing.focus();
    await page.keyboard.press('ArrowRight');
    const first = await tip.innerText();
    assert.match(first, /^\d+ games?, .*: [\d.]+% of \d+ sets$/);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await tip.innerText(), first);
    await page.keyboard.press('Escape');
    assert.equal(await tip.isVisible(), false);
    const { x, y, width, height } = await figure.locator('circle').first().boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    assert.equal(await tip.innerText(), first);
    await page.mouse.move(0, 0);
    assert.equal(await tip.isVisible(), false);
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    assert.equal(await tip.innerText(), first);
});

test('without JavaScript nothing is offered that does not work', async (t) => {
    const { page } = await open(t, `${site.base}/validation`, { javaScriptEnabled: false });
    assert.equal(await page.locator('figure.plot:visible, .share button:visible').count(), 0);
});
