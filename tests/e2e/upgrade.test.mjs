// Every schema that has landed, with data, is brought up to date: nothing is lost, and the database
// is that of a program that never knew another schema. tests/upgrade/make.sh makes the dumps.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { bareDatabase, freshDatabase, root, run, serve, sql } from './lib.mjs';

const folder = path.join(root, 'tests/upgrade');
const dumps = readdirSync(folder).filter((f) => f.endsWith('.sql.zst'))
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));

function restored(t, file) {
    const url = bareDatabase(t);
    const text = execFileSync('zstd', ['-dcq', path.join(folder, file)]);
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url], { input: text, stdio: ['pipe', 'ignore', 'inherit'] });
    return url;
}

// A condition that has been through a dump has other parentheses.
const schema = (url) => execFileSync('pg_dump', ['--schema-only', '--no-owner', url], { encoding: 'utf8' })
    .split('\n').filter((l) => l !== '' && !l.startsWith('--') && !/^\\(un)?restrict /.test(l))
    .map((l) => (/^CREATE.* TRIGGER |CHECK/.test(l) ? l.replaceAll(/[()]/g, '') : l)).join('\n');

// By names, since ids depend on the order of storing.
const contents = {
    players: `SELECT name, name_key, fide_id FROM player ORDER BY name`,
    // By whatever engine setting was queued by default then.
    queue: `SELECT white.name, g.round, j.kind, j.program, j.state, j.sides, j.turns_total
        FROM job AS j JOIN game AS g ON g.id = j.game_id JOIN player AS white ON white.id = g.white_id
        ORDER BY g.ordinal`,
    years: `SELECT p.name, y.year, y.time_class, y.games, y.turns, y.counted, y.at_0, y.at_30,
        y.strength_moves, y.strength_score, y.strength_information
        FROM player_year AS y JOIN player AS p ON p.id = y.player_id WHERE y.games <> 0
        ORDER BY p.name, y.year, y.time_class`,
    games: `SELECT p.name, g.year, g.time_class, g.games, g.elo_games
        FROM player_games AS g JOIN player AS p ON p.id = g.player_id ORDER BY p.name, g.year, g.time_class`,
    ranked: `SELECT coalesce(j.name, 'rated'), p.name, t.turns FROM player_turns AS t JOIN player AS p ON p.id = t.player_id
        LEFT JOIN judge AS j ON j.id = t.judge_id WHERE t.turns <> 0 ORDER BY 1, 2`,
    totals: `SELECT time_class, sum(games), sum(sides), sum(turns) FROM judge_total GROUP BY 1
        HAVING sum(sides) <> 0 ORDER BY 1`,
    uploads: `SELECT u.source, count(*) FROM upload_game AS g JOIN upload AS u ON u.id = g.upload_id
        GROUP BY u.source ORDER BY 1`,
    migrations: `SELECT number, name, checksum FROM schema_migration ORDER BY number`,
};
const stored = (url) => Object.fromEntries(Object.entries(contents).map(([k, text]) =>
    [k, sql(url, text).replaceAll(/\S*\/(?=(analysed|queued)\.)/g, '')]));

test('every landed schema', async (t) => {
    const fresh = freshDatabase(t);
    run(['import', '--quiet', path.join(folder, 'analysed.ndjson')], fresh);
    run(['import', '--quiet', '--analyse', path.join(folder, 'queued.pgn')], fresh);
    const expected = { schema: schema(fresh), stored: stored(fresh),
        lines: run(['export', '--judge=standard'], fresh), pgn: run(['export', '--format=pgn'], fresh) };
    assert.equal(expected.lines.trim().split('\n').length, 5);

    assert.ok(dumps.length >= 10);
    for (const file of dumps)
        await t.test(file, () => {
            const url = restored(t, file);
            run(['migrate'], url);
            assert.deepEqual(stored(url), expected.stored);
            assert.equal(schema(url), expected.schema);
            assert.equal(run(['export', '--judge=standard'], url), expected.lines);
            assert.equal(run(['export', '--format=pgn'], url), expected.pgn);
            assert.match(run(['token', 'list'], url), /upgrade/);
        });
});

test('the first landed schema is served', async (t) => {
    const url = restored(t, dumps[0]);
    run(['migrate'], url);
    const service = await serve(t, url);
    assert.equal((await service.get('/ready')).status, 200);
    const { players } = await service.json('/api/v1/players?q=smyslov');
    for (const page of [`/api/v1/players/${players[0].id}/ratings?year=1957`, `/players/${players[0].id}`, '/queue', '/api/v1/games'])
        assert.equal((await service.get(page)).status, 200, page);
});

test('games that were stored by schema 33 get the classes of a server', async (t) => {
    const url = restored(t, '33.sql.zst'), classes = 'SELECT id, time_class FROM game ORDER BY id';
    const tags = JSON.stringify({ Event: 'Rated blitz game', Site: 'https://lichess.org/abcd1234', TimeControl: '180+2' });
    sql(url, `UPDATE game SET tags = '${tags}' WHERE id IN (SELECT game_id FROM judged_side)`);
    const count = (table, where) => Number(sql(url, `SELECT count(*) FROM ${table} WHERE ${where}`));
    const imported = Number(sql(url, 'SELECT sum(turns) FROM player_year WHERE time_class > 5'));
    assert.ok(imported > 0);
    const before = sql(url, classes);
    run(['migrate'], url);
    assert.notEqual(sql(url, classes), before);
    assert.equal(count('game', 'time_class = 8'), count('game', 'id IN (SELECT game_id FROM judged_side)'));
    assert.equal(count('game', `time_class = 8 AND tags ->> 'Site' NOT LIKE '%lichess%'`), 0);
    // Every sum of analysed moves has moved with its game: to class 8, of imported sides to 8 + 16.
    assert.equal(Number(sql(url, 'SELECT sum(turns) FROM player_year WHERE time_class = 24')), imported);
    for (const table of ['player_year', 'player_total', 'judge_total'])
        assert.equal(count(table, 'games <> 0 AND time_class NOT IN (8, 24)'), 0, table);
    assert.equal(count('game_to_classify', 'true'), 0);
});
