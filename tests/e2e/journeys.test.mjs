// Ways of a reader from the start page to an answer, with no more clicks than these questions deserve, on the samples:
// (a) how good was a player in a year, and how sure is that; (b) who of two would win. (c) to (g) are tested with the
// pages that they lead to: uploads, events, moves, careers; (g) in downloads.test.mjs.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { close, launch, open } from './browser.mjs';
import { sampled } from './sampled.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
let site;

before(async () => {
    site = await sampled(suite);
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const idOf = async (name) => (await site.json(`/api/v1/players?q=${name}`)).players[0].id;

/** A click that leads to another page. */
async function lead(page, target) {
    await Promise.all([page.waitForNavigation(), target.click()]);
}

/** "2501" of an interval's end, as pages have it. */
const end = (value) => String(Math.round(value));

test('journey (a): how good was Fischer in 1972, and how sure is that: typing and one click', async (t) => {
    const { page, complaints } = await open(t, `${site.base}/`);
    const id = await idOf('fischer'), { rating } = await site.json(`/api/v1/players/${id}/ratings?year=1972`);

    await page.getByRole('combobox', { name: /Find a player/ }).first().pressSequentially('bobby fischer 1972');
    const option = page.getByRole('option', { name: /Fischer/ }).first();
    await option.waitFor();
    await lead(page, option); // 1
    assert.match(new URL(page.url()).pathname, new RegExp(`^/players/${id}(/[a-z-]+)?/1972$`));
    const headline = await page.innerText('.headline');
    for (const part of [rating.estimate, rating.interval.low, rating.interval.high].map(end)) assert.ok(headline.includes(part), `${part} in ${headline}`);
    assert.match(headline, /95% interval/, 'how sure');
    assert.deepEqual(complaints, []);
});

test('who was strongest, and how sure is that: said first on the start page, and drawn', async (t) => {
    const { finding, ranking } = await site.json('/api/v1/dashboard');
    const first = ranking[0].name.replace(/,.*/, '');
    for (const [width, height] of [[1280, 800], [390, 844]]) {
        const { page } = await open(t, `${site.base}/`, { width });
        await page.setViewportSize({ width, height });
        assert.equal(await page.innerText('.verdict'), finding);
        assert.ok(finding.includes(first), finding);
        await page.waitForSelector('#figure-strength.drawn svg');
        const names = page.locator('#figure-strength .year-name text');
        assert.equal(await names.first().textContent(), first);
        const reigns = ranking.flatMap((one) => one.reigns.filter(({ from, to }) => one.path.filter(({ year }) => year >= from && year <= (to ?? year)).length > 0));
        const broad = await page.locator('#figure-strength .reign path').count();
        assert.ok(broad > 3 && broad <= reigns.length, `${broad} of ${reigns.length} reigns`);
        const box = await names.first().boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${first} is in the picture at ${width}`);
        assert.ok(box.y + box.height < height, `and in the first screen at ${width}`);
        assert.equal(await page.locator('#token').count(), 0, 'no token is needed here');
    }
});

const sides = async () => [['fischer', 1972], ['kasparov', 1984]].reduce(async (all, [name, year]) =>
    [...await all, `${await idOf(name)}:${year}`], []);

test('journey (b): Fischer 1972 or Kasparov 1984, answered by a verdict: from the menu in two clicks', async (t) => {
    const { page, complaints } = await open(t, `${site.base}/`);
    const [white, black] = await sides();
    const { verdict, chances } = await site.json(`/api/v1/predictions?white=${white}&black=${black}`);

    await lead(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' })); // 1
    await page.getByLabel('First').fill('fischer 1972');
    await page.getByLabel('Second').fill('kasparov 1984');
    await lead(page, page.getByRole('button', { name: 'Compare' })); // 2
    const said = (await page.innerText('.verdict')).trim();
    assert.match(said, new RegExp(`^${verdict.text.replaceAll('.', '\\.')} ${verdict.certainty}, by (results|moves)$`));
    assert.match(said, /^(Fischer 1972|Kasparov 1984) (is .*favourite|and )/, 'one answer, by name');
    assert.equal(await page.innerText('#first'), String(Math.round(100 * chances.expected)));
    const above = await page.evaluate(() => document.querySelector('.duel').getBoundingClientRect().bottom <= document.querySelector('form.sides').getBoundingClientRect().top);
    assert.ok(above, 'the answer is above the form');
    assert.deepEqual(complaints, []);
});

