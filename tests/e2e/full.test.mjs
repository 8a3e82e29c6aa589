// The disk of PostgreSQL's data is full: uploads get 507 and nothing of them is stored, what is there is
// read, and everything goes on once there is room.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, rmdirSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ownServer } from './cluster.mjs';
import { sampleGames, shortGames } from './games.mjs';
import { run, serve, sql, until } from './lib.mjs';

/** A small disk of its own, or undefined where none may be mounted. */
function disk(t, mib) {
    const folder = mkdtempSync('/tmp/intrinsic-disk.');
    try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'none', folder], { stdio: 'ignore' });
    } catch {
        rmdirSync(folder);
        return undefined;
    }
    t.after(() => {
        execFileSync('umount', ['-l', folder]);
        rmdirSync(folder);
    });
    return folder;
}

/** Takes all room that is left. */
function fill(folder) {
    const file = path.join(folder, 'ballast'), fd = openSync(file, 'w');
    for (let size = 1 << 20; size > 0;)
        try {
            writeSync(fd, Buffer.alloc(size));
        } catch (e) {
            assert.equal(e.code, 'ENOSPC');
            size >>= 1;
        }
    closeSync(fd);
    return () => rmSync(file);
}

test('the disk of the database is full for a while', async (t) => {
    const server = await ownServer(t), folder = disk(t, 96); // unmounted after the server has ended
    if (folder === undefined)
        return t.skip('mounting is not allowed here');
    const { uid, gid } = statSync(path.join(server.dir, 'data'));
    chownSync(folder, uid, gid);
    sql(server.url, `CREATE TABLESPACE small LOCATION '${folder}'`);
    sql(server.url, 'CREATE DATABASE full_disk TABLESPACE small');
    const url = server.url.replace(/dbname=\S+/, 'dbname=full_disk');
    run(['migrate'], url);
    const s = await serve(t, url);
    const games = () => Number(sql(url, 'SELECT count(*) FROM game'));
    const large = sampleGames('World Championship 28th') + shortGames(20);
    const there = shortGames(1);
    assert.equal((await s.post(there, '?analyse=false')).status, 202);

    const empty = fill(folder);
    for (let i = 0; i < 2; i++) {
        const r = await s.post(large, '?judge=quick'), problem = await r.json();
        assert.equal(r.status, 507, JSON.stringify(problem));
        assert.match(problem.type, /storage_full/);
    }
    assert.equal(games(), 1);
    assert.equal(sql(url, 'SELECT count(*) FROM job'), '0');
    assert.equal((await s.json('/api/v1/games')).games.length, 1);

    empty();
    const r = await s.post(large, '?judge=quick'), upload = await r.json();
    assert.equal(r.status, 202, JSON.stringify(upload));
    assert.equal(games(), upload.imported + 1);
    assert.ok(upload.imported > 20);
    await until('every upload has ended', () => sql(url, `SELECT count(*) FROM upload
        WHERE state NOT IN ('stored', 'failed')`) === '0', 40);
    assert.equal(sql(url, `SELECT count(*) FROM upload AS u JOIN upload_game AS g ON g.upload_id = u.id
        WHERE u.state = 'failed'`), '0');
});
