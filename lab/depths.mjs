// Depths that the engine reaches with a number of nodes, of positions of games (Alliot's figure 1).
//
//   node lab/depths.mjs GAMES.ndjson POSITIONS MINUTES [ENGINE]
//
// Takes one position of each game, from move 10 on and with a choice of moves, at another stage in
// each, in an order that mixes the games, and searches it with 2 lines, as the paper does, up to
// 1,000,000 nodes. Nodes, unlike seconds, do not depend on what else the machine does. Prints how many
// positions had completed which depth, for both lines, within fewer nodes, too: the member
// "measured" of figure 1 in static/papers/alliot-2017.json. It ends after so many minutes at the
// latest, with the positions searched by then; "seconds" is the mean processor time of a search.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const NODES = [62_500, 125_000, 250_000, 500_000, 1_000_000];
const [, , file, positions, minutes, program = '/usr/games/stockfish'] = process.argv;
const games = readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
const share = (k, irrational) => (k * irrational) % 1; // spread evenly, whatever the number

function position({ moves, turns }, k) {
    const own = turns.filter(({ ply, legal }) => ply >= 18 && legal > 1);
    if (own.length === 0)
        return null;
    const { ply } = own[Math.floor(share(k + 1, Math.SQRT2) * own.length)];
    return `position startpos moves ${moves.split(' ').slice(0, ply).join(' ')}`;
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

/** For each number of nodes the last depth that both lines had completed. */
async function depths(where) {
    await ask('ucinewgame\nisready\n', 'readyok');
    const at = NODES.map(() => 0);
    for (const l of await ask(`${where}\ngo nodes ${NODES.at(-1)}\n`, 'bestmove')) {
        const m = / depth (\d+) .* multipv 2 score \S+ \S+ (lowerbound |upperbound )?.*nodes (\d+) /.exec(l);
        if (m !== null && m[2] === undefined)
            NODES.forEach((most, i) => { if (Number(m[3]) <= most) at[i] = Number(m[1]); });
    }
    return at;
}

const name = (await ask('uci\n', 'uciok')).find((l) => l.startsWith('id name')).slice(8);
await ask('setoption name Threads value 1\nsetoption name Hash value 256\nsetoption name MultiPV value 2\nisready\n', 'readyok');
const counts = NODES.map(() => ({}));
const order = games.map((_, k) => k).sort((a, b) => share(a + 1, (1 + Math.sqrt(5)) / 2) - share(b + 1, (1 + Math.sqrt(5)) / 2));
const began = Date.now();
let done = 0;
for (const k of order) {
    const where = position(games[k], k);
    if (where === null)
        continue;
    (await depths(where)).forEach((d, i) => { counts[i][d] = (counts[i][d] ?? 0) + 1; });
    done++;
    if (done >= Number(positions) || Date.now() - began > Number(minutes) * 60_000)
        break;
}
const ticks = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(' ').slice(13, 15); // of 10 ms
engine.stdin.end('quit\n');
console.log(JSON.stringify({
    engine: name, positions: done, seconds: Number(((Number(ticks[0]) + Number(ticks[1])) / 100 / done).toFixed(2)),
    series: NODES.map((nodes, i) => ({ nodes, depths: Object.entries(counts[i]).map(([d, n]) => [Number(d), n]) })),
}));
