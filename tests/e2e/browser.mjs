// Debian's Chromium for the end-to-end tests, the one without a window, in which a page takes a third of the time; and what
// every page must stand.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser;

export async function launch() {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
}

export async function close() {
    await browser?.close();
}

/** A context of its own, with an empty cache. */
export const context = ({ width = 1200, ...options } = {}) =>
    browser.newContext({ viewport: { width, height: 900 }, ...options });

/** A page of a context at an address; `complaints` are the browser's, `requests` the addresses that were asked. */
export async function visit(of, address) {
    const page = await of.newPage();
    const complaints = [], requests = [];
    page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('request', (r) => requests.push(r.url()));
    let reply = await page.goto(address, { waitUntil: 'load' });
    // Network interfaces that another test adds or removes make Chromium drop what it is loading.
    for (let tries = 0; tries < 3 && complaints.some((c) => c.includes('ERR_NETWORK_CHANGED')); tries++) {
        complaints.length = requests.length = 0;
        reply = await page.goto(address, { waitUntil: 'load' });
    }
    return { page, complaints, requests, status: reply.status() };
}

/** A page at an address, closed when the test ends. */
export async function open(t, address, options) {
    const own = await context(options);
    t.after(() => own.close());
    return visit(own, address);
}

/** Takes away rows, addresses of the API and choices that are alike: the first few of each stand for all of them. Gone,
 * they cost nothing; what axe-core is told to exclude it compares with every other element. */
export const abridge = (page) => page.evaluate(() => {
    for (const one of document.querySelectorAll('tbody tr:nth-child(n+9), .address:nth-of-type(n+9), option:nth-child(n+9)'))
        one.remove();
});

/** Rules of axe-core that read colours: all that another colour scheme can change. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Nothing that axe-core objects to: by all its rules, or by these. */
export async function accessible(page, at, rules) {
    if (!await page.evaluate(() => 'axe' in window))
        await page.evaluate(axe); // by the debugger's way: the page's policy forbids a script tag
    const violations = await page.evaluate(async (options) => {
        const found = await window.axe.run('html', options);
        return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))]);
    }, { resultTypes: ['violations'], preload: false, ...rules && { runOnly: rules } });
    assert.deepEqual(violations, [], at);
}

/** The page has another width and colour scheme, without being loaded again; what is drawn follows its width. */
export async function become(page, width, colorScheme) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
}

/** Chromium drops the eleventh download that a page starts within a second, and says nothing. */
const BETWEEN_DOWNLOADS_MS = 120;

/** What a click on a link or a button saves. Where the page moves under the pointer, so that the click misses it, it is
 * clicked again, as a reader would. */
export async function download(page, link) {
    const started = page.waitForEvent('download');
    started.catch(() => {}); // a click that cannot be made is told first
    await link.evaluate((one) => one.addEventListener('click', () => { one.wasClicked = true; }, { once: true }));
    for (let clicks = 0; clicks < 3 && !await link.evaluate((one) => one.wasClicked); clicks++) await link.click();
    await sleep(BETWEEN_DOWNLOADS_MS);
    return started;
}

/** By how many pixels the page is wider than the screen. */
export const overflow = (page) => page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Opens all that is folded on a page but the addresses of the API. */
export const unfold = (page) => page.evaluate(() => {
    for (const details of document.querySelectorAll('details:not(.address details)')) details.open = true;
});

/** The page's text, as soon as it has `expected`: what is drawn comes after the page is loaded. */
async function shown(page, expected) {
    for (const end = Date.now() + 30000; ;) {
        const text = await page.innerText('main');
        if (expected.test(text) || Date.now() > end) return text;
        await page.waitForTimeout(100);
    }
}

/** The page, opened again as long as other costly ones are being computed. */
async function admitted(t, address) {
    for (let i = 0; ; i++) {
        const opened = await open(t, address);
        if (opened.status !== 503 || i === 20) return opened;
        await opened.page.close();
        await sleep(1000);
    }
}

/** A page in a state that every_page.test.mjs does not see: it says what is expected, at two widths, light and dark,
 * nothing is too wide, it is accessible, and the browser does not complain. `never` is a figure that is none;
 * `unfolded`: with all that is folded. */
export async function stands(t, name, address, expected, { never = /\b(nan|null|undefined)\b/i, unfolded = false } = {}) {
    const { page, complaints, status } = await admitted(t, address);
    assert.equal(status, 200);
    if (unfolded) await unfold(page);
    const text = await shown(page, expected);
    assert.match(text, expected);
    assert.doesNotMatch(text, never);
    const looks = [[1200, 'light'], [390, 'dark']];
    for (const [width, colorScheme] of looks) {
        await become(page, width, colorScheme);
        let over = await overflow(page);
        for (let i = 0; over > 0 && i < 20; i++) { // a picture is drawn anew some time after its room has changed
            await page.waitForTimeout(100);
            over = await overflow(page);
        }
        assert.ok(over <= 0, `${name} at ${width} is ${over} px too wide`);
    }
    await abridge(page);
    for (const [width, colorScheme] of looks) {
        await become(page, width, colorScheme);
        await accessible(page, `${name} at ${width}, ${colorScheme}`);
    }
    assert.deepEqual(complaints, []);
}
