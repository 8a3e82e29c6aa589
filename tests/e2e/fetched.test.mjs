// lichess:NAME as an upload: off by default, by a page, by curl, with a stand-in for the site; what goes wrong there is
// told, and an upload that is deleted meanwhile is gone.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { close, launch, open } from './browser.mjs';
import { freshDatabase, serve, until } from './lib.mjs';

before(launch);
after(close);

const game = (i, name) => `[Event "Rated rapid game"]\n[Site "https://lichess.org/abcd${String(i).padStart(4, '0')}"]\n[Date "2026.10.01"]\n[White "${name}"]\n[Black "Bo${i}"]\n`
    + `[Result "1-0"]\n[UTCDate "2026.10.01"]\n[UTCTime "10:0${i}:00"]\n[TimeControl "600+0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\n`;

/** A lila whose answer to a name is a function of the response. */
async function lila(t, answers) {
    const asked = [];
    const server = createServer((req, res) => {
        const url = new URL(req.url, 'http://x'), name = url.pathname.split('/').at(-1);
        asked.push([name, url.searchParams.get('max')]);
        (answers[name] ?? ((r) => r.writeHead(404).end()))(res);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => { server.closeAllConnections(); server.close(); });
    return { asked, url: `http://127.0.0.1:${server.address().port}` };
}
const games = (name, n) => (res) => res.writeHead(200, { 'content-type': 'application/x-chess-pgn' }).end(Array.from({ length: n }, (_, i) => game(i, name)).join(''));
const of = async (site, id) => site.json(`/api/v1/uploads/${id}`);
const ended = (site, id) => until('the end of the upload', async () => {
    const upload = await of(site, id);
    return ['stored', 'failed'].includes(upload.state) && upload;
});

test('by default nothing goes out, and the page does not offer it', async (t) => {
    const site = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '0' });
    const answer = await site.post('lichess:anna', '?analyse=false');
    const { detail, type } = await answer.json();

    assert.equal(answer.status, 403);
    assert.match(type, /fetch_off$/);
    assert.match(detail, /intrinsic fetch lichess:anna/);
    assert.deepEqual((await site.json('/api/v1/uploads')).uploads, []);
    const lines = await fetch(`${site.base}/api/v1/evaluations`, { method: 'POST', body: 'lichess:anna', headers: { 'content-type': 'application/x-ndjson' } });
    assert.deepEqual([lines.status, (await lines.json()).type], [415, '/problems/no_evaluations']);
    assert.doesNotMatch(await (await site.get('/uploads')).text(), /:NAME/);
});

test('where it is allowed a name on the page leads to the games', async (t) => {
    const { asked, url } = await lila(t, { anna: games('Anna', 3) });
    const site = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '0', INTRINSIC_FETCH: `lichess=${url}`, no_proxy: '127.0.0.1' });

    for (const javaScriptEnabled of [true, false]) {
        const { page } = await open(t, `${site.base}/uploads`, { javaScriptEnabled });
        await page.getByLabel('lichess:NAME').fill(' lichess:Anna\n');
        await Promise.all([page.waitForURL(/\/uploads\/\d+$/), page.getByRole('button', { name: 'Analyse my games' }).click()]);
        const upload = await ended(site, page.url().split('/').at(-1));
        assert.equal(upload.state, 'stored', upload.detail);
        assert.deepEqual([upload.source, upload.games_read, upload.rejected], ['lichess:Anna', 3, 0]);
        assert.equal(upload.choice.player.name, 'Anna');
    }
    assert.deepEqual(asked, [['anna', '200'], ['anna', '200']]);
    const other = await site.post('chesscom:anna');
    assert.equal(other.status, 403, 'a site that is not named');
    const lines = await fetch(`${site.base}/api/v1/evaluations`, { method: 'POST', body: 'lichess:anna', headers: { 'content-type': 'application/x-ndjson' } });
    assert.deepEqual([lines.status, asked.length], [415, 2], 'evaluations are in the body');
});

test('what goes wrong at the site is told, and nothing is stored', async (t) => {
    const { url } = await lila(t, { none: games('None', 0), cut: (res) => { res.writeHead(200, { 'content-type': 'text/html' }); res.end('<html>'); } });
    const site = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '0', INTRINSIC_FETCH: `lichess=${url}`, no_proxy: '127.0.0.1' });

    for (const [name, reason] of [['nobody', /no player nobody|nobody/i], ['none', /no such games/], ['cut', /\w/]]) {
        const { id } = await (await site.post(`lichess:${name}`)).json();
        const upload = await ended(site, id);
        assert.equal(upload.state, 'failed', name);
        assert.match(upload.problem, /fetch_failed$/);
        assert.match(upload.detail, reason);
        assert.match(await (await site.get(`/uploads/${id}`)).text(), /import failed/);
    }
    // What is a game is one, whatever its first word.
    const { imported } = await (await site.post(game(1, 'lichess:anna'), '?analyse=false')).json();
    assert.equal(imported, 1);
});

test('an upload that is deleted while its games come is gone, and others pass it', async (t) => {
    let late;
    const { url } = await lila(t, { slow: (res) => { late = res; }, anna: games('Anna', 3) });
    const site = await serve(t, freshDatabase(t), { INTRINSIC_WORKERS: '0', INTRINSIC_FETCH: `lichess=${url}`, no_proxy: '127.0.0.1' });
    const { id } = await (await site.post('lichess:slow')).json();

    await until('the question', () => late);
    assert.equal((await (await site.post(game(1, 'Passing'), '?analyse=false')).json()).imported, 1);
    assert.equal((await of(site, id)).state, 'waiting');
    assert.ok((await fetch(`${site.base}/api/v1/uploads/${id}`, { method: 'DELETE' })).ok);
    games('Slow', 3)(late);
    const { id: next } = await (await site.post('lichess:anna')).json();
    assert.equal((await ended(site, next)).imported, 3, 'the next one has its turn');
    assert.equal((await site.get(`/api/v1/uploads/${id}`)).status, 404);
    assert.equal((await site.json('/api/v1/players?q=slow')).players.length, 0);
    // A service that stops does not wait for the site.
    late = null;
    const { id: last } = await (await site.post('lichess:slow')).json();
    await until('the question', () => late);
    assert.ok(last > next);
    assert.equal(await site.stop(), 0);
});
