// A Swiss of 100 players and nine rounds from real games, with one engine user planted.
//
// The games are those of known Elo that the rating was fitted to, without moves, given to other
// players by a fixed seed: each keeps its moves' figures, its result and the Elo of either side, so
// nobody plays better than his Elo but by chance. The games of the planted player have moves, of the
// shipped world championships; the evaluations of his moves are exchanged with those of the engine's
// first choice, so that he plays it at every move. His opponents' moves in these games are left
// unanalysed.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib.mjs';

export const PLAYERS = 100, ROUNDS = 9, PLANTED = 'Planted, Petra', EVENT = 'Relabelled Open';
const YEAR = 2021, ELO = 2050; // of the event, of the planted player

/** Uniform in [0, 1), from a seed (mulberry32). */
function random(seed) {
    let a = seed;
    return () => {
        a = (a + 0x6d2b79f5) | 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

const lines = (command) => execFileSync('bash', ['-c', command],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n').map((l) => JSON.parse(l));

/** Games without moves of about the event's years, both players between 1750 and 2400. */
function pool() {
    const all = lines('zstd -dcq static/calibrations/rating.figures.*.ndjson.zst | build/release/lab/figure_sets');
    return all.filter(({ tags, result }) => result !== '*' && Math.abs(parseInt(tags.Date, 10) - YEAR) <= 4
        && [tags.WhiteElo, tags.BlackElo].every((elo) => elo >= 1750 && elo <= 2400));
}

/** Analysed games with moves, long enough for thirty moves that count. */
function withMoves() {
    return lines('zstd -dcq static/samples/rating.ndjson.zst').filter((g) => g.moves.split(' ').length > 80
        && g.tags.FEN === undefined && g.result !== '*');
}

/** The player of `mover` plays the engine's first choice everywhere: the name of the best move and
 * that of the move played are exchanged. The other side is left out. */
function assisted(game, mover) {
    const turns = game.turns.filter((t) => t.mover === mover).map((t) => {
        const names = [...t.moves], scores = [...t.scores];
        [names[0], names[t.played]] = [names[t.played], names[0]];
        return { ...t, moves: names.slice(0, 2), scores: scores.slice(0, 2), played: 0 };
    });
    return { ...game, turns };
}

const points = (result, white) => (result === '1/2-1/2' ? 0.5 : Number((result === '1-0') === white));

/** Pairs of a round: by points, then Elo, nobody twice; as near as can be. */
function pairings(players, next) {
    const left = [...players].sort((a, b) => b.score - a.score || b.elo - a.elo);
    const pairs = [];
    while (left.length > 0) {
        const one = left.shift();
        const at = Math.max(0, left.findIndex((p) => !one.met.has(p)));
        const [other] = left.splice(at, 1);
        one.met.add(other);
        other.met.add(one);
        const first = one.whites - other.whites || next() - 0.5;
        pairs.push(first <= 0 ? [one, other] : [other, one]);
    }
    return pairs;
}

/** The game of the pool that fits the two best; it is taken out. */
function take(games, white, black) {
    const off = ({ tags }) => Math.abs(tags.WhiteElo - white.elo) + Math.abs(tags.BlackElo - black.elo);
    const best = games.reduce((at, g, i) => (off(g) < off(games[at]) ? i : at), 0);
    return games.splice(best, 1)[0];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Writes it to a file in the interchange form. */
export function writeSwiss(file, seed = 7) {
    const next = random(seed), games = pool(), moves = withMoves(), out = [];
    const players = Array.from({ length: PLAYERS }, (_, i) => ({ whites: 0, score: 0, met: new Set(),
        name: i === 50 ? PLANTED : `Player ${LETTERS[i % 26].toUpperCase()}${LETTERS[Math.floor(i / 26)]}, ${LETTERS[(i * 7) % 26].toUpperCase()}.`,
        elo: i === 50 ? ELO : 2250 - 4 * i }));
    for (let round = 1; round <= ROUNDS; round++) {
        pairings(players, next).forEach(([white, black], board) => {
            const planted = [white, black].find((p) => p.name === PLANTED);
            const game = planted ? assisted(moves.splice(Math.floor(next() * moves.length), 1)[0], white === planted ? 'w' : 'b')
                : take(games, white, black);
            const elo = planted ? [white.elo, black.elo].map(String) : [game.tags.WhiteElo, game.tags.BlackElo];
            white.whites++;
            white.score += points(game.result, true);
            black.score += points(game.result, false);
            out.push({ ...game, tags: { Event: EVENT, Date: `${YEAR}.05.${String(round).padStart(2, '0')}`, Round: `${round}.${board + 1}`,
                White: white.name, Black: black.name, Result: game.result, WhiteElo: elo[0], BlackElo: elo[1] } });
        });
    }
    writeFileSync(file, out.map((g) => JSON.stringify(g)).join('\n') + '\n');
    return out.length;
}

if (process.argv[1] === import.meta.filename) writeSwiss(path.resolve(process.argv[2]), Number(process.argv[3] ?? 7));
