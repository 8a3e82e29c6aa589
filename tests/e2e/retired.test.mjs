// Engine settings without a calibration: what was analysed with them is read, and no rating comes from them.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase, run, serve } from './lib.mjs';

const line = (judge) => {
    const wide = judge.multipv > 1, depth = judge.limit.depth;
    const alternatives = wide ? 'a2a3 a2a4 d2d3 d2d4 g2g3 g2g4 b3c2 b3d5 b3c4 b3a4 b3e6 b3f7 c3c4 f3g5 f3h4 f3d4 f3e5 e1e2 e1e3 e1f1'.split(' ') : ['d2d4'];
    assert.equal(alternatives.length, judge.multipv);
    const moves = [...alternatives, 'h2h3'];
    return JSON.stringify({ tags: { White: 'Ann', Black: 'Bo', Date: '2001.01.01', WhiteElo: '2000' }, result: '1-0', moves: 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3',
        judge: { ...judge, first_move: 9 }, turns: [{ ply: 16, mover: 'w', depth, moves, scores: moves.map((_, i) => Array(depth).fill(40 - i)), played: moves.length - 1, nodes: 1 }] });
};

test('quick and narrow', async (t) => {
    const url = freshDatabase(t), site = await serve(t, url);
    const { judges } = await site.json('/api/v1/judges');
    assert.deepEqual(judges.filter(({ retired }) => retired).map(({ name }) => name).sort(), ['narrow', 'quick']);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-retired-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const engine = { engine: 'Stockfish 15.1', network: 'nn-ad9b42354671.nnue', threads: 1, hash_mb: 16 };
    for (const judge of [{ name: 'quick', ...engine, multipv: 20, limit: { depth: 8 }, clear: 'position' }, { name: 'narrow', ...engine, multipv: 1, limit: { depth: 10 }, clear: 'position' }]) {
        const file = path.join(folder, `${judge.name}.ndjson`);
        writeFileSync(file, `${line(judge)}\n`);
        assert.match(run(['import', file], url), / 1 analysed/);
        const { players } = await site.json('/api/v1/players?q=ann');
        const ratings = await site.json(`/api/v1/players/${players[0].id}/ratings?year=2001&judge=${judge.name}`);
        assert.deepEqual([ratings.judge.name, ratings.turns], [judge.name, 1], 'it can be read');
        for (const figure of ['rating', 'ipr'])
            assert.deepEqual([ratings[figure].estimate, ratings[figure].reason.length > 10], [null, true], figure);
        assert.match(ratings.rating.reason, /engine setting rating/);
    }
});
