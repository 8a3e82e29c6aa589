// A machine judges with the programs it has, and leaves the rest to others.
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, run, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';
import { shortGames } from './games.mjs';

const toga = '/usr/games/toga2';

/** Games queued for a judge of that name and program, two plies deep. */
function queue(t, url, judge, program, games) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'games.pgn'), games, 'latin1');
    sql(url, `INSERT INTO judge_definition (name, program, multipv, depth, nodes, time_ms, hash_mb,
        threads, first_move, clear, tablebases, built_in, creator)
        VALUES ('${judge}', '${program}', 3, 2, 0, 0, 16, 1, 9, 'position', false, false, 'test')`);
    run(['import', '--again', '--analyse', `--judge=${judge}`, '--quiet',
        path.join(folder, 'games.pgn')], url);
}

const waiting = (url) => sql(url, 'SELECT judge, count(*), max(attempts) FROM job GROUP BY 1');

test('jobs of a program go to the machines that have it', { skip: !existsSync(toga) && 'no toga2' },
    async (t) => {
        const url = freshDatabase(t), games = shortGames(3);
        queue(t, url, 'by-fish', 'stockfish', games);
        queue(t, url, 'by-toga', 'toga', games);
        const without = worker(t, url);
        await until('what it can do is done', () => waiting(url) === 'by-toga\t3\t0');
        const both = worker(t, url, { settings: { INTRINSIC_ENGINES: `toga=${toga}` } });
        await until('the rest is done', () => waiting(url) === '');
        assert.equal(sql(url, `SELECT string_agg(DISTINCT j.engine || ':' || split_part(s.source, ':', 2), ' ')
            FROM judge j JOIN judged_side s ON s.judge_id = j.id WHERE j.name = 'by-toga'`),
        `Toga II 3.0:${both.pid}`);
        assert.equal(sql(url, "SELECT string_agg(DISTINCT array_to_string(engines, '+'), ' ') FROM worker"),
            'stockfish stockfish+toga');
        for (const w of [without, both])
            assert.equal(await w.end('SIGTERM'), 0);
        assert.equal(sql(url, 'SELECT count(*) FROM worker'), '0', 'both have signed off');
    });

test('an engine that does not start costs no game an attempt, and rests', async (t) => {
    const url = freshDatabase(t);
    queue(t, url, 'broken', 'broken', shortGames(1));
    queue(t, url, 'whole', 'stockfish', shortGames(2));
    const w = worker(t, url, { settings: { INTRINSIC_ENGINES: 'broken=/bin/true' } });
    await until('the others are judged, and the broken one is tried again later and later',
        () => waiting(url) === 'broken\t1\t0' && /event=engine_rests.*seconds=4/.test(w.log()));
    assert.match(w.log(), /event=engine_rests id=[^ ]+:\d+ program=broken failures=1 seconds=1/);
    assert.equal(await w.end('SIGTERM'), 0);
    assert.equal(sql(url, 'SELECT state, attempts FROM job'), 'ready\t0');
});
