// Tables: what their marks, abbreviations and a "none" mean is said by pointer, by touch and by keys, once to a screen
// reader; none is cut on a wide screen or is only "none".
import test from 'node:test';
import assert from 'node:assert/strict';
import { accessible, open } from './browser.mjs';
import { browsed } from './sampled.mjs';

let site, where;
browsed((...made) => { [site, where] = made; });

const tip = (page) => page.locator('.tip.of-term');
const isShown = async (page, text) => assert.equal(await tip(page).filter({ visible: true }).innerText(), text);

const paperTable = async (t, options) => {
    const opened = await open(t, `${site.base}/papers/alliot-2017/5`, options);
    const terms = opened.page.locator('main td abbr').filter({ visible: true });
    await opened.page.locator('abbr[aria-description]').first().waitFor({ state: 'attached' });
    await opened.page.locator('#figure-paper-table svg').first().waitFor(); // it moves what is below it
    return { ...opened, terms };
};

test('by pointer: at the term, not by the browser, and the box itself can be entered', async (t) => {
    const { page, terms, complaints } = await paperTable(t);
    const term = terms.first();
    const text = await term.getAttribute('aria-description');
    assert.equal(await page.locator('main abbr[title]').count(), 0);
    await term.scrollIntoViewIfNeeded();
    await page.waitForTimeout(200); // scrolling closes it
    await term.hover();
    await isShown(page, text);
    await tip(page).hover();
    await page.waitForTimeout(300);
    await isShown(page, text);
    await page.keyboard.press('Escape');
    assert.equal(await tip(page).isVisible(), false);
    await page.mouse.move(3, 3);
    await term.hover();
    await page.mouse.move(3, 3);
    await tip(page).waitFor({ state: 'hidden' });
    assert.deepEqual(complaints, []);
});

test('by touch: a tap shows it, another elsewhere closes it, and it is within the screen', async (t) => {
    const { page, terms } = await paperTable(t, { width: 390, hasTouch: true });
    const term = terms.last();
    await term.scrollIntoViewIfNeeded();
    await page.waitForTimeout(200);
    await term.tap();
    await isShown(page, await term.getAttribute('aria-description'));
    const { x, width } = await tip(page).boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${x} to ${x + width}`);
    await page.locator('h1').tap();
    assert.equal(await tip(page).isVisible(), false);
});

test('by keys: a table has few stops, arrows reach every term, Escape closes', async (t) => {
    const { page, terms } = await paperTable(t);
    const all = await terms.count(), stops = await page.locator('main table abbr[tabindex="0"]').count();
    assert.ok(all > 5, `${all} terms`);
    assert.ok(stops > 0 && stops <= 12, `${stops} stops for ${all} terms`);
    const first = page.locator('main table abbr[tabindex="0"]').first();
    for (let i = 0; i < 400 && !await first.evaluate((e) => e === document.activeElement); i++) await page.keyboard.press('Tab');
    await isShown(page, await first.getAttribute('aria-description'));
    await page.keyboard.press('ArrowRight');
    const second = page.locator('main abbr:focus');
    assert.notEqual(await second.evaluate((e) => e.compareDocumentPosition(document.querySelector('main table abbr[tabindex="0"]'))), 0);
    await isShown(page, await second.getAttribute('aria-description'));
    await page.keyboard.press('Escape');
    assert.equal(await tip(page).isVisible(), false);
    await accessible(page, '/papers/alliot-2017/5');
});

for (const [pattern, id] of [['/players/{player}/{year}', 'figure-losses'], ['/reports/covariance', 'figure-covariance-surface'],
    ['/papers/{paper}/figures/{figure}', 'figure-paper-figure']])
    test(`the points of ${id} are read by keys`, async (t) => {
        const { page } = await open(t, site.base + where[pattern]);
        await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; }));
        const drawing = page.locator(`#${id} svg[tabindex]`);
        await drawing.waitFor();
        await drawing.focus();
        await page.keyboard.press('ArrowRight');
        assert.match(await page.locator(`#${id} .tip`).innerText(), /\d/);
    });

test('wide tables are whole at 1280 pixels, also those that are folded, and cards on a phone', async (t) => {
    for (const address of ['/papers/regan-haworth-2011/mileposts', '/papers/alliot-2017/4', '/papers/alliot-2017/5', '/calibrations/standard'])
        for (const width of [1280, 390]) {
            const { page } = await open(t, site.base + address, { width });
            const cut = await page.evaluate(() => {
                document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
                return [...document.querySelectorAll('.table-wrap')].filter((e) => e.scrollWidth > e.clientWidth + 1)
                    .map((e) => `${e.getAttribute('aria-label') ?? e.getAttribute('aria-labelledby')}: ${e.scrollWidth} of ${e.clientWidth}`);
            });
            assert.deepEqual(width === 1280 ? cut : cut.filter((one) => one.startsWith('rows-title')), [], `${address} at ${width}`);
        }
});

test('a column of a paper without any figure is named with its reason, not shown', async (t) => {
    const { page } = await open(t, `${site.base}/papers/alliot-2017/4`);
    const heads = await page.locator('table').first().locator('thead th').allInnerTexts();
    assert.ok(heads.includes('Stability') && !heads.includes('Depth against time'), heads.join());
    assert.match(await page.innerText('main'), /Depth against time: the engine's searches are not limited by time/);
});
