// What stands in the way of a start: one clear line each, and a non-zero exit.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownServer, worker } from './cluster.mjs';
import { shortGames } from './games.mjs';
import { attempt, freshDatabase, root, serve, sql, until } from './lib.mjs';

async function refused(args, url, extra, expected) {
    const r = await attempt(args, url, extra);
    assert.notEqual(r.code, 0);
    const lines = r.stderr.trim().split('\n').filter((l) => !/ level=(info|debug) /.test(l));
    assert.equal(lines.length, 1, r.stderr);
    assert.match(lines[0], expected);
}

test('a port in use', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    await refused(['serve', `--listen=127.0.0.1:${other.address().port}`], freshDatabase(t),
        { INTRINSIC_WORKERS: '0' }, /127\.0\.0\.1:\d+.*in use/i);
});

test('a missing engine', async (t) => {
    await refused(['serve', '--listen=127.0.0.1:0', '--stockfish=/nowhere/stockfish'],
        freshDatabase(t), { INTRINSIC_WORKERS: '1' }, /\/nowhere\/stockfish/);
});

test('documents of the API that were not made', async (t) => {
    const home = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(home, { recursive: true }));
    for (const name of ['templates', 'sql', 'docs']) symlinkSync(path.join(root, name), path.join(home, name));
    mkdirSync(path.join(home, 'static'));
    await refused(['serve', '--listen=127.0.0.1:0'], freshDatabase(t), { INTRINSIC_HOME: home, INTRINSIC_WORKERS: '0' },
        /static\/api\/openapi\.json.*make build/);
});

/** A script in the engine's place: it dies at every start, until `works` is made beside it. */
function dyingEngine(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const engine = path.join(folder, 'engine');
    writeFileSync(engine, `#!/bin/sh\n[ -e ${folder}/works ] || exit 1\nexec /usr/games/stockfish\n`,
        { mode: 0o755 });
    return { engine, mend: () => writeFileSync(path.join(folder, 'works'), '') };
}

const noStockfish = !existsSync('/usr/games/stockfish') && 'no stockfish';

test('an engine that dies when it starts is tried again, later and later',
    { skip: noStockfish }, async (t) => {
        const url = freshDatabase(t), dying = dyingEngine(t);
        const settings = { STOCKFISH_PATH: dying.engine, INTRINSIC_ENGINE_FILES: '/usr/games/stockfish' };
        const site = await serve(t, url, { INTRINSIC_WORKERS: '1', ...settings });
        assert.match(site.log(), / level=warn event=engine_not_started path=\S+ type=engine_died msg="/);
        assert.equal(await site.stop(), 0);
        const w = worker(t, url, { settings });
        await until('the worker has tried', () => /event=engine_not_started/.test(w.log()));
        const other = await serve(t, url);
        await other.post(shortGames(1), '?judge=quick');
        await until('it rests', () => /event=engine_rests .*failures=2 seconds=2/.test(w.log()));
        dying.mend();
        await until('the game is judged', () => sql(url, 'SELECT count(*) FROM job') === '0');
        assert.equal(sql(url, 'SELECT count(DISTINCT game_id) FROM judged_side'), '1');
        assert.equal(await w.end('SIGTERM'), 0);
    });

test('a spelling file that is not there, or is none', async () => {
    const path = (SCID_RATINGS_PATH) => ({ SCID_RATINGS_PATH, INTRINSIC_WORKERS: '0' });
    await refused(['serve'], 'host=/nowhere', path('/nowhere/x.ssp'), /SCID_RATINGS_PATH.*\/nowhere\/x\.ssp/);
    await refused(['import', 'x.pgn'], 'host=/nowhere', path('/bin/true'), /SCID_RATINGS_PATH.*line 1 is not text/);
    await refused(['import', 'x.pgn'], 'host=/nowhere', path('README.md'), /SCID_RATINGS_PATH.*no section @PLAYER/);
    await refused(['serve', '--scid-ratings=/tmp'], 'host=/nowhere', {}, /SCID_RATINGS_PATH.*not a file/);
});

test('a database that is away is waited for', async (t) => {
    const server = await ownServer(t), url = freshDatabase(t, server.url);
    server.stop('fast');
    const w = worker(t, url), site = serve(t, url), left = worker(t, url);
    await until('they say so', () => [w, left].every((x) =>
        / level=warn event=database_away what=start msg="no connection to the database: .+"/.test(x.log())));
    assert.equal(await left.end('SIGTERM'), 0, 'a stop is heard meanwhile');
    server.start();
    const { log, get } = await site;
    assert.equal((await get('/ready')).status, 200);
    assert.match(log(), / level=warn event=database_away /);
    assert.match(log(), / level=info event=database_back failures=\d+/);
    await until('the worker works', () => sql(url, 'SELECT count(*) FROM worker') === '1');
    assert.equal(w.log().match(/event=database_away/g).length, 1, 'once, not every second');
    assert.equal(await w.end('SIGTERM'), 0);
});

test('a database that refuses us', async (t) => {
    const url = freshDatabase(t).replace(/dbname=\S+/, 'dbname=not_there');
    await refused(['serve', '--listen=127.0.0.1:0'], url, { INTRINSIC_WORKERS: '0' }, /not_there/);
});

test('a database without the schema', async (t) => {
    const url = freshDatabase(t).replace(/dbname=\S+/, 'dbname=postgres');
    await refused(['serve', '--listen=127.0.0.1:0'], url, { INTRINSIC_WORKERS: '0' }, /migrate/);
});

test('a secret in a file', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-')), file = path.join(folder, 'url'), url = freshDatabase(t);
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(file, `${url}\n`);
    const site = await serve(t, '', { DATABASE_URL_FILE: file });
    assert.equal((await site.get('/ready')).status, 200);
    await refused(['serve'], url, { DATABASE_URL_FILE: file }, /DATABASE_URL and DATABASE_URL_FILE are both set/);
    await refused(['worker'], '', { DATABASE_URL_FILE: `${file}s` }, /DATABASE_URL_FILE: cannot read \S+urls: No such file/);
    writeFileSync(file, '\n');
    await refused(['migrate'], '', { DATABASE_URL_FILE: file }, /DATABASE_URL_FILE: \S+url is empty/);
});

test('a setting that does not exist, or has no such value', async (t) => {
    await refused(['serve'], 'x', { INTRINSIC_WOKERS: '3' }, /INTRINSIC_WOKERS/);
    await refused(['serve', '--workers=many'], 'x', {}, /--workers.*many/);
    await refused(['worker'], freshDatabase(t), { INTRINSIC_JUDGE: 'oracle' }, /oracle/);
    await refused(['worker'], freshDatabase(t), { INTRINSIC_ENGINE_FILES: '/nowhere/net' }, /\/nowhere\/net/);
    await refused(['serve', '--jail=perhaps'], 'x', {}, /INTRINSIC_JAIL: 'perhaps'/);
    await refused(['serve', '--read=perhaps'], 'x', {}, /INTRINSIC_READ: 'perhaps'/);
    await refused(['serve', '--uploads=perhaps'], 'x', {}, /INTRINSIC_UPLOADS: 'perhaps'/);
    await refused(['frobnicate'], 'x', {}, /frobnicate/);
});
