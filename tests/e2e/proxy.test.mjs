// The recipes of docs/deployment.md, with the programs of Debian: what an operator has who copied one.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { close, launch, open } from './browser.mjs';
import { freshDatabase, run, serve, until } from './lib.mjs';
import { threeGames } from './games.mjs';
import { ask, caddyRecipe, folder, freePort, name, nginx, nginxRecipe } from './proxies.mjs';

before(launch);
after(close);

const pgn = { 'content-type': 'application/x-chess-pgn' };

async function browserUploads(t, base, token) {
    const file = path.join(folder(t), 'games.pgn');
    writeFileSync(file, threeGames(), 'latin1');
    const { page, complaints } = await open(t, base, { ignoreHTTPSErrors: true });
    await page.setInputFiles('input[type=file]', file);
    await page.locator('summary', { hasText: 'Access token' }).click();
    await page.fill('#token', token);
    await page.locator('form:has(input[type=file]) [type=submit]').click();
    await page.waitForURL(/\/uploads\/[0-9a-f]{32}$/);
    const [{ secure, httpOnly, sameSite }] = await page.context().cookies();
    assert.deepEqual([secure, httpOnly, sameSite], [true, true, 'Lax']);
    assert.match(await page.innerText('main'), /Botvinnik/);
    assert.ok((await page.getAttribute('link[rel=canonical]', 'href')).startsWith(`${base}/uploads/`));
    assert.deepEqual(complaints, []);
    return page.url();
}

for (const [program, start] of [['nginx', nginxRecipe], ['Caddy', caddyRecipe]])
    test(`${program} with TLS, as in docs/deployment.md`, async (t) => {
        const url = freshDatabase(t), port = await freePort(), base = `https://${name}:${port}`;
        const s = await serve(t, url, { INTRINSIC_PUBLIC_URL: base, INTRINSIC_TRUSTED_PROXIES: '127.0.0.1' });
        await start(t, port, s.base.slice('http://'.length));

        // Before the first token is made, nobody on the internet writes.
        const refused = await ask(port, 'POST', '/api/v1/uploads', pgn, threeGames());
        assert.equal(refused.status, 401, refused.text);
        assert.match(refused.text, /token_needed/);
        const token = run(['token', 'create', '--scopes=upload', 'club'], url).trim();
        const bearer = { ...pgn, authorization: `Bearer ${token}` };
        assert.equal((await ask(port, 'POST', '/api/v1/uploads', pgn, threeGames())).status, 401);

        const shown = await browserUploads(t, base, token);
        assert.ok(shown.startsWith(`${base}/uploads/`));
        assert.equal((await ask(port, 'POST', '/api/v1/uploads?analyse=false',
            { ...bearer, origin: 'https://evil.example' }, threeGames())).status, 403);

        // The client's address is that of the connection to the proxy, whatever the client says.
        const health = await ask(port, 'GET', '/health',
            { 'x-forwarded-for': '203.0.113.5', forwarded: 'for=203.0.113.6' });
        assert.equal(health.status, 200);
        assert.equal(health.headers['strict-transport-security'], 'max-age=31536000');
        await until('the line in the log', () => /path="\/health" status=200 client=127\.0\.0\.1 /.test(s.log()));
        assert.doesNotMatch(s.log(), /client=203/);

        // The first event comes while the games still wait: nothing keeps the stream back.
        const stream = await ask(port, 'GET', `/api/v1${shown.slice(base.length)}/events`, {}, '', true);
        assert.equal(stream.status, 200);
        assert.match(stream.text, /^data: \{.*"queued":3,/m);

        const large = await ask(port, 'POST', '/api/v1/uploads?analyse=false', bearer,
            threeGames() + '\n'.repeat(32 << 20));
        assert.equal(large.status, 202, large.text);
        assert.equal(JSON.parse(large.text).imported, 3, 'private uploads are apart');

        const { servers } = JSON.parse((await ask(port, 'GET', '/openapi.json')).text);
        assert.deepEqual(servers, [{ url: base }]);
    });

test('the address that a proxy names is the client', async (t) => {
    const s = await serve(t, freshDatabase(t), { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1' }), port = await freePort();
    // A proxy of a client at another address: nginx is told one, since all here come from 127.0.0.1.
    await nginx(t, port, `server { listen 127.0.0.1:${port}; location / { proxy_pass ${s.base};
        proxy_set_header X-Forwarded-For "198.51.100.1, 203.0.113.77"; } }`);
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
    await until('the line in the log', () => s.log().includes('client=203.0.113.77 '));
});

test('a plain proxy_pass does not open writing to the internet', async (t) => {
    const s = await serve(t, freshDatabase(t)), port = await freePort();
    await nginx(t, port, `server { listen 127.0.0.1:${port}; location / { proxy_pass ${s.base}; } }`);
    const post = (base) => fetch(`${base}/api/v1/uploads?analyse=false`,
        { method: 'POST', headers: pgn, body: threeGames() });
    assert.equal((await post(`http://127.0.0.1:${port}`)).status, 401);
    assert.equal((await post(s.base)).status, 202);
});
