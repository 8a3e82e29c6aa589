// Evaluations at greater depths, one a position, as files of other programs have them.
//
//   node lab/evals.mjs GAMES.ndjson OUT.ndjson MINUTES [ENGINE]
//
// Reads analysed games and searches each of their positions from the first turn on, and the one after
// the last, with one line to depth 16, the hash cleared before each. Appends a line a game: its digest
// as in static/calibrations/rating.figures.*.ndjson.zst, the first ply, and for each position the
// scores at depths 8 to 16, mover's view, centipawns within 1000; null where a depth reported none.
// The order mixes the games. It ends after so many minutes; a new run continues after the last game.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const FIRST = 8, DEEPEST = 16, MASK = (1n << 64n) - 1n;
const [, , input, output, minutes, program = '/usr/games/stockfish'] = process.argv;
const rows = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));

/** As ipr_mix64 (analysis/stats/resample.h). */
function mix(v) {
    let x = ((v ^ (v >> 30n)) * 0xBF58476D1CE4E5B9n) & MASK;
    x = ((x ^ (x >> 27n)) * 0x94D049BB133111EBn) & MASK;
    return x ^ (x >> 31n);
}

/** As bench_digest (lab/names.c). */
function digest(text) {
    let h = 1469598103934665603n;
    for (const c of Buffer.from(text))
        h = ((h ^ BigInt(c)) * 1099511628211n) & MASK;
    return mix(h).toString(16).padStart(16, '0');
}

const engine = spawn('nice', ['-n', '19', program], { stdio: ['pipe', 'pipe', 'inherit'] });
const heard = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

async function ask(text, answer) {
    const lines = [];
    engine.stdin.write(text);
    do lines.push((await heard.next()).value);
    while (!lines.at(-1).startsWith(answer));
    return lines;
}

async function scores(moves) {
    const at = Array(DEEPEST - FIRST + 1).fill(null);
    await ask('ucinewgame\nisready\n', 'readyok');
    for (const l of await ask(`position startpos moves ${moves.join(' ')}\ngo depth ${DEEPEST}\n`, 'bestmove')) {
        const m = / depth (\d+) .* score (cp|mate) (-?\d+) (?!upperbound|lowerbound)/.exec(l);
        if (m !== null && Number(m[1]) >= FIRST)
            at[Number(m[1]) - FIRST] = m[2] === 'mate' ? (m[3] > 0 ? 1000 : -1000)
                : Math.max(-1000, Math.min(1000, Number(m[3])));
    }
    return at;
}

await ask('uci\n', 'uciok');
await ask('setoption name Threads value 1\nsetoption name Hash value 16\nisready\n', 'readyok');
const done = new Set(existsSync(output) ? rows(output).map((r) => r.game) : []);
const share = (k) => (k * (1 + Math.sqrt(5)) / 2) % 1; // spread evenly over the file
const games = rows(input).map((g, k) => [share(k + 1), g]).sort((a, b) => a[0] - b[0]).map(([, g]) => g);
const began = Date.now();
for (const g of games) {
    const id = digest(g.moves), moves = g.moves.split(' '), evals = [];
    if (done.has(id) || g.tags.FEN !== undefined || g.turns.length === 0)
        continue;
    if (Date.now() - began > Number(minutes) * 60_000)
        break;
    for (let ply = g.turns[0].ply; ply <= moves.length; ply++)
        evals.push(await scores(moves.slice(0, ply)));
    appendFileSync(output, `${JSON.stringify({ game: id, ply: g.turns[0].ply, evals })}\n`);
}
engine.stdin.end('quit\n');
