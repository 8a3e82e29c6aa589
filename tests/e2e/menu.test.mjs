// The menu of every page: a row of links where there is room, and a button with all of them where there is not; by
// touch and by keys, with JavaScript and without.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { accessible, become, close, launch, open, overflow } from './browser.mjs';
import { freshDatabase, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const entries = ['Analyse my games', 'Players', 'Events', 'Compare', 'Method'];
let site;

before(async () => {
    site = await serve(suite, freshDatabase(suite));
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const shown = (page) => page.locator('nav[aria-label="Main"] a:visible').allInnerTexts();
const button = (page) => page.getByRole('button', { name: 'Menu' });

/** Links that a reader does not see whole. */
const cut = (page) => page.evaluate(() => [...document.querySelectorAll('nav[aria-label="Main"] a')].filter((a) => {
    const { left, right } = a.getBoundingClientRect();
    return left < 0 || right > window.innerWidth;
}).map(({ textContent }) => textContent));

test('with room all entries stand in one row', async (t) => {
    const { page } = await open(t, `${site.base}/reports`, { width: 1280 });
    for (const width of [1280, 900, 768]) {
        await become(page, width, 'light');
        assert.deepEqual(await shown(page), entries, `${width} px`);
        assert.deepEqual(await cut(page), [], `${width} px`);
        assert.equal(await button(page).isVisible(), false);
    }
});

for (const javaScriptEnabled of [true, false])
    test(`on a phone they are behind a button in one row with the search, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async (t) => {
        const { page } = await open(t, `${site.base}/reports`, { width: 390, hasTouch: true, javaScriptEnabled });
        const { height } = await page.locator('.masthead').boundingBox();
        assert.ok(height < 68, `${height} px`);
        assert.ok(await page.locator('.masthead .find input').isVisible());
        assert.deepEqual(await shown(page), []);
        await button(page).tap();
        assert.deepEqual(await shown(page), entries);
        assert.deepEqual(await cut(page), []);
        assert.ok((await page.locator('#menu a').first().boundingBox()).height >= 40, 'as high as a finger');
        assert.equal(await page.locator('#menu [aria-current]').innerText(), 'Method');
        await page.getByRole('link', { name: 'Events' }).tap();
        await page.waitForURL(`${site.base}/events`);
    });

test('a section has a second menu, which says where one is', async (t) => {
    const { page } = await open(t, `${site.base}/predictors`, { width: 1280 });
    const parts = page.locator('nav[aria-label="Section"]');
    assert.deepEqual(await parts.locator('a').allInnerTexts(), ['How well it does', 'Predictors', 'Calibrations', 'Papers', 'Reports', 'Glossary']);
    assert.equal(await parts.locator('[aria-current]').innerText(), 'Predictors');
    assert.equal(await page.locator('nav[aria-label="Main"] [aria-current]').innerText(), 'Method');
    for (const width of [1280, 390]) {
        await become(page, width, 'light');
        assert.ok(await overflow(page) <= 0, `${width} px`);
    }
    await page.goto(`${site.base}/careers`);
    assert.deepEqual(await parts.locator('a').allInnerTexts(), ['Two at a time', 'Careers']);
    await page.goto(`${site.base}/players`);
    assert.equal(await parts.count(), 0);
});

test('by keys it opens, leads and closes', async (t) => {
    const { page } = await open(t, `${site.base}/reports`, { width: 390 });
    await button(page).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await shown(page), entries);
    await page.keyboard.press('Escape');
    assert.deepEqual(await shown(page), []);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Players');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.base}/players`);
});

test('open, it is accessible and no wider than the screen, light and dark', async (t) => {
    const { page } = await open(t, `${site.base}/`, { width: 390 });
    await button(page).click();
    for (const scheme of ['light', 'dark'])
        for (const width of [390, 320, 700]) {
            await become(page, width, scheme);
            assert.ok(await overflow(page) <= 0, `${width} px`);
            await accessible(page, `the menu at ${width}, ${scheme}`);
        }
});
