// Debian's Chromium for the end-to-end tests, and what every page must stand.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './lib.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = path.join(root, 'build/screenshots');
let browser;

export async function launch() {
    mkdirSync(shots, { recursive: true });
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
}

export async function close() {
    await browser?.close();
}

/** A page at an address, closed when the test ends; `complaints` are the browser's. */
export async function open(t, address, { width = 1200, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
    page.on('pageerror', (e) => complaints.push(String(e)));
    const reply = await page.goto(address, { waitUntil: 'load' });
    return { page, complaints, status: reply.status() };
}

export async function screenshot(page, name) {
    await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
}

/** The page's text, as soon as it has `expected`: what is drawn comes after the page is loaded. */
async function shown(page, expected) {
    for (const end = Date.now() + 30000; ;) {
        const text = await page.innerText('main');
        if (expected.test(text) || Date.now() > end) return text;
        await page.waitForTimeout(100);
    }
}

/** Opens all that is folded on a page. */
export const unfold = (page) => page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
});

/** Two widths, nothing too wide, accessible, no complaint of the browser. `never` is a figure that
 * is none; `unfolded`: with all that is folded. */
export async function stands(t, name, address, expected, { never = /\b(nan|null|undefined)\b/i, unfolded = false } = {}) {
    for (const width of [1200, 390]) {
        const { page, complaints, status } = await open(t, address, { width });
        assert.equal(status, 200);
        if (unfolded) await unfold(page);
        const text = await shown(page, expected);
        assert.match(text, expected);
        assert.doesNotMatch(text, never);
        await screenshot(page, `${name}-${width}`);
        const overflow = await page.evaluate(() =>
            document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${width}`);
        assert.deepEqual(complaints, []);
        await page.evaluate(axe); // by the debugger's way: the page's policy forbids a script tag
        const { violations } = await page.evaluate(() => window.axe.run(document,
            { runOnly: ['wcag2a', 'wcag2aa'], rules: { 'landmark-unique': { enabled: true } } }));
        assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' '))]), []);
    }
}
