// The page of the queue in a real browser: what waits is seen, steered by its buttons without
// JavaScript, and offered where a rating lacks it.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { close, launch, open, stands } from './browser.mjs';
import { threeGames } from './games.mjs';
import { freshDatabase, run, serve, sql, until } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };

before(() => launch());

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

/** Presses a button of a form and gives the text of the page that comes. */
async function press(page, name) {
    await Promise.all([page.waitForResponse((r) => r.request().method() === 'POST'),
        page.getByRole('button', { name }).first().click()]);
    await page.waitForLoadState();
    return page.innerText('main');
}

const counts = async (site, query = '') => {
    const { judging } = await site.json(`/api/v1/analyses${query}`);
    return [judging.ready, judging.running, judging.paused, judging.failed];
};

test('every button of the queue, without JavaScript', async (t) => {
    const url = freshDatabase(t);
    const site = await serve(t, url);
    const { id } = await (await site.post(threeGames())).json();
    sql(url, `UPDATE job SET state = 'failed', attempts = 3, last_error = 'the engine died twice'
        WHERE id = (SELECT max(id) FROM job)`);
    await stands(t, 'queue', `${site.base}/queue`, /the engine died twice/);

    const { page: narrow } = await open(t, `${site.base}/queue`, { width: 390 });
    const buttons = await narrow.locator('.steer button').all();
    assert.ok(buttons.length >= 5);
    for (const button of buttons) {
        const box = await button.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 390, 'a button is beside the screen');
    }

    const { page } = await open(t, `${site.base}/queue`, { javaScriptEnabled: false });
    assert.match(await page.innerText('main'), /no engine is running/);
    await press(page, /^Pause/);
    assert.match(page.url(), /\/queue$/);
    assert.deepEqual(await counts(site, `?upload=${id}`), [0, 0, 2, 1]);
    await press(page, /^Resume/);
    assert.deepEqual(await counts(site), [2, 0, 0, 1]);
    await press(page, /^Retry the failed/);
    assert.deepEqual(await counts(site), [3, 0, 0, 0]);
    await press(page, /sooner/);
    assert.equal(sql(url, 'SELECT DISTINCT priority FROM job'), '4');
    await press(page, /later/);
    assert.equal(sql(url, 'SELECT DISTINCT priority FROM job'), '5');
    assert.match(await press(page, /^Cancel/), /No game waits for analysis/);
    assert.equal(sql(url, 'SELECT count(*) FROM job'), '0');
    assert.equal(sql(url, 'SELECT count(*) FROM game'), '3');
});

test('with a token: the page asks for it, and its name owns what it queues', async (t) => {
    const url = freshDatabase(t);
    const token = run(['token', 'create', 'ann'], url).trim();
    const site = await serve(t, url);
    const sent = await site.post(threeGames(), '', { authorization: `Bearer ${token}` });
    assert.equal(sent.status, 202);
    const { page } = await open(t, `${site.base}/queue`, { javaScriptEnabled: false });
    assert.match(await page.innerText('main'), /\bann\b/);
    await page.locator('input[name=token]').first().fill('wrong');
    assert.match(await press(page, /^Pause/), /not known/);
    await page.goto(`${site.base}/queue`);
    await page.locator('input[name=token]').first().fill(token);
    await press(page, /^Pause/);
    assert.deepEqual(await counts(site), [0, 0, 3, 0]);
});

test('narrow first, wide where a rating asks: refused with the reason, offered, queued', async (t) => {
    const url = freshDatabase(t);
    const site = await serve(t, url, { INTRINSIC_WORKERS: '1' });
    const { id } = await (await site.post(threeGames(), '?judge=narrow')).json();
    await until('narrow is done', async () => (await site.json(`/api/v1/uploads/${id}`)).analysed === 3);
    const { players: [{ player, year }] } = await site.json(`/api/v1/uploads/${id}`);
    const where = `/players/${player.id}/${year}`;
    const refused = await site.json(`/api/v1/players/${player.id}/ratings?year=${year}&judge=narrow`);
    assert.equal(refused.ipr.estimate, null);
    assert.match(refused.ipr.reason, /narrow/);
    assert.equal(refused.offer.judge, 'standard');

    await stands(t, 'offer', `${site.base}${where}?judge=narrow`, /not analysed with standard, the engine setting of these methods/);
    const { page } = await open(t, site.base + where, { javaScriptEnabled: false });
    assert.match(await page.textContent('main'), /with: narrow/, 'folded');
    const text = await press(page, /^Analyse with standard/);
    assert.ok(page.url().endsWith(where));
    assert.match(text, /waiting|being analysed|analysed games?/);
    assert.doesNotMatch(text, /^Analyse with standard/m, 'nothing is left that is not queued');
});
