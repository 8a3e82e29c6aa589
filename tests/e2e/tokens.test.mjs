// A token or key that got out is taken back, by the program as an operator runs it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { threeGames } from './games.mjs';
import { attempt, freshDatabase, run, serve } from './lib.mjs';

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

test('a token command that is not understood says how it goes', async (t) => {
    const url = freshDatabase(t);
    for (const args of [['revoke'], ['list', 'ann'], ['drop', 'ann'], ['create', '']])
        assert.match((await attempt(['token', ...args], url)).stderr, /usage: .*token create/);
});
