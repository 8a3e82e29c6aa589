// Compares search depths and numbers of lines: precision of an estimate of strength against cost.
//
//   node lab/searches.mjs search GAMES.ndjson OUT.ndjson [ENGINE]
//   node lab/searches.mjs table OUT.ndjson
//
// `search` reads analysed games for their moves and Elo. It searches every position to depth 12
// with one to four lines, and the move played separately if no line has it; values at smaller
// depths are those that the engine reports during the same search. It appends one line per game,
// without moves or names, and a new run continues after the last game. `table` prints as JSON: the
// standard deviation of an estimate from 1,000 moves (mean loss, each loss at most 1 pawn; clustered
// by side), its ratio to that of two lines at depth 10, the nodes per move, and the cost, which is
// variance times nodes relative to two lines at depth 10. Standard errors come from 1,000 resamples
// of the games. /validation shows static/calibrations/searches.json.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const LINES = [1, 2, 3, 4], DEPTHS = [8, 9, 10, 11, 12], DEEPEST = 12;
const rows = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));

class Engine {
    constructor(program) {
        this.child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
        createInterface({ input: this.child.stdout }).on('line', (l) => {
            this.heard.push(l);
            if (l.startsWith(this.wanted))
                this.resolve(this.heard);
        });
    }

    ask(text, answer) {
        this.heard = [];
        this.wanted = answer;
        return new Promise((resolve) => { this.resolve = resolve; this.child.stdin.write(text); });
    }

    /** One search: at each depth the best score, the score of the move played, and nodes so far. */
    async search(position, lines, played, only) {
        await this.ask(`setoption name MultiPV value ${lines}\nucinewgame\nisready\n`, 'readyok');
        const heard = await this.ask(`${position}\ngo depth ${DEEPEST}${only ? ` searchmoves ${played}` : ''}\n`,
            'bestmove');
        const at = {};
        for (const l of heard) {
            const m = / depth (\d+) .* multipv (\d+) score (cp|mate) (-?\d+) (upperbound |lowerbound )?.*nodes (\d+) .* pv (\S+)/.exec(l);
            if (m === null)
                continue;
            const [, depth, line, unit, score, bound, nodes, move] = m;
            const cp = unit === 'mate' ? (score > 0 ? 1000 : -1000) : Math.max(-1000, Math.min(1000, Number(score)));
            const d = at[depth] ??= {};
            d.nodes = Number(nodes);
            if (bound)
                continue;
            if (line === '1')
                d.best = cp;
            if (move === played)
                d.played = cp;
        }
        return at;
    }

    end() { this.child.stdin.end('quit\n'); }
}

/** [evaluation, loss, nodes] by number of lines and depth; null if a score was only a bound. */
async function settingsOf(engine, position, played, legal) {
    const out = [];
    let apart = null;
    for (const lines of LINES) {
        const at = await engine.search(position, Math.min(lines, legal), played, false);
        if (DEPTHS.some((d) => at[d]?.played === undefined))
            apart ??= await engine.search(position, 1, played, true);
        out.push(DEPTHS.map((d) => {
            const own = at[d]?.played, score = own ?? apart[d]?.played, best = at[d]?.best;
            if (score === undefined || best === undefined)
                return null;
            return [best, Math.max(best - score, 0), at[d].nodes + (own === undefined ? apart[d].nodes : 0)];
        }));
    }
    return out;
}

/** Sums over each side's counted moves, by setting: moves, losses (at most 1 pawn each), nodes. */
async function gameOf(engine, game) {
    const moves = game.moves.split(' ');
    const side = { w: null, b: null };
    for (const c of ['w', 'b'])
        side[c] = {
            elo: Number(game.tags[c === 'w' ? 'WhiteElo' : 'BlackElo']),
            sums: LINES.map(() => DEPTHS.map(() => [0, 0, 0])),
        };
    for (const t of game.turns.filter((x) => x.legal > 1)) {
        const position = `position startpos moves ${moves.slice(0, t.ply).join(' ')}`;
        const found = await settingsOf(engine, position, moves[t.ply], t.legal);
        found.forEach((of, i) => of.forEach((f, k) => {
            const s = side[t.mover].sums[i][k];
            if (f === null || Math.abs(f[0]) > 300)
                return;
            s[0] += 1;
            s[1] += Math.min(f[1], 100) / 100;
            s[2] += f[2];
        }));
    }
    return side;
}

async function search(input, output, program = 'stockfish') {
    const digest = (g) => createHash('sha256').update(g.moves).digest('hex').slice(0, 16);
    const done = new Set(existsSync(output) ? rows(output).map((r) => r.game) : []);
    const engine = new Engine(program);
    await engine.ask('uci\n', 'uciok');
    await engine.ask('setoption name Threads value 1\nsetoption name Hash value 16\nisready\n', 'readyok');
    for (const game of rows(input).filter((g) => !done.has(digest(g))))
        appendFileSync(output, `${JSON.stringify({ game: digest(game), ...await gameOf(engine, game) })}\n`);
    engine.end();
}

/** Standard deviation of an estimate from 1,000 moves [Elo], and nodes per move. */
function measure(games, i, k) {
    const x = games.flatMap((g) => [g.w, g.b]).map((s) => ({ elo: s.elo, n: s.sums[i][k][0], loss: s.sums[i][k][1], nodes: s.sums[i][k][2] }))
        .filter((s) => s.n > 0 && s.elo >= 1600 && s.elo <= 2800);
    const sum = (f) => x.reduce((a, s) => a + f(s), 0);
    const n = sum((s) => s.n), elo = sum((s) => s.n * s.elo) / n, loss = sum((s) => s.loss) / n;
    const slope = sum((s) => (s.elo - elo) * s.loss) / sum((s) => s.n * (s.elo - elo) ** 2);
    const spread = sum((s) => (s.loss - s.n * (loss + slope * (s.elo - elo))) ** 2);
    return { sd: Math.sqrt(spread) / Math.abs(slope) / n * Math.sqrt(n / 1000), nodes: sum((s) => s.nodes) / n, moves: n };
}

function table(file) {
    const games = rows(file);
    let seed = 1;
    const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
    const samples = Array.from({ length: 1000 }, () => games.map(() => games[Math.floor(random() * games.length)]));
    const own = samples.map((s) => measure(s, 1, 2).sd);
    const error = (v) => {
        const mean = v.reduce((a, b) => a + b) / v.length;
        return Math.sqrt(v.reduce((a, b) => a + (b - mean) ** 2, 0) / (v.length - 1));
    };
    const reference = measure(games, 1, 2), exact = (v) => Number(v.toPrecision(4));
    const settings = LINES.flatMap((lines, i) => DEPTHS.map((depth, k) => {
        const m = measure(games, i, k), sd = samples.map((s) => measure(s, i, k).sd);
        return {
            lines, depth, sd: exact(m.sd), standard_error: exact(error(sd)), ratio: exact(m.sd / reference.sd),
            ratio_standard_error: exact(error(sd.map((v, n) => v / own[n]))), nodes: Math.round(m.nodes),
            cost: exact(m.sd ** 2 * m.nodes / reference.sd ** 2 / reference.nodes),
        };
    }));
    console.log(JSON.stringify({ games: games.length, moves: reference.moves, settings }, null, 1));
}

const [, , what, ...rest] = process.argv;
if (what === 'search' && rest.length >= 2)
    await search(...rest);
else if (what === 'table' && rest.length === 1)
    table(...rest);
else
    throw new Error('usage: searches.mjs search GAMES.ndjson OUT.ndjson [ENGINE] | table OUT.ndjson');
