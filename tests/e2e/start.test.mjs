// What stands in the way of a start: one clear line each, and a non-zero exit.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { attempt, freshDatabase } from './lib.mjs';

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

test('an engine that is none', async (t) => {
    await refused(['serve', '--listen=127.0.0.1:0', '--stockfish=/bin/true'],
        freshDatabase(t), { INTRINSIC_WORKERS: '1' }, /\/bin\/true|engine/);
});

test('a spelling file that is not there, or is none', async () => {
    const path = (SCID_RATINGS_PATH) => ({ SCID_RATINGS_PATH, INTRINSIC_WORKERS: '0' });
    await refused(['serve'], 'host=/nowhere', path('/nowhere/x.ssp'), /SCID_RATINGS_PATH.*\/nowhere\/x\.ssp/);
    await refused(['import', 'x.pgn'], 'host=/nowhere', path('/bin/true'), /SCID_RATINGS_PATH.*line 1 is not text/);
    await refused(['import', 'x.pgn'], 'host=/nowhere', path('README.md'), /SCID_RATINGS_PATH.*no section @PLAYER/);
    await refused(['serve', '--scid-ratings=/tmp'], 'host=/nowhere', {}, /SCID_RATINGS_PATH.*not a file/);
});

test('a database that is down', () => refused(['serve'], 'host=/nowhere dbname=x',
    {}, /\/nowhere|database/));

test('a database without the schema', async (t) => {
    const url = freshDatabase(t).replace(/dbname=\S+/, 'dbname=postgres');
    await refused(['serve', '--listen=127.0.0.1:0'], url, { INTRINSIC_WORKERS: '0' }, /migrate/);
});

test('a setting that does not exist, or has no such value', async () => {
    await refused(['serve'], 'x', { INTRINSIC_WOKERS: '3' }, /INTRINSIC_WOKERS/);
    await refused(['serve', '--workers=many'], 'x', {}, /--workers.*many/);
    await refused(['serve', '--judge=oracle', '--listen=127.0.0.1:0'], 'host=/nowhere', {}, /oracle|nowhere/);
    await refused(['frobnicate'], 'x', {}, /frobnicate/);
});
