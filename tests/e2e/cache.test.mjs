// What a judge knows from one game it does not search again in another, and nobody can tell from
// the evaluations.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, run, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';

const opening = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O ' +
    '9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8'; // 24 half-moves, of which 8 are judged
const game = (name, rest) => `[Event "${name}"]\n[White "${name}, White"]\n[Black "${name}, Black"]
[Date "2001.01.01"]\n[Result "*"]\n\n${opening} ${rest} *\n\n`;
const first = game('First', '13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4');
const second = game('Second', '13. b4 a5 14. a3 axb4 15. cxb4 exd4');

function queue(t, url, pgn) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'game.pgn'), pgn);
    run(['import', '--analyse', '--judge=quick', '--quiet', path.join(folder, 'game.pgn')], url);
    return until('it is judged', () => sql(url, 'SELECT count(*) FROM job') === '0');
}

const cached = (url) => Number(sql(url, `SELECT sum(s.cached) FROM judged_side s
    JOIN game g ON g.id = s.game_id JOIN event e ON e.id = g.event_id WHERE e.name = 'Second'`));

test('a turn known from another game is not searched, and is the same to the byte', async (t) => {
    const url = freshDatabase(t), alone = freshDatabase(t);
    const knowing = worker(t, url), other = worker(t, alone);
    await queue(t, url, first);
    await Promise.all([queue(t, url, second), queue(t, alone, second)]);
    // At the eighth the games part: known as well, if the move is among that position's lines.
    assert.ok([8, 9].includes(cached(url)), `${cached(url)} turns were known`);
    assert.equal(cached(alone), 0);
    const exported = (u) => run(['export', '--judge=quick', '--event=Second'], u);
    assert.ok(exported(alone).length > 1000);
    assert.equal(exported(url), exported(alone));
    assert.equal(await knowing.end('SIGTERM'), 0);
    assert.equal(await other.end('SIGTERM'), 0);
});

test('another judge knows nothing of it', async (t) => {
    const url = freshDatabase(t);
    worker(t, url);
    await queue(t, url, first);
    sql(url, "UPDATE judge SET network = 'nn-of-another-version.nnue'");
    await queue(t, url, second);
    assert.equal(cached(url), 0);
    assert.equal(sql(url, 'SELECT count(*) FROM judge'), '2');
});
