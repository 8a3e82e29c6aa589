// The database is away for a while: the log says so once, and that it is over, and whose it is.
import test from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownServer, worker } from './cluster.mjs';
import { threeGames } from './games.mjs';
import { freshDatabase, serve, sql, until } from './lib.mjs';

const lines = (log, event) => log.split('\n').filter((l) => l.includes(` event=${event} `));

test('an outage is two lines of the log of each process, which name it', async (t) => {
    const server = await ownServer(t), url = freshDatabase(t, server.url);
    const site = await serve(t, url);
    await (await site.post(threeGames(), '?judge=deep')).json();
    const watched = new AbortController();
    t.after(() => watched.abort());
    const events = await site.get('/api/v1/queue/events', { signal: watched.signal });
    events.text().catch(() => {}); // is read to its end, which is the abort
    const w = worker(t, url, { settings: { INTRINSIC_LEASE_S: '60' } });
    await until('a game is being judged', () => sql(url,
        "SELECT count(*) FROM job WHERE state = 'leased'") === '1');
    const name = sql(url, "SELECT worker FROM job WHERE state = 'leased'");
    assert.match(name, new RegExp(`:${w.pid}$`));

    server.stop('fast');
    await until('both notice', () => lines(w.log(), 'database_silent').length > 0 &&
        lines(site.log(), 'progress_failed').length > 0);
    await sleep(6000); // many things are tried meanwhile, in vain
    server.start();
    await until('both notice', () => lines(w.log(), 'database_answers').length > 0 &&
        lines(site.log(), 'progress_works').length > 0);
    for (const [log, begins, ends] of [[w.log(), 'database_silent', 'database_answers'],
        [site.log(), 'progress_failed', 'progress_works']]) {
        assert.equal(lines(log, begins).length, 1);
        assert.match(lines(log, begins)[0], / level=warn .* what=\w+ msg="/);
        assert.equal(lines(log, ends).length, 1);
        const [, failures] = / level=info .* failures=(\d+) seconds=\d+$/.exec(lines(log, ends)[0]);
        assert.ok(failures > 1);
        assert.doesNotMatch(log, /event=(heartbeat_missed|sweep_failed|claim_failed)/);
    }
    assert.ok(lines(w.log(), 'database_silent')[0].includes(` id=${name} `));
    watched.abort();
    assert.equal(await w.end('SIGTERM'), 0);
});
