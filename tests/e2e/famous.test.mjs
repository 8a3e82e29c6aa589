// Of moves that chess literature names, each verified by a search of 50 million nodes, the service says what the literature does.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freshDatabase, root, run, serve } from './lib.mjs';

const folder = path.join(root, 'tests/data/famous'), ERRORS = ['inaccuracy', 'mistake', 'blunder'];

test('famous errors are marked, and no famous good move is', async (t) => {
    const [names, ...lines] = readFileSync(path.join(folder, 'famous.tsv'), 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
    const moves = lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i]])));
    const url = freshDatabase(t);
    run(['import', '--quiet', path.join(folder, 'rating.ndjson.zst')], url);
    const site = await serve(t, url), games = new Map();
    for (const { game } of moves) if (!games.has(game)) games.set(game, await site.json(`/api/v1/games/${game}`));
    const said = moves.map((move) => {
        const game = games.get(move.game), turn = game.turns.find(({ ply }) => ply === Number(move.ply));
        assert.ok(game.moves[move.ply].san.startsWith(move.move), `game ${move.game}: ${game.moves[move.ply].san}, not ${move.move}`);
        return { ...move, mark: turn?.mark ?? null, confirmed: turn?.confirmed === true };
    });
    const errors = said.filter(({ kind }) => kind === 'error'), good = said.filter(({ kind }) => kind === 'good');
    assert.ok(errors.length >= 40 && good.length >= 40, `${errors.length} errors, ${good.length} good moves`);
    for (const { deep_loss: loss, kind, what } of said) assert.equal(Number(loss) >= 0.05, kind === 'error', what);
    const missed = errors.filter(({ mark }) => !ERRORS.includes(mark)), wronged = good.filter(({ mark }) => ERRORS.includes(mark));
    assert.ok(errors.length - missed.length >= 0.95 * errors.length, missed.map(({ what }) => what).join('\n'));
    assert.deepEqual(wronged, []);
    for (const { what, mark, confirmed } of said) assert.ok(mark === null || confirmed, what);
});
