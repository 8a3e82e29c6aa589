// The service and a worker, each with the role that sql/roles.sql has for it: a game is uploaded, analysed
// and deleted, and PostgreSQL refuses nothing on the way.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bareDatabase, root, run, serve, sql, until } from './lib.mjs';
import { ownServer, worker } from './cluster.mjs';
import { shortGames } from './games.mjs';

test('serve and analyse with roles of few rights', async (t) => {
    const server = await ownServer(t);
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', server.url, '-f', path.join(root, 'sql/roles.sql')]);
    sql(server.url, `CREATE ROLE owner LOGIN; CREATE ROLE service LOGIN IN ROLE intrinsic_service;
        CREATE ROLE worker LOGIN IN ROLE intrinsic_worker`);
    const database = bareDatabase(t, server.url), as = (role) => database.replace('user=intrinsic', `user=${role}`);
    sql(database, `ALTER DATABASE ${/dbname=(\w+)/.exec(database)[1]} OWNER TO owner`);
    run(['migrate'], as('owner'));
    assert.equal(sql(database, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"), 'owner');

    const service = as('service');
    execFileSync(path.join(root, 'setup/prepare.sh'), [path.join(root, 'build/release/intrinsic')],
        { cwd: root, env: { ...process.env, DATABASE_URL: service, SAMPLES: 'no', MIGRATE: 'no' } });
    const token = run(['token', 'create', '--scopes=upload,judge,admin', 'club'], service).trim();
    const s = await serve(t, service), w = worker(t, as('worker'));
    const authorization = `Bearer ${token}`;
    const upload = await (await s.post(shortGames(1), '?judge=quick', { authorization })).json();
    assert.equal(upload.queued, 1);
    await until('the game is analysed', async () => (await s.json(`/api/v1/uploads/${upload.id}`)).analysed === 1);
    const { players } = await s.json('/api/v1/players?q=');
    for (const address of ['/', '/queue', '/players', `/players/${players[0].id}`, '/api/v1/player-years?judge=quick', '/api/v1/games?judge=quick'])
        assert.equal((await s.get(address)).status, 200, address);
    // The whole of what autovacuum has counted in parts, when a service begins and every ten minutes.
    sql(database, 'ANALYZE side_turns_1');
    const second = await serve(t, service);
    await until('the statistics of all partitions', () => sql(database, `SELECT count(*) > 0 FROM pg_statistic
        WHERE starelid = 'side_turns'::regclass AND stainherit`) === 't', 20);
    assert.equal(await second.stop(), 0);
    const gone = await fetch(`${s.base}/api/v1/uploads/${upload.id}`, { method: 'DELETE', headers: { authorization } });
    assert.ok(gone.ok, await gone.text());
    assert.equal(await w.end('SIGTERM'), 0);
    assert.equal(await s.stop(), 0);
    assert.match(run(['audit'], service), /DELETE/);

    const log = readFileSync(path.join(/host=(\S+)/.exec(server.url)[1], 'server.log'), 'utf8');
    assert.doesNotMatch(log, /permission denied for/);
    assert.throws(() => run(['migrate'], service), /permission denied/);
});
