// The floor of the judging bench: the same searches, sent to bare Stockfish processes by a
// script. Reads judged games (NDJSON) and repeats every search they took; prints turns/s.
//   node bare_stockfish.mjs PROCESSES GAMES.ndjson [ENGINE]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , processes, file, engine = '/usr/games/stockfish'] = process.argv;
const games = readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
let next = 0, turns = 0;

class Engine {
    constructor() {
        this.child = spawn('nice', ['-n', '19', engine], { stdio: ['pipe', 'pipe', 'ignore'] });
        this.lines = createInterface({ input: this.child.stdout });
        this.lines.on('line', (l) => {
            if (this.wanted && l.startsWith(this.wanted)) {
                this.wanted = null;
                this.resolve(l);
            }
        });
    }

    send(text, answer) {
        const reply = answer && new Promise((resolve) => { this.wanted = answer; this.resolve = resolve; });
        this.child.stdin.write(text);
        return reply;
    }
}

async function work() {
    const e = new Engine();
    await e.send('uci\n', 'uciok');
    const { multipv, hash_mb: hash, threads, limit } = games[0].judge;
    await e.send(`setoption name Threads value ${threads}\nsetoption name Hash value ${hash}\n` +
        `setoption name MultiPV value ${multipv}\nisready\n`, 'readyok');
    while (next < games.length) {
        const game = games[next++], moves = game.moves.split(' ');
        for (const t of game.turns) {
            await e.send('ucinewgame\nisready\n', 'readyok');
            await e.send(`position startpos moves ${moves.slice(0, t.ply).join(' ')}\n` +
                `go depth ${limit.depth}\n`, 'bestmove');
            if (t.played >= Math.min(multipv, t.legal))
                await e.send(`go depth ${limit.depth} searchmoves ${moves[t.ply]}\n`, 'bestmove');
            turns++;
        }
    }
    e.send('quit\n');
}

const begin = process.hrtime.bigint();
await Promise.all(Array.from({ length: Number(processes) }, work));
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
console.log(JSON.stringify({ turns, seconds, rate: turns / seconds }));
