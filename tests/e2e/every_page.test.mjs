// Every page of the table of resources, with the samples: accessible at three widths, light and dark, nothing too wide,
// no request to another host, no complaint of the browser, few bytes; and its first screen looks as it was kept.
// `make pictures` keeps the pictures of tests/e2e/screens anew: look at them before they are committed.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { abridge, accessible, become, COLOURS, context, overflow, unfold, visit } from './browser.mjs';
import { root } from './lib.mjs';
import { differences, kept } from './pictures.mjs';
import { browsed, patterns } from './sampled.mjs';

const MOST_BYTES = 250_000;
const screens = path.join(root, 'tests/e2e/screens'), found = path.join(root, 'build/screens');
let site, where;
browsed((...made) => { [site, where] = made; });

// Two pages at a time, and each next one in a context that an earlier one has left: its cache has style and scripts.
const contexts = [], sizes = new Map();

const ready = async (page) => {
    await page.waitForLoadState('networkidle');
    await become(page, page.viewportSize().width, 'light');
};

/** Bytes of the answers that a page is made of, without the browser's cache. */
const transferred = async (page) => {
    const all = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map(({ name, transferSize }) => [name, transferSize]));
    for (const [name, size] of all) sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
    return all.reduce((sum, [name]) => sum + sizes.get(name), 0);
};

// What another day, or another machine, would show otherwise: times of uploads, of reports and of this version.
const fixTimes = (page) => page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { data } = texts.currentNode, fixed = data.replaceAll(/\b20[2-9]\d-\d\d-\d\d( \d\d:\d\d)?/g, '2026-01-01$1')
            .replaceAll(/2026-01-01 \d\d:\d\d/g, '2026-01-01 00:00');
        if (fixed !== data) texts.currentNode.data = fixed;
    }
});

/** What a first screen has that its kept picture has not, and the other way round. */
async function unlike(page, name) {
    const picture = kept(await page.screenshot()), file = path.join(screens, `${name}.png`);
    if (process.env.KEEP) {
        writeFileSync(file, picture);
        return [];
    }
    assert.ok(existsSync(file), `${file} is kept: make pictures`);
    const differ = differences(readFileSync(file), picture);
    if (differ.length > 0) {
        mkdirSync(found, { recursive: true });
        writeFileSync(path.join(found, `${name}.png`), picture);
    }
    return differ;
}

async function looksAsKept(page, name) {
    await fixTimes(page);
    for (const width of [390, 1280]) {
        await become(page, width, 'light');
        let differ = await unlike(page, `${name}-${width}`);
        for (let tries = 0; differ.length > 0 && tries < 3; tries++) { // a drawing that was still to come
            await page.waitForTimeout(500);
            differ = await unlike(page, `${name}-${width}`);
        }
        assert.deepEqual(differ, [], `${name}-${width}.png in tests/e2e/screens and in build/screens`);
    }
}

// Every rule at every width; those of colours, which alone read the colour scheme, in both schemes; all rows once, then the
// first of each table. What is too wide is seen of all rows.
const looks = [[1280, 'dark', COLOURS], [768, 'dark'], [768, 'light', COLOURS], [390, 'light', COLOURS], [390, 'dark']];

async function stands(page, address) {
    await unfold(page);
    for (const width of [390, 768, 1280]) {
        await become(page, width, 'light');
        const over = await overflow(page);
        assert.ok(over <= 0, `${over} px too wide, ${address} at ${width}`);
    }
    await accessible(page, `${address} at 1280, light, all rows`);
    await abridge(page);
    for (const [width, colorScheme, rules] of looks) {
        await become(page, width, colorScheme);
        await accessible(page, `${address} at ${width}, ${colorScheme}`, rules);
    }
}

// What the main pages have at most outside of their folds: words and numbers, and their heights at 1280 and 390 px.
const most = {
    '/': { words: 300, numbers: 80, heights: [1500, 2600] },
    '/players': { words: 380, numbers: 190, heights: [1650, 2750] },
    '/players/{player}': { words: 190, numbers: 50, heights: [1200, 1700] },
    '/players/{player}/{year}': { words: 420, numbers: 190, heights: [2400, 4500] },
    '/games/{game}': { words: 330, numbers: 200, heights: [1400, 2500] },
    '/compare': { words: 180, numbers: 55, heights: [1150, 2050] },
    '/events/{event}': { words: 430, numbers: 140, heights: [1600, 2300] },
    '/uploads/{upload}': { words: 720, numbers: 300, heights: [2750, 4150] },
};

async function brief(page, pattern) {
    const { words, numbers, heights } = most[pattern], found = [];
    for (const width of [1280, 390]) {
        await become(page, width, 'light');
        found.push(await page.evaluate(() => [document.querySelector('main').innerText, document.documentElement.scrollHeight]));
    }
    const [[text, wide], [, narrow]] = found;
    const count = (what) => (text.match(what) ?? []).length;
    const over = [['words', count(/\S+/g), words], ['numbers', count(/\d+(\.\d+)?/g), numbers], ['px at 1280', wide, heights[0]], ['px at 390', narrow, heights[1]]]
        .filter(([, is, limit]) => is > limit);
    assert.deepEqual(over, [], 'what, how many, at most');
}

async function check(address, { expected = 200, picture, pattern } = {}) {
    const own = contexts.pop() ?? await context({ width: 1280 });
    const { page, status, complaints, requests } = await visit(own, site.base + address);
    await ready(page);
    assert.equal(status, expected);
    if (picture) await looksAsKept(page, picture);
    if (pattern in most) await brief(page, pattern);
    assert.doesNotMatch(await page.innerText('main'), /\bnan\b|undefined/i);
    if (!process.env.KEEP) await stands(page, address);
    const bytes = await transferred(page);
    assert.ok(bytes > 1000 && bytes <= MOST_BYTES, `${bytes} bytes of ${address}`);
    assert.deepEqual(requests.filter((url) => !url.startsWith(site.base) && !/^(data|blob):/.test(url)), []);
    assert.deepEqual(complaints.filter((c) => expected === 200 || !/status of 4\d\d/.test(c)), [], address);
    await page.close();
    contexts.push(own);
}

// Pages with a kept picture, by their patterns.
const pictures = { '/': 'start', '/players/{player}': 'player', '/games/{game}': 'game', '/events/{event}': 'event',
    '/events/{event}/players/{player}': 'dossier', '/compare': 'compare', '/moves': 'moves', '/careers': 'careers',
    '/glossary': 'glossary',
    '/royale': 'royale', '/reports': 'reports', '/calibrations': 'calibrations', '/validation': 'validation',
    '/papers': 'papers', '/uploads/{upload}': 'upload' };
// Other states of pages than those of `addresses`.
const states = { 'the empty form of compare': () => ['/compare'], 'an imported calibration': () => ['/calibrations/regan-haworth-2011'],
    'careers, none chosen': () => ['/careers'], 'no such player': () => ['/players/999999', { expected: 404 }],
    'a wrong parameter': () => ['/compare?white=nobody', { expected: 400 }] };

describe('accessible, no wider than the screen, of this host alone, as it was', { concurrency: 2 }, () => {
    for (const pattern of patterns.filter((p) => !process.env.KEEP || p in pictures))
        test(pattern, () => check(where[pattern], { picture: pictures[pattern], pattern }));
    if (process.env.KEEP) return;
    for (const [name, state] of Object.entries(states))
        test(name, () => check(...state()));
});

const alterations = {
    'without its title': ['/players/{player}', 'player', () => document.querySelector('h1').remove()],
    'without a link of the menu': ['/compare', 'compare', () => { document.querySelector('nav li:nth-child(4)').style.visibility = 'hidden'; }],
    'whose list has moved': ['/careers', 'careers', () => { document.querySelector('main .sets').style.translate = '0 2.5rem'; }],
    'whose board is gone': ['/games/{game}', 'game', () => { document.querySelector('#board').style.visibility = 'hidden'; }],
};
describe('a kept picture does not fit a page', { concurrency: 2, skip: process.env.KEEP !== undefined }, () => {
    for (const [name, [pattern, picture, alter]] of Object.entries(alterations))
        test(name, async (t) => {
            const own = await context({ width: 1280 });
            t.after(() => own.close());
            const { page } = await visit(own, site.base + where[pattern]);
            await ready(page);
            await looksAsKept(page, picture);
            await page.evaluate(alter);
            assert.notDeepEqual(await unlike(page, `${picture}-1280`), []);
        });
});
