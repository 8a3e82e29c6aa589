// Moves that pages speak of are searched again at leisure: never before a game that waits for a rating, never twice, and
// no rating sees it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt, freshDatabase, root, run, serve, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';

const game = (white, black, text, result) => `[Event "Open"]\n[Date "2024.03.01"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;
/* Each side gives a piece away after move 9, where the rating begins. */
const poor = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Nbd2 a6 8. Bb3 Ba7 9. h3 h6 10. Re1 Re8 '
    + '11. Nf1 Be6 12. Ng3 Bxh3 13. gxh3 Qd7 14. Nh4 Nxe4 15. Nxe4 Qxh3 16. Ng3 g5 17. Qf3 gxh4 18. Ne4 Qxf3 19. Bxh6 Ne7';
const other = '1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 9. Bxe7 Qxe7 10. Nxd5 exd5 11. Rc1 Be6';

/* What ratings are made of. */
const rated = (url) => sql(url, `SELECT 'side', game_id, colour, strength_score, strength_information, strength_moves, turns, nodes FROM judged_side
    UNION ALL SELECT 'year', player_id, year, strength_score, strength_information, strength_moves, turns, games FROM player_year
    UNION ALL SELECT 'total', player_id, 0, strength_score, strength_information, strength_moves, turns, games FROM player_total
    UNION ALL SELECT 'judge', judge_id, 0, sum(games), sum(sides), sum(turns), 0, 0 FROM judge_total GROUP BY judge_id
    ORDER BY 1, 2, 3`);
const jobs = (url, kind) => Number(sql(url, `SELECT count(*) FROM job WHERE kind = '${kind}'`));

/** Writes files for one test: file(name, text) is the path. */
function files(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-confirm-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return (name, text) => {
        writeFileSync(path.join(folder, name), text);
        return path.join(folder, name);
    };
}

test('confirmations are idle work and part of no rating', async (t) => {
    const url = freshDatabase(t), file = files(t);
    run(['import', '--quiet', '--analyse', file('one.pgn', game('Adler, Ann', 'Brandt, Bo', poor, '*'))], url);

    // Without confirmations there are none, not even queued.
    const off = worker(t, url, { settings: { INTRINSIC_CONFIRM_NODES: '0' } });
    await until('the game is analysed', () => jobs(url, 'judge') === 0);
    assert.equal(await off.end('SIGTERM'), 0);
    assert.equal(jobs(url, 'confirm'), 0);
    const before = rated(url);
    assert.match(before, /^side/m);

    // A long one is interrupted by an import, whose game is analysed first; what was confirmed by then stays.
    sql(url, `DELETE FROM judged_side; DELETE FROM side_turns; DELETE FROM player_year; DELETE FROM player_total; DELETE FROM judge_total`);
    run(['import', '--quiet', '--analyse', '--again', file('one.pgn', game('Adler, Ann', 'Brandt, Bo', poor, '*'))], url);
    const slow = worker(t, url, { settings: { INTRINSIC_CONFIRM_NODES: '2000000' } });
    await until('a confirmation runs', () => sql(url, `SELECT count(*) FROM job WHERE kind = 'confirm' AND state = 'leased' AND turns_done > 0`) === '1');
    assert.equal(rated(url), before);
    run(['import', '--quiet', '--analyse', file('two.pgn', game('Clement, Cy', 'Dorn, Di', other, '*'))], url);
    await until('the other game is analysed', () => jobs(url, 'judge') === 0);
    assert.equal(jobs(url, 'confirm') > 0, true, 'the confirmation was done before the import');
    const partly = sql(url, `SELECT length(turns) FROM confirmation`);
    assert.notEqual(partly, '', 'what was confirmed is not lost');
    assert.equal(sql(url, `SELECT max(attempts) FROM job WHERE kind = 'confirm' AND state = 'ready'`) || '0', '0');
    await until('all is confirmed', () => jobs(url, 'confirm') === 0);
    assert.equal(await slow.end('SIGTERM'), 0);
    assert.equal(sql(url, 'SELECT count(*) FROM confirmation') >= '1', true);
    assert.ok(Number(sql(url, `SELECT length(turns) FROM confirmation ORDER BY game_id LIMIT 1`)) > Number(partly));
    // Games that are there are queued on request; those with nothing left leave the queue at once.
    const on = { INTRINSIC_CONFIRM_NODES: '2000000' }, stored = sql(url, 'SELECT encode(turns, \'hex\') FROM confirmation ORDER BY 1');
    assert.match(run(['analyse', '--confirm'], url, on), /queued for confirmation: 2 games/);
    assert.match(run(['analyse', '--confirm', '--event=Open'], url, on), /queued for confirmation: 0 games/);
    const idle = worker(t, url, { settings: on });
    await until('nothing is left', () => jobs(url, 'confirm') === 0);
    assert.equal(await idle.end('SIGTERM'), 0);
    assert.equal(sql(url, 'SELECT encode(turns, \'hex\') FROM confirmation ORDER BY 1'), stored);
    assert.match((await attempt(['analyse', '--confirm'], url)).stderr, /INTRINSIC_CONFIRM_NODES is 0/);
    // They travel with the games, which are not confirmed again.
    const lines = run(['export'], url), second = freshDatabase(t);
    assert.match(lines, /"confirmed":\{"judge":\{"name":"confirm",/);
    // What would have been better comes with the moves that the engine expects then; they begin with it.
    const better = lines.trim().split('\n').flatMap((line) => JSON.parse(line).confirmed?.turns ?? []).filter((turn) => turn.moves.length === 2);
    assert.ok(better.length > 0 && better.every((turn) => turn.line.split(' ')[0] === turn.moves[1 - turn.played] && turn.line.split(' ').length <= 8));
    assert.ok(better.some((turn) => turn.line.split(' ').length > 3));
    run(['import', '--quiet', file('all.ndjson', lines)], second);
    assert.equal(run(['export'], second), lines);
    assert.equal(jobs(second, 'confirm'), 0);
    run(['import', '--quiet', '--again', '--confirm', file('all.ndjson', lines)], second, on);
    assert.equal(jobs(second, 'confirm'), 2);
    const there = worker(t, second, { settings: on });
    await until('nothing is left there', () => jobs(second, 'confirm') === 0);
    assert.equal(await there.end('SIGTERM'), 0);
    assert.equal(run(['export'], second), lines);
    const log = slow.log();
    assert.match(log, /event=game_confirmed .*game=1 /);
    assert.ok(log.indexOf('game=2') < log.indexOf('game_confirmed'), log);
    assert.equal(sql(url, `SELECT count(*) FROM judge WHERE name = 'confirm' AND equation IS NOT NULL`), '0');
    const after = rated(url).split('\n');
    for (const line of before.split('\n').filter((l) => !l.startsWith('judge')))
        assert.ok(after.includes(line), `${line}: ${after.join('\n')}`);
});

/** The first game of 1972, without what is confirmed of it. */
function reykjavik() {
    const sample = execFileSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const { confirmed: _, ...game } = JSON.parse(sample.split('\n').find((line) => line.includes('"Date":"1972.07.11"')));
    return JSON.stringify(game) + '\n';
}

test('confirmations that wait are paused and cancelled on the page of the queue', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-steered-')), url = freshDatabase(t), file = path.join(folder, 'reykjavik.ndjson');
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(file, reykjavik());
    run(['import', '--quiet', '--confirm', file], url, { INTRINSIC_CONFIRM_NODES: '2000000' });
    const site = await serve(t, url);
    const press = async (word) => {
        const html = await (await site.get('/queue')).text();
        const address = new RegExp(`formaction="([^"]*)" aria-label="${word} all confirmations"`).exec(html)?.[1].replaceAll('&amp;', '&');
        assert.ok(address, html);
        const { status, headers } = await site.get(address, { method: 'POST', redirect: 'manual', headers: { accept: 'text/html' }, body: new URLSearchParams({ back: '/queue' }) });
        assert.deepEqual([status, headers.get('location')], [303, '/queue']);
    };
    const counts = async () => {
        const { confirmations: { ready, paused }, queue } = await site.json('/api/v1/queue');
        assert.equal(queue.ready + queue.paused, 0, 'no analysis of a game waits');
        return [ready, paused];
    };
    assert.deepEqual(await counts(), [1, 0]);
    const { judging, analyses } = await site.json('/api/v1/analyses?judge=confirm');
    assert.deepEqual([judging.ready, analyses.length, analyses[0].judge, analyses[0].owner], [1, 1, 'confirm', 'confirm']);
    await press('Pause');
    assert.deepEqual(await counts(), [0, 1]);
    await press('Resume');
    assert.deepEqual(await counts(), [1, 0]);
    await press('Cancel');
    assert.deepEqual(await counts(), [0, 0]);
    assert.doesNotMatch(await (await site.get('/queue')).text(), /all confirmations/);
});

test('of two settings the deeper one is exported, and imported beside a shallower one', async (t) => {
    const url = freshDatabase(t), file = files(t);
    const exported = (where) => JSON.parse(run(['export'], where));
    const settings = () => sql(url, 'SELECT string_agg(j.nodes::text, \' \' ORDER BY j.nodes) FROM confirmation AS c JOIN judge AS j ON j.id = c.judge_id');
    const lines = {};
    for (const nodes of ['20000', '40000']) {
        const on = { INTRINSIC_CONFIRM_NODES: nodes };
        run(['import', '--quiet', '--again', '--confirm', file('game.ndjson', reykjavik())], url, on);
        const own = worker(t, url, { settings: on });
        await until('all is confirmed', () => jobs(url, 'confirm') === 0);
        assert.equal(await own.end('SIGTERM'), 0);
        lines[nodes] = run(['export'], url);
        assert.equal(exported(url).confirmed.judge.limit.nodes, Number(nodes));
    }
    assert.equal(settings(), '20000 40000');
    // The deeper one takes the place of the shallower one, and not the other way round.
    for (const [first, second] of [['20000', '40000'], ['40000', '20000']]) {
        const other = freshDatabase(t);
        for (const nodes of [first, second]) run(['import', '--quiet', '--again', file(`${nodes}.ndjson`, lines[nodes])], other);
        assert.equal(run(['export'], other), lines['40000'], `${first}, then ${second}`);
        assert.equal(sql(other, 'SELECT count(*) FROM confirmation'), first === '20000' ? '2' : '1');
    }
});

test('a loss that a short search does not find is not searched for longer', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-short-')), url = freshDatabase(t);
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'reykjavik.ndjson'), nodes = 100000, settings = { INTRINSIC_CONFIRM_NODES: String(nodes) };
    writeFileSync(file, reykjavik());
    run(['import', '--quiet', '--confirm', file], url, settings);
    const one = worker(t, url, { settings });
    await until('all is confirmed', () => jobs(url, 'confirm') === 0);
    assert.equal(await one.end('SIGTERM'), 0);
    const { moves, confirmed: { turns } } = JSON.parse(run(['export'], url));
    assert.ok(turns.some(({ ply }) => moves.split(' ')[ply] === 'd6h2'), '29...Bxh2, in which the shallow search sees nothing');
    const points = (cp) => 1 / (1 + Math.exp(-0.00886294 * Math.max(-1000, Math.min(1000, cp?.mate ? 1000 * cp.mate : cp))));
    const lost = ({ scores, played }) => Math.max(...scores.map(points)) - points(scores[played]);
    const short = turns.filter((turn) => turn.nodes < nodes);
    assert.ok(short.length > 0 && short.length < turns.length, `${short.length} of ${turns.length}`);
    for (const turn of short) assert.ok(lost(turn) < 0.031 && turn.nodes > nodes / 4, JSON.stringify(turn));
});
