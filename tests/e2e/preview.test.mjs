// What readers of links show of a page: title, description and picture, with absolute addresses where the service
// has a public name; and the warning of a service that others reach without one.
import test, { before } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, freshDatabase, intrinsic, root, serve, until } from './lib.mjs';

const cleanups = [];
let database;

before(() => { database = freshDatabase({ after: (f) => cleanups.unshift(f) }); });
test.after(async () => { for (const f of cleanups) await f(); });

const page = async (site, headers = {}) => (await site.get('/validation', { headers })).text();
const meta = (html, property) => new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1];
const warnings = (log) => log.match(/event=no_public_url .*/g) ?? [];

test('with a public name a page has a picture, and both have absolute addresses', async (t) => {
    const site = await serve(t, database, { INTRINSIC_PUBLIC_URL: 'https://chess.example' });
    const html = await page(site);
    assert.equal(meta(html, 'og:title'), 'How well the rating does');
    assert.match(meta(html, 'og:description'), /^\S.{40,300}$/);
    assert.equal(meta(html, 'og:url'), 'https://chess.example/validation');
    assert.match(html, /<link rel="canonical" href="https:\/\/chess\.example\/validation">/);
    const picture = new URL(meta(html, 'og:image'));
    assert.equal(picture.origin, 'https://chess.example');
    const r = await site.get(picture.pathname), bytes = Buffer.from(await r.arrayBuffer());
    assert.equal(r.status, 200);
    assert.equal(r.headers.get('content-type'), 'image/png');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String), ['og:image:width', 'og:image:height'].map((m) => meta(html, m)));
    assert.equal((await page(site, { 'x-forwarded-host': 'evil.example' })).includes('evil.example'), false);
    assert.deepEqual(warnings(site.log()), []);
});

test('without one there is none, and the first page that a proxy passes on is a warning', async (t) => {
    const site = await serve(t, database);
    assert.equal(meta(await page(site), 'og:image'), undefined);
    assert.deepEqual(warnings(site.log()), [], 'nobody else reads it');
    for (let i = 0; i < 2; i++) await page(site, { 'x-forwarded-host': 'evil.example' });
    await until('a warning', () => warnings(site.log()).length > 0);
    assert.equal((await page(site)).includes('evil.example'), false, 'what a client says is on no page');
    assert.equal(warnings(site.log()).length, 1);
    assert.match(warnings(site.log())[0], /a proxy passed the request on \(x-forwarded-host\), but INTRINSIC_PUBLIC_URL is not set/i);
});

test('a service that other machines reach warns when it starts', async (t) => {
    const child = spawn(intrinsic, ['serve', '--listen=0.0.0.0:0'], { cwd: root, env: environment(database, { INTRINSIC_WORKERS: '0' }) });
    let log = '';
    child.stderr.on('data', (d) => { log += d; });
    t.after(async () => { child.kill(); await once(child, 'close'); });
    await until('it listens', () => /event=listening/.test(log));
    await until('a warning', () => warnings(log).length === 1);
});
