// What an arbiter without a file can do: look at the example, an open of composed games with one engine user, from the
// page to the dossier; and sections of one event lead to each other.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { close, launch, open as openAddress } from './browser.mjs';
import { freshDatabase, serve, until } from './lib.mjs';

const cleanups = [];
let site;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    site = await serve(suite, freshDatabase(suite));
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const open = (t, where, options) => openAddress(t, site.base + where, { width: 1280, ...options });

test('the example is the visitor\'s own: from a click to the dossier of its engine user, and in no list', async (t) => {
    const { page } = await open(t, '/uploads');
    await page.getByRole('button', { name: 'Look at an example' }).click();
    await page.waitForURL(/\/uploads\/[\w-]{20,}$/);
    await until('the example is imported', async () => {
        await page.reload();
        return (await page.getByRole('link', { name: 'Forest Open' }).count()) > 0;
    });
    assert.match(await page.locator('main, body').first().innerText(), /36 games/);
    await page.getByRole('link', { name: 'Forest Open' }).first().click();
    await page.waitForURL(/\/events\//);
    assert.equal(await page.locator('table.cross tbody tr').count(), 12);
    const first = page.locator('.screening tbody tr').first();
    assert.match(await first.innerText(), /Maple/);
    await first.getByRole('link').first().click();
    await page.waitForURL(/\/events\/.*\/players\/\d+/);
    assert.match(await page.locator('h1').innerText(), /Maple/);

    for (const list of ['players', 'events', 'player-years']) {
        const text = await (await fetch(`${site.base}/api/v1/${list}?limit=500`)).text();
        assert.doesNotMatch(text, /Forest Open|Maple/, list);
    }
});

test('of a visitor it counts as if it had been sent', async (t) => {
    const own = await serve(t, freshDatabase(t), { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1', INTRINSIC_PUBLIC_UPLOADS_MB: '2', INTRINSIC_WORKERS: '0' });
    assert.deepEqual([(await own.post('example:open')).status, (await own.post('example:open')).status], [202, 429]);
    assert.equal((await own.post('example:other', '?analyse=false')).status, 400, 'no game, and no file either');
});

test('sections of an event, and no other event, lead to each other', async (t) => {
    const game = (event, year, white, black) =>
        `[Event "${event}"]\n[Date "${year}.05.01"]\n[White "${white}"]\n[Black "${black}"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n`;
    const { imported } = await (await site.post([game('Ostend Open, Group A', 2024, 'Ahrens, A', 'Bock, B'), game('Ostend Open, Group B', 2024, 'Czerny, C', 'Dorn, D'),
        game('Ostend Open, Group C', 2023, 'Ebert, E', 'Falk, F'), game('Ostend Opening', 2024, 'Gabler, G', 'Haas, H'), game('Ostend Open', 2024, 'Ma, M', 'No, N'), game('Ostend', 2024, 'Ott, O', 'Pohl, P'), game('A', 2024, 'Iben, I', 'Jung, J'),
        game('B', 2024, 'Kolb, K', 'Lenz, L')].join(''), '?analyse=false')).json();
    assert.equal(imported, 8);
    const { events } = await site.json('/api/v1/events?limit=500'), id = (name) => events.find((e) => e.name === name).id;
    const { sections } = await site.json(`/api/v1/events/${id('Ostend Open, Group A')}`);
    assert.deepEqual(sections, ['A', 'B'].map((s) => ({ id: id(`Ostend Open, Group ${s}`), name: `Ostend Open, Group ${s}`, here: s === 'A', games: 1 })));
    for (const alone of ['Ostend Open, Group C', 'Ostend Opening', 'Ostend Open', 'Ostend', 'A'])
        assert.deepEqual((await site.json(`/api/v1/events/${id(alone)}`)).sections, [], alone);

    const { page } = await open(t, `/events/${id('Ostend Open, Group A')}`);
    await page.getByRole('navigation', { name: 'Sections of this event' }).getByRole('link').click();
    assert.match(await page.locator('h1').innerText(), /Group B/);
});
