// A token or key that got out is taken back, by the program as an operator runs it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { threeGames } from './games.mjs';
import { attempt, freshDatabase, run, serve, sql } from './lib.mjs';

test('a revoked token writes no more, and does not let everybody write', async (t) => {
    const url = freshDatabase(t);
    const [kept, lost] = ['ann', 'bob'].map((name) => run(['token', 'create', name], url).trim());
    const site = await serve(t, url);
    const status = async (token) => (await site.post(threeGames(), '?analyse=false',
        token ? { authorization: `Bearer ${token}` } : {})).status;
    assert.equal(await status(lost), 202);
    run(['token', 'revoke', 'bob'], url);
    assert.equal(await status(lost), 401);
    assert.equal(await status(kept), 202);
    run(['token', 'revoke', 'ann'], url);
    assert.equal(await status(kept), 401);
    assert.equal(await status(), 401);
    assert.match(run(['token', 'list'], url), /^api +ann .* revoked: 20/m);
    const again = await attempt(['token', 'revoke', 'ann'], url);
    assert.notEqual(again.code, 0);
    assert.match(again.stderr, /no token for writing is named ann/);
});

test('a fishnet key is suspended, taken again, revoked and replaced', async (t) => {
    const url = freshDatabase(t);
    const lost = run(['token', 'create', '--fishnet', 'ann'], url).trim();
    const site = await serve(t, url);
    const valid = async (key) => (await site.get(`/fishnet/key/${key}`)).status;
    assert.equal(await valid(lost), 200);
    run(['token', 'suspend', 'ann'], url);
    assert.notEqual(await valid(lost), 200);
    assert.match(run(['token', 'list'], url), /^fishnet +ann .* suspended: by the operator$/m);
    run(['token', 'resume', 'ann'], url);
    assert.equal(await valid(lost), 200);
    assert.match((await attempt(['token', 'create', '--fishnet', 'ann'], url)).stderr,
        /named ann already; revoke it first/);
    assert.match((await attempt(['token', 'revoke', 'ann'], url)).stderr, /no token for writing/);
    run(['token', 'revoke', '--fishnet', 'ann'], url);
    assert.notEqual(await valid(lost), 200);
    const found = run(['token', 'create', '--fishnet', 'ann'], url).trim();
    assert.equal(await valid(found), 200);
    assert.notEqual(await valid(lost), 200);
    // A series stands once in the metrics.
    const metrics = await (await site.get('/metrics')).text();
    assert.equal(metrics.match(/^intrinsic_fishnet_games\{key="ann"\}/mg).length, 1);
});

test('a token does what it is for, as long and as much as it may, and that is on record', async (t) => {
    const url = freshDatabase(t);
    const create = (...args) => run(['token', 'create', ...args], url).trim();
    const upload = create('--scopes=upload', '--days', '30', '--quota-mb=1', 'club');
    const admin = create('--scopes', 'admin', 'arbiter');
    const site = await serve(t, url, { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1' });
    const headers = { 'x-forwarded-for': '203.0.113.5', authorization: `Bearer ${upload}` };
    const sent = await site.post(threeGames(), '?analyse=false', headers), { id } = await sent.json();
    assert.equal(sent.status, 202);
    const remove = (token) => fetch(`${site.base}/api/v1/uploads/${id}`,
        { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    const refused = await remove(upload);
    assert.equal(refused.status, 403);
    assert.match((await refused.json()).detail, /scope admin; the scopes of this one are: upload$/);
    assert.equal((await remove(admin)).status, 200);
    // As much as was left of a megabyte, and no more.
    const large = await site.post(threeGames() + ' '.repeat(1 << 20), '?analyse=false', headers);
    assert.equal(large.status, 429);
    assert.match((await large.json()).type, /quota_exceeded/);
    const list = run(['token', 'list'], url);
    assert.match(list, /^api +club +20\S+ +20\S+ +20\S+ upload +0\.0\/1 .* good$/m);
    assert.match(list, /^api +arbiter +20\S+ never +20\S+ admin +0\.0 .* good$/m);
    const done = run(['audit'], url).trim().split('\n').slice(1).map((line) => line.split(/ +/));
    assert.deepEqual(done.map(([, token, client, method, status, , address]) =>
        [token, client, method, status, address].join(' ')).sort(), [
        `arbiter 127.0.0.1 DELETE 200 /api/v1/uploads/${id}`,
        'club 203.0.113.5 POST 202 /api/v1/uploads']);
    assert.match(site.log(), /event=write_refused id=\S+ writer="club" type=scope_needed/);
    assert.match(site.log(), /event=write_refused id=\S+ writer="club" type=quota_exceeded/);
    assert.equal(run(['audit', '--token=arbiter'], url).trim().split('\n').length, 2);
    sql(url, "UPDATE token SET expires = now() WHERE name = 'club'");
    assert.equal((await remove(upload)).status, 401);
    assert.match(run(['token', 'list'], url), /^api +club .* expired$/m);
});

test('an instance that is not for everybody is read by token or password, and written by token', async (t) => {
    const url = freshDatabase(t);
    const token = run(['token', 'create', '--scopes=read', 'reader'], url).trim();
    const site = await serve(t, url, { INTRINSIC_READ: 'token' });
    const read = (address, authorization) => fetch(site.base + address,
        authorization ? { headers: { authorization } } : {});
    const basic = `Basic ${Buffer.from(`me:${token}`).toString('base64')}`;
    for (const address of ['/', '/players', '/api/v1/players', '/openapi.json', '/metrics', '/api/v1/events/progress']) {
        assert.equal((await read(address)).status, 401, address);
        // Twice: the second time the answer may be stored.
        for (const good of [`Bearer ${token}`, basic, basic]) {
            const answer = await read(address, good);
            assert.notEqual(answer.status, 401, `${address} ${good}`);
            await answer.body?.cancel();
        }
        assert.equal((await read(address)).status, 401, address);
    }
    assert.equal((await read('/health')).status, 200);
    assert.equal((await site.post(threeGames(), '', { authorization: basic })).status, 401);
    run(['token', 'revoke', 'reader'], url);
    assert.equal((await read('/players', basic)).status, 401);
});

test('a token command that is not understood says how it goes', async (t) => {
    const url = freshDatabase(t);
    for (const args of [['revoke'], ['list', 'ann'], ['drop', 'ann'], ['create', ''],
        ['create', '--scopes', 'upload'], ['create', '--scopes=upload']])
        assert.match((await attempt(['token', ...args], url)).stderr, /usage: .*token create/);
    for (const [args, why] of [[['--scopes=all', 'x'], /--scopes: expected some of/],
        [['--scopes=', 'x'], /--scopes: expected some of/], [['--days=0', 'x'], /--days: expected/],
        [['--fishnet', '--days=3', 'x'], /not of fishnet keys/],
        ...['a\nb', 'a\u009b2J', 'a\u202eb', 'x'.repeat(61)].map((name) => [[name], /at most 60 bytes, no control characters/])])
        assert.match((await attempt(['token', 'create', ...args], url)).stderr, why);
});
