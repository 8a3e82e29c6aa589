// What the product ships is what the product computes: the calibration from its figures, the
// judgements from the engine.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt, freshDatabase, intrinsic, root, run, serve, until } from './lib.mjs';
import { sampleGames } from './games.mjs';

const calibrations = path.join(root, 'static/calibrations');
const unpacked = (file) => execFileSync('zstdcat', [file], { encoding: 'utf8', maxBuffer: 1 << 28 });

test('the calibration record is made again from its figures, to the byte', (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const record = path.join(folder, 'record.json');
    execFileSync(intrinsic, ['calibrate', `--from=${calibrations}/standard.figures.ndjson.zst`,
        `--record=${record}`], { env: { PATH: process.env.PATH } });
    assert.equal(readFileSync(record, 'utf8'), unpacked(`${calibrations}/standard.json.zst`));
});

test("a published calibration is made again from its table, and comes to its authors' figures", (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const name = 'regan-haworth-2011';
    const file = path.join(folder, 'record.json');
    execFileSync(intrinsic, ['calibrate', `--published=${calibrations}/${name}.table.json`,
        `--reference=${calibrations}/standard.json.zst`, `--record=${file}`],
    { env: { PATH: process.env.PATH } });
    assert.equal(readFileSync(file, 'utf8'), unpacked(`${calibrations}/${name}.json.zst`));

    const json = (f) => JSON.parse(readFileSync(f, 'utf8'));
    const { rows } = json(path.join(root, 'tests/data/paper/regan_haworth_mileposts.json'));
    assert.deepEqual(json(`${calibrations}/${name}.table.json`).rows, rows, 'the figures as printed');
    const record = json(file);
    const all = [...record.mileposts, ...record.other_periods];
    assert.equal(all.length, rows.length);
    for (const m of all) {
        const row = rows.find((r) => r.period === m.period && r.elo === m.elo);
        // c is printed to 0.001: the line through the first period's gives every row's
        assert.ok(Math.abs(m.reproduced.c_fit - row.c_fit) < 0.0006, `c at ${m.elo}`);
        // s on other turns than theirs, from an s printed to 0.001
        assert.ok(Math.abs(m.reproduced.s_fit - row.s_fit) < 0.006, `s at ${m.elo}, ${m.period}`);
    }
    const away = all.map((m) => m.reproduced.s_fit - m.s_fit);
    assert.ok(Math.abs(away.reduce((a, b) => a + b) / all.length) < 0.001, 's is right on the mean');
    // their conclusion: earlier players of a rating lie on the line of the later ones
    const earlier = record.other_periods.map((m) => m.residual);
    assert.ok(Math.abs(earlier.reduce((a, b) => a + b) / earlier.length) < record.residual_sd);
    assert.notEqual(record.judge.engine, record.reference_judge.engine);
});

test('calibrate: a setting of two lines is refused with one that can be used', async (t) => {
    const { code, stderr } = await attempt(['calibrate'], freshDatabase(t));
    assert.notEqual(code, 0);
    assert.match(stderr, /'rating' has 2: name another engine setting, such as --judge=standard/);
});

test('samples: at least eight matches judged, champions rated, the rest there', async (t) => {
    const url = freshDatabase(t);
    const folder = path.join(root, 'static/samples/judged');
    const files = readdirSync(folder).map((f) => path.join(folder, f));
    assert.ok(files.length >= 8);
    run(['calibrate', `--load=${calibrations}/standard.json.zst`], url);
    for (const line of run(['import', ...files], url).trim().split('\n'))
        assert.match(line, / 0 duplicates, 0 rejected, (\d+) analysed/);
    assert.match(run(['import', path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst')], url),
        /685 games read, \d+ new, \d+ duplicates, \d+ rejected/);

    const s = await serve(t, url);
    for (const [name, year] of [['fischer', 1972], ['spassky', 1972]]) {
        const { players: [p] } = await s.json(`/api/v1/players?q=${name}`);
        const r = await s.json(`/api/v1/players/${p.id}/ratings?year=${year}`);
        assert.ok(r.ipr.interval.low < r.ipr.estimate && r.ipr.estimate < r.ipr.interval.high);
        assert.ok(r.elo.estimate > 2600, 'Elo of the tags beside it');
        assert.equal(r.calibration.name, 'standard');
    }
});

test('judged games leave as PGN in every form, and are known when they come back', (t) => {
    const url = freshDatabase(t);
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const judged = path.join(root, 'static/samples/judged');
    run(['import', path.join(judged, readdirSync(judged)[0])], url);
    for (const [flags, sign] of [[[], /^\[Event /m], [['--evals'], /\{\[%eval -?\d+\.\d\d,10\]\}/],
        [['--alliot'], /^\[Annotator "Program:Stockfish/m]]) {
        const text = run(['export', '--judge=standard', '--format=pgn', ...flags], url);
        const n = text.match(/^\[Event /gm).length;
        assert.match(text, sign);
        assert.equal(text.includes('[%eval'), flags.includes('--evals'));
        const file = path.join(folder, `games${flags.join('')}.pgn`);
        writeFileSync(file, text);
        assert.match(run(['import', file], url), new RegExp(`${n} games read, 0 new, ${n} duplicates, 0 rejected`));
    }
    assert.throws(() => run(['export', '--format=pdf'], url), /'pdf' is not one of ndjson\|pgn/);
    assert.throws(() => run(['export', '--evals'], url), /for --format=pgn/);
});

test('exports hide names, and the same player is the same throughout one of them', async (t) => {
    const url = freshDatabase(t);
    run(['import', path.join(root, 'static/samples/judged/1972_fischer_spassky.ndjson.zst')], url);
    const site = await serve(t, url, { INTRINSIC_WORKERS: '0' });
    const names = /Fischer|Spassky|World Championship|https?:\/\/[^"/]+\/\w/;
    const [first, second] = [0, 1].map(() => run(['export', '--format=pgn', '--hide-names'], url));
    const plain = run(['export', '--format=pgn'], url);
    const tag = (text, name) => [...text.matchAll(new RegExp(`^\\[${name} "(.*)"`, 'gm'))].map(([, value]) => value);
    const partition = (all) => all.map((value) => all.indexOf(value));

    assert.match(plain, names);
    assert.doesNotMatch(first, names);
    assert.deepEqual(partition([...tag(first, 'White'), ...tag(first, 'Black')]), partition([...tag(plain, 'White'), ...tag(plain, 'Black')]));
    assert.deepEqual(tag(first, 'WhiteElo'), tag(plain, 'WhiteElo'));
    assert.ok(!tag(second, 'White').some((name) => tag(first, 'White').includes(name)), 'two exports cannot be joined');
    const where = '/api/v1/evaluations.json?judge=standard&limit=3';
    const [open, hidden] = [await site.json(where), await site.json(`${where}&names=false`)];
    assert.match(JSON.stringify(open), /Fischer/);
    assert.doesNotMatch(JSON.stringify(hidden), names);
    assert.equal(hidden.evaluations[0].id, undefined);
    assert.deepEqual(hidden.evaluations[0].turns, open.evaluations[0].turns);
});

const evaluated = {
    standard: readdirSync(path.join(root, 'static/samples/judged')).map((f) => `judged/${f}`),
    rating: ['rating.ndjson.zst'],
};
const shippedBy = (judge) => evaluated[judge].flatMap((f) =>
    unpacked(path.join(root, 'static/samples', f)).trim().split('\n')).map((l) => JSON.parse(l));

test('the same positions are evaluated by both engine settings, but for the tournament of 1948', () => {
    const positions = (judge) => shippedBy(judge).filter((g) => g.tags.Event !== 'World Championship 18th')
        .map((g) => [g.judge.name, g.moves, g.turns.map((turn) => turn.ply)])
        .map(([name, ...game]) => { assert.equal(name, judge); return JSON.stringify(game); });
    assert.deepEqual(positions('rating'), positions('standard'));
});

for (const judge of Object.keys(evaluated))
    test(`a shipped game judged again gives the same evaluations, to the byte: ${judge}`, async (t) => {
        const url = freshDatabase(t);
        const event = 'World Championship 26th', round = '6'; // a short one, with positions of fewer moves than lines
        const s = await serve(t, url, { INTRINSIC_WORKERS: '1' });
        const { id } = await (await s.post(sampleGames(event, [round]), `?judge=${judge}`)).json();
        await until('the game is judged', async () => (await s.json(`/api/v1/uploads/${id}`)).analysed === 1);
        const [line] = run(['export', `--judge=${judge}`], url).trim().split('\n');
        const mine = JSON.parse(line);
        const shipped = shippedBy(judge).find((g) => g.tags.Event === event && g.tags.Round === round);
        assert.deepEqual(mine.turns, shipped.turns);
        assert.deepEqual(mine.judge, shipped.judge);
    });
