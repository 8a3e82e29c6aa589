// Alliot's annotated PGN, read as evaluations and written again: what his paper prints, our own exports, and files
// that do not say enough.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase, root, run, serve } from './lib.mjs';

// "Who is the Master?", ICGA Journal 39 (2017), 2.4; there the game goes on. A value of a tag is one line of PGN.
const annotator = 'Program:Stockfish 190915, TB:Syzygy 6-men, Hash Size:4096K, Total Time:5494s,Eval Time:240000ms, '
    + 'Avg Time:122926ms, Avg Depth:25, First move:10, Format:value,depth,seldepth,tbhits,time,dmean,(dmax,ddmax), '
    + 'Cpu:AMD Opteron(tm) Processor 6262 HE, Ref: http://www.alliot.fr/fchess.html.fr';
const printed = (tag = annotator) => `[Event "URS-ch29"]
[Site "Baku"]
[Date "1961.11.19"]
[Round "3"]
[White "Smyslov, Vassily"]
[Black "Nezhmetdinov, Rashid"]
[Result "1-0"]
[Annotator "${tag}"]

c2c4 g7g6 b1c3 f8g7 d2d4 d7d6 g2g3 b8c6 g1f3 c8g4 f1g2 d8d7 d4d5 g4f3 e2f3 c6a5
d1d3 c7c6 c1d2 {90,24,43,0,124176,8,(43,3)} (b2b4
{127,24,43,0,124176,9,(38,5)}) c6d5 {-91,25,37,0,68795,9,(46,6)} (a8c8
{-79,25,37,0,68795,1,(6,15)}) 1-0

`;

function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-annotated-'));
    t.after(() => rmSync(dir, { recursive: true }));
    return (name, text) => {
        if (text !== undefined) writeFileSync(path.join(dir, name), text);
        return path.join(dir, name);
    };
}
const exported = (url, ...args) => run(['export', '--judge=alliot-pgn', ...args], url);

test('what the paper prints has its numbers, and comes out as it went in', async (t) => {
    const url = freshDatabase(t), file = folder(t);
    assert.match(run(['import', file('a.pgn', printed())], url), /1 new, .* 1 analysed/);
    assert.equal(exported(url, '--format=pgn', '--alliot'), printed());
    const { judge, turns } = JSON.parse(exported(url));
    assert.deepEqual(judge, { name: 'alliot-pgn', engine: 'Stockfish 190915', network: '', multipv: 2, limit: { adaptive_ms: 240000 },
        threads: 1, hash_mb: 4, clear: 'game', first_move: 10, options: 'SyzygyPath=Syzygy 6-men' });
    assert.deepEqual(turns.map(({ mover, depth, moves, scores, played }) => [mover, depth, moves, scores.map((s) => s.at(-1)), played]),
        [['w', 24, ['b2b4', 'c1d2'], [127, 90], 1], ['b', 25, ['a8c8', 'c6d5'], [-79, -91], 1]]);
    assert.ok(turns.every(({ scores }) => scores.every((s) => s.slice(0, -1).every((v) => v === null))), 'nothing is invented');
    const site = await serve(t, url);
    const { players } = await site.json('/api/v1/players?limit=2');
    const lost = await Promise.all(players.sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ id }) => site.json(`/api/v1/players/${id}/ratings?year=1961&judge=alliot-pgn`)));
    assert.deepEqual(lost.map(({ judge: j, turns: n, rating }) => [j.name, n, rating.estimate]), [['alliot-pgn', 1, null], ['alliot-pgn', 1, null]]);
});

test('an upload has them, too', async (t) => {
    const url = freshDatabase(t), site = await serve(t, url);
    const token = run(['token', 'create', 'tests'], url).trim();
    const uploader = run(['token', 'create', '--scopes=upload,read', 'club'], url).trim();
    const plain = await fetch(`${site.base}/api/v1/uploads`, { method: 'POST', body: printed().replace('Smyslov, Vassily', 'Tal, Mikhail'), headers: { 'content-type': 'application/x-chess-pgn', authorization: `Bearer ${uploader}` } });
    assert.ok(plain.ok, await plain.text());
    assert.throws(() => exported(url), /no judge of that name/, 'who may only upload games brings no evaluations');
    const res = await fetch(`${site.base}/api/v1/uploads`, { method: 'POST', body: printed(), headers: { 'content-type': 'application/x-chess-pgn', authorization: `Bearer ${token}` } });
    assert.ok(res.ok, await res.text());
    assert.equal(exported(url, '--format=pgn', '--alliot'), printed());
    assert.equal(JSON.parse(exported(url)).turns.length, 2);
});

test('our own exports are read again, and written again to the byte', (t) => {
    const from = freshDatabase(t), to = freshDatabase(t), file = folder(t);
    run(['import', '--quiet', path.join(root, 'static/samples/rating.ndjson.zst')], from);
    const first = run(['export', '--judge=rating', '--format=pgn', '--alliot', '--year=1972'], from);
    const games = first.split('[Event ').length - 1;
    assert.ok(games > 10 && first.includes(',-,-,-,'), 'what is not known is not written as 0');
    assert.match(run(['import', file('a.pgn', first)], to), new RegExp(`${games} new, .* ${games} analysed`));
    assert.equal(exported(to, '--format=pgn', '--alliot'), first);
    const turns = (text) => text.trim().split('\n').map((line) => JSON.parse(line)).flatMap((g) => g.turns.map((turn) =>
        // Of two moves with one evaluation the format does not tell which was first.
        [turn.ply, turn.depth, turn.moves[turn.played], turn.scores[turn.played].at(-1), turn.scores[0].at(-1)].join()));
    assert.deepEqual(turns(exported(to)), turns(run(['export', '--judge=rating', '--year=1972'], from)));
    assert.match(run(['import', file('a.pgn', first)], to), /imported before/);
});

test('a file that does not say enough is a game with notes, no more', (t) => {
    const file = folder(t);
    const unclear = {
        'no engine': printed(annotator.replace('Program:Stockfish 190915', '')),
        'no first move': printed(annotator.replace('First move:10', '')),
        'no limit': printed(annotator.replace('Eval Time:240000ms', '')),
        'nobody': printed('somebody else'),
        'no other move': printed().replace(/ \([^)]*\)\}\)/g, ''),
        'moves before the first that is searched': printed(annotator.replace('First move:10', 'First move:9')),
    };
    for (const [why, text] of Object.entries(unclear)) {
        const url = freshDatabase(t);
        assert.match(run(['import', file('a.pgn', text)], url), /1 new, .* 0 analysed/, why);
        const whole = run(['export', '--format=pgn'], url);
        assert.equal(whole.includes('90,24,43,0,124176,8,(43,3)'), true, why);
    }
    const url = freshDatabase(t);
    run(['import', file('a.pgn', printed().replace(/ c6d5 .*\n.*\}\)/, ' c6d5'))], url);
    const { turns } = JSON.parse(exported(url));
    assert.deepEqual(turns.map(({ mover }) => mover), ['w'], 'one side may be complete without the other');
    assert.ok(readFileSync(path.join(root, 'docs/import.md'), 'utf8').includes('alliot-pgn'));
});
