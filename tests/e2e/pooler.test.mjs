// Service and worker through PgBouncer in session mode, which is the mode that is supported.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownServer, worker } from './cluster.mjs';
import { freshDatabase, serve, sql, until } from './lib.mjs';

const program = '/usr/sbin/pgbouncer';
const skip = existsSync(program) ? false : `${program} is not installed`;

/** PgBouncer before a server: the URL of the same database through it. */
async function pooled(t, server, url, mode) {
    const dir = mkdtempSync('/tmp/intrinsic-pooler.'), file = path.join(dir, 'pgbouncer.ini');
    const name = /dbname=(\S+)/.exec(url)[1];
    writeFileSync(file, `[databases]\n* = host=${server.dir} user=intrinsic\n[pgbouncer]
listen_addr =\nunix_socket_dir = ${dir}\nlisten_port = 6432\nauth_type = any
pool_mode = ${mode}\ndefault_pool_size = 40\nmax_client_conn = 100\nlogfile =\n`);
    chmodSync(dir, 0o711);
    const { uid, gid } = statSync(path.join(server.dir, 'data'));
    if (server.as.length > 0)
        for (const own of [dir, file]) chownSync(own, uid, gid);
    const [first, ...rest] = [...server.as, program, '-q', file];
    const child = spawn(first, rest, { cwd: '/', stdio: 'ignore' });
    t.after(async () => {
        const closed = once(child, 'close');
        child.kill('SIGQUIT');
        await closed;
        rmSync(dir, { recursive: true });
    });
    await until('the pooler listens', () => existsSync(path.join(dir, '.s.PGSQL.6432')));
    return `host=${dir} port=6432 user=intrinsic dbname=${name}`;
}

test('service and worker go through a pooler in session mode', { skip }, async (t) => {
    const server = await ownServer(t), url = freshDatabase(t, server.url);
    const through = await pooled(t, server, url, 'session');
    const site = await serve(t, through), w = worker(t, through);
    const watched = new AbortController();
    const events = await site.get('/api/v1/queue/events', { signal: watched.signal });
    let told = '';
    (async () => { for await (const chunk of events.body) told += Buffer.from(chunk).toString(); })()
        .catch(() => {});
    const pgn = '[Event "Pooled"]\n[Site "?"]\n[Date "2001.01.01"]\n[Round "1"]\n[White "A, A"]\n[Black "B, B"]\n[Result "1-0"]\n\n' +
        '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1-0\n\n';
    assert.ok((await site.post(pgn, '?judge=quick')).ok);
    await until('the game is analysed', () => sql(url, 'SELECT count(*) FROM judged_side') === '2');
    await until('the stream tells', () => told.split('event:').length > 2 || told.split('data:').length > 2);
    assert.equal((await site.get('/players')).status, 200);
    assert.equal((await site.json('/ready')).status, 'ready');
    watched.abort();
    assert.equal(await w.end('SIGTERM'), 0);
    // A connection that was given back has nothing left of the one who had it.
    assert.equal(sql(through, 'SHOW statement_timeout'), '0');
    assert.equal(sql(through, 'SELECT count(*) FROM pg_prepared_statements'), '0');
    assert.doesNotMatch(site.log() + w.log(), /level=(warn|error)/);
});
