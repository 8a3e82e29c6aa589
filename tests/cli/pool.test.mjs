// The scale of a pool: from a small pool of invented players, and from figures of analysed games.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../e2e/lib.mjs';

const program = path.join(root, 'build/release/lab/pool/pool');
const moves = ('e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4 '
    + 'Nbd2 Bd7 Rc1 Qb7 Bb1 Rfe8 dxe5 Nxe5 Nxe5 dxe5').split(' ');

/** A game of two players who lose more centipawns a move the weaker they are; `random` in [0, 1). */
function game(names, ratings, random) {
    let cp = 20, text = '';
    moves.forEach((move, ply) => {
        const loss = random() < .5 ? 0 : -Math.log(1 - random()) * (2600 - ratings[ply % 2]) / 12;
        cp = Math.round(Math.max(-450, Math.min(450, cp + (ply % 2 === 0 ? -loss : loss))));
        text += `${move} { [%eval ${(cp / 100).toFixed(2)}] } `;
    });
    return `[White "${names[0]}"]\n[Black "${names[1]}"]\n[WhiteElo "${ratings[0]}"]\n[BlackElo "${ratings[1]}"]\n\n${text}*\n\n`;
}

function invented(games) {
    let seed = 1, out = '';
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < games; i++) {
        const players = [0, 1].map(() => Math.floor(random() * 80));
        if (players[0] === players[1]) continue;
        out += game(players.map((p) => `player ${p}`), players.map((p) => 800 + 20 * p), random);
    }
    return out;
}

function fit(t, args, input) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-pool-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const model = path.join(dir, 'pool.inc');
    const run = spawnSync(program, [...args, `--model=${model}`], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(run.status, 0, run.stderr);
    const rows = run.stdout.split('\n').filter((line) => /^\| \d/.test(line)).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
    return { model: readFileSync(model, 'utf8'), rows, all: (games) => rows.find(([n, of]) => n === String(games) && of === 'all').map(Number) };
}

test('a pool of invented players has a scale that holds for players not fitted to', (t) => {
    const pgn = invented(700), { model, all } = fit(t, ['--knots=800,1300,1800,2400'], pgn);
    const [, , players, bias, , , rmse, less, , inside] = all(5);
    assert.ok(players > 60 && Math.abs(bias) < 60, `${players} ${bias}`);
    assert.ok(less > 50, `${less} % less than the mean's error`);
    assert.ok(inside > 85, `${inside} %`);
    assert.ok(rmse < 250);
    assert.match(model, /struct ipr_boost_tree tree\[\][^]*\.sides = &sides,[^]*\.knots = 4,[^]*\.prior_mean = 1\d\d\d/);
    assert.equal(fit(t, ['--knots=800,1300,1800,2400'], pgn).model, model, 'the same games, the same constants');
});

test('formulas of other programs are tried on the same games, as they are and after a line', (t) => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-pool-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const file = path.join(dir, 'neighbours.json');
    const run = spawnSync(program, ['--knots=800,1300,1800,2400', '--pool=invented', `--neighbours=${file}`], { input: invented(700), encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const { pool, sides, players, rows } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([pool, players], ['invented', 80]);
    assert.ok(sides > 1300);
    const of = (name) => rows.find(({ estimate }) => estimate === name);
    const mean = of('Mean of the other players'), loss = of('Mean loss, then a line');
    assert.ok(loss.less_mae > .3, 'invented players of one strength differ in nothing but what they lose');
    assert.ok(Math.abs(mean.bias) < 4 * mean.bias_error && Math.abs(loss.bias) < 4 * loss.bias_error, 'no line is fitted to its own players');
    assert.ok(Math.abs(of('En Croissant (proposed) and Chesskit').bias) > 100, 'a formula as it is knows nothing of them');
});

test('figures of analysed games give a curve of the model fitted to masters', (t) => {
    const lines = spawnSync('sh', ['-c', 'zstd -dcq static/calibrations/online-rapid.figures.*.zst | head -400'], { cwd: root, maxBuffer: 1 << 28 }).stdout;
    const { model, all } = fit(t, ['--figures', '--knots=900,1700,2500'], lines);
    assert.ok(all(1)[7] > 10, `${all(1)}`);
    assert.doesNotMatch(model, /tree|sides/);
    assert.match(model, /\.knots = 3,/);
});

const figures = (pool) => spawnSync('sh', ['-c', `zstd -dcq static/calibrations/${pool}.figures.*.zst`], { cwd: root, maxBuffer: 1 << 28 }).stdout;

/** A file of the standard games of the people who play at other speeds, too. */
function standard(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-pool-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const file = path.join(dir, 'standard.ndjson');
    writeFileSync(file, figures('otb-paired'));
    return file;
}

const blitz = ['--figures', '--knots=1000,1600,2200', '--between=0.165'];
for (const [pool, args] of [['online-rapid', ['--figures', '--knots=900,1300,1700,2100,2500']], ['online-blitz', blitz], ['online-bullet', blitz],
    ['otb-rapid'], ['otb-blitz']])
    test(`the scale of ${pool} that is compiled in is the fit to the figures that ship`, (t) => {
        const { model } = fit(t, args ?? [`--standard=${standard(t)}`], figures(pool));
        const shipped = readFileSync(path.join(root, `analysis/model/strength_${pool.replace('-', '_')}_moves.inc`), 'utf8');
        assert.equal(shipped, model, `make pool POOL=${pool.replace('-', '_')}`);
    });

test('the same games as at another speed are not shifted, and people who have no standard games do not count', (t) => {
    const file = standard(t), lines = figures('otb-paired');
    const { model } = fit(t, [`--standard=${file}`], lines);
    const z = (text) => /\.z = \{ (.*) \}/.exec(text)[1];
    assert.equal(z(model), z(readFileSync(path.join(root, 'analysis/model/strength_shipped.inc'), 'utf8')));
    const run = spawnSync(program, [`--standard=${file}`], { input: figures('online-blitz'), encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /no game has what is needed/);
});

test('what it cannot use it refuses', () => {
    const run = (args, input) => spawnSync(program, args, { input, encoding: 'utf8' });
    assert.match(run([], '').stderr, /^usage: pool/);
    assert.match(run(['--knots=800,1200'], invented(3).replaceAll('%eval', '%clk')).stderr, /two ratings, and evaluations/);
    assert.match(run(['--knots=800,1200'], '').stderr, /no game/);
});
