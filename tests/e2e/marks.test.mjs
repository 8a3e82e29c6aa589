// The graph, the sentence, the marks and the lists of a game's page say the same, in every game of the samples.
import test from 'node:test';
import assert from 'node:assert/strict';
import { sampled } from './sampled.mjs';

const near = (a, b, within = 1e-6) => Math.abs(a - b) <= within;
const LOSS = [['inaccuracy', 0.05], ['mistake', 0.15], ['blunder', 0.30]];
const glyph = { inaccuracy: '?!', mistake: '?', blunder: '??', found: '!', brilliant: '!!' };
/** The mark that a loss has. */
const markOf = (lost) => LOSS.reduce((mark, [name, at]) => (lost >= at ? name : mark), null);
const white = (turn, score) => (turn.mover === 'w' ? score : 1 - score);
const label = (move, mark) => `${move.number}${move.mover === 'w' ? '. ' : '…'}${move.san}${glyph[mark] ?? ''}`;

/** A move has the mark that its own figures give it, and none without a deep search. */
function checkMarks(game) {
    for (const turn of game.turns) {
        const at = `game ${game.id}, ply ${turn.ply}`;
        if (!turn.confirmed) {
            assert.equal(turn.mark, null, at);
            continue;
        }
        assert.ok(turn.nodes > 100000, at);
        assert.ok(near(turn.points_lost, turn.expected - turn.expected_played), at);
        const error = turn.legal < 2 ? null : markOf(turn.points_lost);
        if (error !== null || !['found', 'brilliant'].includes(turn.mark)) assert.equal(turn.mark, error, at);
        else {
            assert.equal(turn.best.uci, turn.played.uci, at);
            assert.ok(turn.played.score.mate === undefined && turn.legal >= 4, at);
            const before = game.moves[turn.ply - 1], move = game.moves[turn.ply];
            const back = before.san.includes('x') && move.san.includes('x') && before.uci.slice(2, 4) === move.uci.slice(2, 4);
            assert.ok(!back, `${at}: ${move.san} takes back`);
        }
    }
}

/** The graph passes through what the deep searches say, before and after the move. */
function checkGraph(game, page) {
    const confirmed = new Map(game.turns.filter((t) => t.confirmed).map((t) => [t.ply, t]));
    for (const [ply, turn] of confirmed) {
        const at = `game ${game.id}, ply ${ply}`;
        assert.ok(near(game.white_expected[ply], white(turn, turn.expected)), at);
        if (!confirmed.has(ply + 1)) assert.ok(near(game.white_expected[ply + 1], white(turn, turn.expected_played)), at);
    }
    const drawn = [...(/<path class="curve" d="M([^"]+)"/.exec(page)?.[1] ?? '').split('L')].filter(Boolean)
        .map((point) => point.split(' ').map(Number));
    const known = game.white_expected.flatMap((score, ply) => (score === null ? [] : [[ply, score]]));
    assert.equal(drawn.length, known.length, `game ${game.id}`);
    known.forEach(([ply, score], i) => {
        assert.equal(drawn[i][0], ply);
        assert.ok(near(drawn[i][1], 100 * (1 - score), 0.051), `game ${game.id}, ply ${ply}`);
    });
}

/** The lists name the largest confirmed losses of each side, and the counts are those of the marks. */
function checkLists(game) {
    for (const [colour, letter] of [['white', 'w'], ['black', 'b']]) {
        const side = game.sides[colour], own = game.turns.filter((t) => t.mover === letter && t.legal > 1);
        for (const [member, mark] of [['inaccuracies', 'inaccuracy'], ['mistakes', 'mistake'], ['blunders', 'blunder']])
            assert.equal(side[member], own.filter((t) => t.mark === mark).length, `game ${game.id}, ${member}`);
        const costly = own.filter((t) => t.points_lost >= 0.05 && (t.confirmed || game.unconfirmed > 0))
            .sort((a, b) => b.points_lost - a.points_lost || a.ply - b.ply).slice(0, 3);
        assert.deepEqual(side.costliest.map((m) => m.ply), costly.map((t) => t.ply), `game ${game.id}`);
        for (const { ply } of side.hardest) assert.ok(own.find((t) => t.ply === ply).points_lost < 0.02, `game ${game.id}`);
    }
}

/** Where the sentence says that the game turned, the graph passes 60 per cent for the last time. */
function checkTurning(game, page) {
    const at = `game ${game.id}`, sentence = /<p class="verdict">([\s\S]*?)<\/p>/.exec(page)[1];
    const turn = game.turning;
    if (game.result === '1/2-1/2' || turn === null) {
        assert.equal(turn, null, at);
        assert.doesNotMatch(sentence, /turned|outplay/, at);
        return 'none';
    }
    const winner = game.white_expected.map((w) => (w === null ? null : game.result === '1-0' ? w : 1 - w));
    const crossing = winner.reduce((last, score, ply) => (score !== null && score < 0.6 ? ply : last), -1);
    assert.ok(crossing >= 0 && crossing < winner.length - 1, at);
    const losers = game.result === '1-0' ? 'b' : 'w', lost = new Map(game.turns.filter((t) => t.mover === losers).map((t) => [t.ply, t]));
    assert.equal(game.moves[turn.to].mover, losers, at);
    if (turn.kind === 'move') {
        const { number, mover, san } = game.moves[turn.to];
        assert.ok(sentence.includes(`${label({ number, mover, san }, lost.get(turn.to).mark)} turned the game`), `${at}: ${sentence}`);
        return 'move';
    }
    assert.ok(turn.from < turn.to && turn.from <= crossing + 1, at);
    assert.match(sentence, new RegExp(`outplaying .* between moves ${game.moves[turn.from].number} and ${game.moves[turn.to].number}`), at);
    return 'decline';
}

test('graph, sentence, marks and lists agree in every game of the samples', async (t) => {
    const s = await sampled(t);
    const games = [];
    for (let next = '/api/v1/games?limit=100'; next;) {
        const page = await s.json(next);
        games.push(...page.games);
        next = page.next && `/api/v1/games?limit=100&after=${encodeURIComponent(page.next)}`;
    }
    const kinds = { none: 0, move: 0, decline: 0 }, marks = {};
    let analysed = 0, moves = 0;
    for (const { id } of games) {
        const game = await s.json(`/api/v1/games/${id}`);
        if (game.turns.length === 0) continue;
        const page = await (await s.get(`/games/${id}`)).text();
        checkMarks(game);
        checkGraph(game, page);
        checkLists(game);
        kinds[checkTurning(game, page)]++;
        analysed++;
        moves += game.turns.length;
        for (const { mark } of game.turns) if (mark) marks[mark] = (marks[mark] ?? 0) + 1;
    }
    t.diagnostic(`${analysed} games, ${moves} moves: ${JSON.stringify(marks)}; turning points ${JSON.stringify(kinds)}`);
    assert.ok(analysed >= 370);
});
