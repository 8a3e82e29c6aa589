// How often players of the mileposts played a move within so many centipawns of the best, beside what the
// model of the calibration says at their milepost: `node lab/likelihoods.mjs`, the tables of
// docs/statistics.md. The model is written down anew here, solved by bisection.
import { execFileSync } from 'node:child_process';

const read = (file) => execFileSync('zstd', ['-dcq', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
const folder = new URL('../static/calibrations/', import.meta.url).pathname;
const { band } = JSON.parse(read(`${folder}standard.json.zst`));
const within = [0, 10, 30, 60];

/** s and c at a rating, from the calibration's band, prolonged at its ends. */
function agent(elo) {
    const i = Math.max(0, Math.min(band.length - 2, Math.floor((elo - band[0].elo) / 100)));
    const at = (key) => band[i][key] + (band[i + 1][key] - band[i][key]) * (elo - band[i].elo) / 100;
    return [at('s'), at('c')];
}

const scaled = (cp) => Math.sign(cp) * Math.log1p(Math.abs(cp) / 100);
const cut = (cp) => Math.max(-1000, Math.min(1000, cp));

/** Evaluations of all moves, with how many have each, and that of the move played. */
function listed({ cp, legal, played }) {
    const all = cp.map(cut), lines = [];
    for (const x of all.slice(0, Math.min(20, legal))) lines.push(Math.min(x, lines.at(-1) ?? x));
    const unseen = legal - all.length;
    const last = cut(2 * lines.at(-1) - lines[Math.max(Math.floor(lines.length / 2) - 1, 0)]);
    const apart = played >= lines.length ? all[played] : undefined;
    const list = (apart === undefined ? lines : [...lines, apart]).map((x) => [x, 1]);
    if (unseen > 0) list.push([last, unseen]);
    return [list.sort((a, b) => b[0] - a[0]), apart ?? lines[played]];
}

/** Probability of one move of each entry: sum n p_0^(1/y) = 1. */
function probabilities(list, s, c) {
    const best = list[0][0];
    const powers = list.map(([cp], i) => {
        if (i === 0) return 1;
        const delta = cp >= best ? 0.03 : scaled(best) - scaled(Math.max(cp, best - 400));
        return Math.exp(Math.min((delta / s) ** c, 300));
    });
    let low = 0, high = 1;
    for (let step = 0; step < 40; step++) {
        const p = (low + high) / 2;
        if (list.reduce((sum, [, n], i) => sum + n * p ** powers[i], 0) > 1) high = p;
        else low = p;
    }
    return powers.map((power) => low ** power);
}

const rows = [];
for (const line of read(`${folder}standard.figures.ndjson.zst`).split('\n')) {
    if (!line.includes('"milepost"')) continue;
    const { milepost, turns } = JSON.parse(line);
    const [s, c] = agent(milepost);
    for (const turn of turns ?? []) {
        if (turn.ply < 16 || turn.legal < 2 || turn.repeated || Math.abs(turn.cp[0]) > 300) continue;
        const [list, played] = listed(turn), p = probabilities(list, s, c);
        rows.push({ milepost, said: within.map((w) => list.reduce((sum, [cp, n], i) =>
            sum + (cp >= list[0][0] - w ? n * p[i] : 0), 0)), did: within.map((w) => Number(played >= list[0][0] - w)) });
    }
}

const mean = (list, key, k) => list.reduce((sum, row) => sum + row[key][k], 0) / list.length;
const cell = (x) => `${(100 * x).toFixed(1)} %`;
const head = (first, cells) => `| ${first} | moves | ${cells.join(' | ')} |\n| --- | ---: |${' ---: |'.repeat(cells.length)}`;
const pairs = (list, ks) => ks.flatMap((k) => [cell(mean(list, 'said', k)), cell(mean(list, 'did', k))]).join(' | ');

console.log(head('mileposts', within.flatMap((w) => [w ? `within ${w}: model` : 'best: model', 'played'])));
for (const [low, high] of [[1600, 1800], [1900, 2200], [2300, 2500], [2600, 2800]]) {
    const some = rows.filter(({ milepost }) => milepost >= low && milepost <= high);
    console.log(`| ${low}–${high} | ${some.length} | ${pairs(some, [0, 1, 2, 3])} |`);
}
console.log(`\n${head('model says, of one as good as the best', ['model', 'played'])}`);
for (let d = 0; d < 10; d++) {
    const some = rows.filter(({ said: [p] }) => Math.min(9, Math.floor(10 * p)) === d);
    if (some.length >= 100) console.log(`| ${10 * d} % to ${10 * d + 10} % | ${some.length} | ${pairs(some, [0])} |`);
}
