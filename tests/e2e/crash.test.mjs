// Nothing accepted is ever lost, nothing is judged twice: the service killed in the middle of
// its work, engines that die, hang or lie, and an orderly stop.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, intrinsic, run, serve, sql, until } from './lib.mjs';
import { defineFaulty, sampleGames, threeGames } from './games.mjs';

const fake = path.join(path.dirname(intrinsic), 'tests/engine/fake_uci');

// The fake engine knows nothing but kings.
const kings = `[Event "kings"]\n[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]
[SetUp "1"]\n[FEN "8/8/8/4k3/8/8/4K3/8 w - - 0 1"]\n\n${'Kd2 Kd5 Ke2 Ke5 '.repeat(6)}1/2-1/2\n`;

const judged = (url) => Number(sql(url, 'SELECT count(*) FROM judged_side'));
const plies = (url) => sql(url, `SELECT g.id, g.plies, count(t.*), count(DISTINCT t.ply)
    FROM game g LEFT JOIN turn t ON t.game_id = g.id GROUP BY g.id ORDER BY g.id`)
    .split('\n').map((l) => l.split('\t').map(Number));

test('killed while it judges: after the restart every game is judged, exactly once', async (t) => {
    const url = freshDatabase(t), clean = freshDatabase(t);
    const settings = { INTRINSIC_WORKERS: '2', INTRINSIC_LEASE_S: '3' };
    const games = sampleGames('World Championship 27th', ['1', '2', '3', '4']);
    for (const each of [url, clean]) defineFaulty(each);
    let s = await serve(t, url, settings);
    const { id } = await (await s.post(games, '?judge=faulty')).json();

    for (let kills = 0; kills < 2; kills++) {
        const before = judged(url);
        await until('a game is being judged', () => Number(sql(url,
            "SELECT count(*) FROM job WHERE state = 'leased' AND turns_done > 0")) > 0);
        await s.stop('SIGKILL');
        assert.ok(judged(url) >= before, 'what was stored stays');
        assert.equal(judged(url) % 2, 0, 'a game is stored whole');
        s = await serve(t, url, settings);
    }
    await until('the upload is done', async () => (await s.json(`/api/v1/uploads/${id}`)).analysed === 4);
    await s.stop();

    assert.equal(Number(sql(url, 'SELECT count(*) FROM job')), 0);
    for (const [game, n, turns, distinct] of plies(url)) {
        assert.equal(turns, Math.max(0, n - 16), `turns of game ${game}`);
        assert.equal(distinct, turns);
    }
    assert.equal(judged(url), 8);

    // The same games without any fault give the same evaluations, to the byte.
    s = await serve(t, clean, settings);
    const other = await (await s.post(games, '?judge=faulty')).json();
    await until('the undisturbed upload is done',
        async () => (await s.json(`/api/v1/uploads/${other.id}`)).analysed === 4);
    const exported = (u) => run(['export', '--judge=faulty'], u).split('\n').sort().join('\n');
    assert.equal(exported(url), exported(clean));
    const years = 'SELECT p.name, y.year, y.games, y.turns, y.counted, y.at_0, y.at_30 FROM player_year y JOIN player p ON p.id = y.player_id ORDER BY 1, 2';
    assert.equal(sql(url, years), sql(clean, years), 'aggregates too');
});

test('an orderly stop gives the games back uncounted', async (t) => {
    const url = freshDatabase(t);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '2' });
    await s.post(threeGames(), '?judge=deep');
    await until('two games are being judged', () => Number(sql(url,
        "SELECT count(*) FROM job WHERE state = 'leased'")) === 2);
    const engines = execFileSync('pgrep', ['-P', String(s.child.pid)], { encoding: 'utf8' })
        .trim().split('\n').map(Number);
    assert.equal(await s.stop('SIGINT'), 0);
    assert.equal(sql(url, 'SELECT DISTINCT state, attempts FROM job'), 'ready\t0');
    for (const pid of engines)
        assert.ok(!existsSync(`/proc/${pid}`), `engine ${pid} has gone too`);
});

for (const [variant, reason] of [['exit', /engine/i], ['hang', /engine/i], ['badbest', /best move/i]])
    test(`an engine that does "${variant}": three attempts, then failed, with the reason`, async (t) => {
        const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
        t.after(() => rmSync(folder, { recursive: true }));
        const engine = path.join(folder, `fake_uci-${variant}`);
        execFileSync('cp', [fake, engine]);
        const url = freshDatabase(t);
        const s = await serve(t, url, { INTRINSIC_WORKERS: '1', STOCKFISH_PATH: engine,
            INTRINSIC_SEARCH_TIMEOUT_S: '1' });
        const { id } = await (await s.post(kings, '?judge=quick')).json();
        const upload = await until('the job is given up',
            async () => { const u = await s.json(`/api/v1/uploads/${id}`); return u.failed && u; });
        assert.match(upload.failures[0].reason, reason);
        assert.equal(sql(url, 'SELECT state, attempts FROM job'), 'failed\t3');
        assert.equal(judged(url), 0);
        assert.ok((await s.get('/health')).ok, 'the service goes on');
    });
