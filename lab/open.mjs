// open.mjs: composes the games of static/samples/open.ndjson.zst, a Swiss of players that do not exist, as PGN with moves in
// coordinates. A player draws each move from what Stockfish (STOCKFISH_PATH) thinks of sixteen, the weaker the more freely; one of
// them plays the engine's first move in most of hers. The same games each time.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const TREES = ['Alder Anna', 'Beech Bruno', 'Cedar Clara', 'Elm Edgar', 'Fir Frida', 'Hazel Henry', 'Juniper Jana', 'Larch Lukas',
    'Maple Mara', 'Oak Oscar', 'Pine Paula', 'Rowan Robert'];
const ELO = [2196, 2138, 2087, 2031, 1984, 1937, 1889, 1842, 1790, 1736, 1671, 1603];
const USER = 8, SHARE = 0.7, ROUNDS = 6; /* who follows an engine, in which share of the moves */

const OPENINGS = `e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6
e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6
e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4
e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6
e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6
e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g7g6
e2e4 c7c5 c2c3 g8f6 e4e5 f6d5 d2d4 c5d4
e2e4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7
e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7
e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6
e2e4 c7c6 d2d4 d7d5 e4e5 c8f5 g1f3 e7e6
e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 c2c4 g8f6
e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6
e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 f2f4 f8g7
d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7
d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4
d2d4 d7d5 g1f3 g8f6 c1f4 e7e6 e2e3 c7c5
d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6
d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8
d2d4 g8f6 c2c4 e7e6 g1f3 b7b6 g2g3 c8b7
d2d4 g8f6 c2c4 c7c5 d4d5 b7b5 c4b5 a7a6
d2d4 f7f5 g2g3 g8f6 f1g2 g7g6 g1f3 f8g7
c2c4 e7e5 b1c3 g8f6 g2g3 d7d5 c4d5 f6d5
g1f3 d7d5 g2g3 g8f6 f1g2 c7c6 e1g1 c8g4`.split('\n').map((line) => line.split(' '));

let state = 20261128;
const random = () => { state = (state + 0x6d2b79f5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };

const engine = spawn(process.env.STOCKFISH_PATH ?? '/usr/games/stockfish');
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
const say = (text) => engine.stdin.write(`${text}\n`);
async function until(done) { const all = []; for (;;) { const { value } = await lines.next(); all.push(value); if (done(value)) return all; } }
say('setoption name Hash value 16'); say('isready'); await until((l) => l === 'readyok');

async function search(moves, multipv, limit) {
    say(`setoption name MultiPV value ${multipv}`); say('setoption name Clear Hash'); say(`position startpos${moves.length ? ` moves ${moves.join(' ')}` : ''}`); say(`go ${limit}`);
    const out = [];
    for (const l of await until((x) => x.startsWith('bestmove'))) {
        const m = /multipv (\d+) score (cp|mate) (-?\d+).* pv (\S+)/.exec(l);
        if (m) out[m[1] - 1] = { cp: m[2] === 'cp' ? +m[3] : Math.sign(m[3]) * 3000, move: m[4] };
    }
    return out.filter(Boolean);
}
async function board(moves) {
    say(`position startpos${moves.length ? ` moves ${moves.join(' ')}` : ''}`); say('d');
    const all = await until((l) => l?.startsWith('Checkers:'));
    return { fen: all.find((l) => l.startsWith('Fen:')).slice(5), check: /Checkers: \S/.test(all.at(-1)) };
}
const share = (cp) => 1 / (1 + Math.exp(-cp / 190));
async function choose(player, moves, ply) {
    if (player === USER && ply > 16 && random() < SHARE) return (await search(moves, 1, 'nodes 150000'))[0];
    const list = await search(moves, 16, 'depth 8');
    const t = 0.0175 * Math.exp((2200 - ELO[player]) / 1100);
    const best = share(list[0].cp), weights = list.map((m) => Math.exp(-(best - share(m.cp)) / t));
    let r = random() * weights.reduce((a, b) => a + b, 0), i = 0;
    while (i < list.length - 1 && (r -= weights[i]) > 0) i++;
    return list[i];
}
async function play(white, black) {
    const moves = [...OPENINGS[Math.floor(random() * OPENINGS.length)]], seen = new Map();
    let low = 0, level = 0;
    for (let ply = moves.length; ply < 240; ply++) {
        const list = await search(moves, 1, 'depth 1');
        const { fen, check } = await board(moves);
        if (!list.length || list[0].move === '(none)') return { moves, result: check ? (ply % 2 ? '1-0' : '0-1') : '1/2-1/2' };
        const key = fen.split(' ').slice(0, 4).join(' '), men = key.split(' ')[0].replace(/[^a-zA-Z]/g, '');
        seen.set(key, (seen.get(key) ?? 0) + 1);
        if (seen.get(key) >= 3 || +fen.split(' ')[4] >= 100 || (men.length <= 3 && !/[pqr]/i.test(men))) return { moves, result: '1/2-1/2' };
        const m = await choose(ply % 2 ? black : white, moves, ply);
        low = m.cp < -900 ? low + 1 : 0, level = Math.abs(m.cp) < 25 ? level + 1 : 0;
        if (low && ply > 40 && random() < 0.5) return { moves, result: ply % 2 ? '1-0' : '0-1' };
        if (level > 10 && ply > 60 && random() < 0.12) return { moves, result: '1/2-1/2' };
        moves.push(m.move);
    }
    return { moves, result: '1/2-1/2' };
}

const points = TREES.map(() => 0), met = TREES.map(() => new Set()), whites = TREES.map(() => 0), last = TREES.map(() => 0);
function pair(left) {
    if (!left.length) return [];
    const [a, ...rest] = left, group = rest.filter((b) => points[b] === points[a]), half = Math.floor(group.length / 2);
    for (const b of [...group.slice(half), ...group.slice(0, half).reverse(), ...rest.filter((b) => points[b] !== points[a])]) {
        if (met[a].has(b)) continue;
        const more = pair(rest.filter((x) => x !== b));
        if (more) return [[a, b], ...more];
    }
    return null;
}
const name = (i) => TREES[i].replace(' ', ', ');
for (let round = 1; round <= ROUNDS; round++) {
    const order = TREES.map((_, i) => i).sort((a, b) => points[b] - points[a] || a - b);
    let table = 0;
    for (const [a, b] of pair(order)) {
        const [w, bl] = whites[a] < whites[b] || (whites[a] === whites[b] && (last[a] < last[b] || (last[a] === last[b] && (a + round) % 2))) ? [a, b] : [b, a];
        whites[w]++, whites[bl]--, last[w] = 1, last[bl] = -1, met[a].add(b), met[b].add(a);
        const g = await play(w, bl);
        points[w] += { '1-0': 1, '0-1': 0 }[g.result] ?? .5, points[bl] += { '1-0': 0, '0-1': 1 }[g.result] ?? .5;
        console.log(`[Event "Forest Open"]\n[Site "composed"]\n[Date "2026.10.${String(2 + round).padStart(2, '0')}"]\n[Round "${round}.${++table}"]\n[White "${name(w)}"]\n[Black "${name(bl)}"]\n[Result "${g.result}"]\n[WhiteElo "${ELO[w]}"]\n[BlackElo "${ELO[bl]}"]\n`);
        console.log(`${g.moves.map((m, i) => (i % 2 ? m : `${i / 2 + 1}. ${m}`)).join(' ')} ${g.result}\n`);
        console.error(round, table, name(w), name(bl), g.result, g.moves.length);
    }
}
engine.kill();
