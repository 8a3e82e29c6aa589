// static/validation.json, which /validation shows, is what the benchmark computes of the figures.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { intrinsic, root } from '../e2e/lib.mjs';

/** Where two documents differ. Libraries of mathematics differ in the last digits from one processor
 * to another: numbers are equal within a thousandth. */
function differences(a, b, where = '') {
    if (typeof a === 'number' && typeof b === 'number')
        return Math.abs(a - b) <= 1e-3 * Math.max(Math.abs(a), Math.abs(b), 1e-2) ? [] : [`${where}: ${a}, computed ${b}`];
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object')
        return a === b ? [] : [`${where}: ${a}, computed ${b}`];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => differences(a[key], b[key], `${where}.${key}`));
}

const numbers = (file) => readFileSync(file, 'utf8').match(/-?\d+(\.\d+)?(e-?\d+)?/g).map(Number);

test('the estimator that is compiled in is the fit to the figures that ship', (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const fresh = path.join(folder, 'model');
    execFileSync('bash', ['-o', 'pipefail', '-c',
        'zstd -dcq static/calibrations/rating.figures.*.ndjson.zst | "$0" --open --model="$1"',
        path.join(path.dirname(intrinsic), 'lab/benchmark'), fresh], { cwd: root, encoding: 'utf8' });
    const computed = numbers(fresh);
    assert.ok(computed.length > 400);
    assert.deepEqual(differences(numbers(path.join(root, 'analysis/model/strength_shipped.inc')), computed), [], 'run make model');
});

test('the document that ships is what the benchmark computes of the figures that ship', (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const fresh = path.join(folder, 'validation.json');
    const tables = execFileSync('bash', ['-o', 'pipefail', '-c',
        'zstd -dcq static/calibrations/rating.figures.*.ndjson.zst | ' +
        '"$0" --variants --both --planted --json="$1" --searches=static/calibrations/searches.json --neighbours=static/calibrations/online-rapid.neighbours.json --trajectory=static/calibrations/trajectory.json $(printf " --pool=%s" static/calibrations/*.levels.json) --lines=<(zstd -dcq static/calibrations/standard.figures.ndjson.zst)',
        path.join(path.dirname(intrinsic), 'lab/benchmark'), fresh], { cwd: root, encoding: 'utf8' });
    const { seconds_a_move, ...shipped } = JSON.parse(readFileSync(path.join(root, 'static/validation.json'), 'utf8'));
    const computed = JSON.parse(readFileSync(fresh, 'utf8'));
    assert.ok(seconds_a_move > 0, 'a figure of each run, the only one');
    assert.deepEqual(differences(shipped, computed).slice(0, 10), [], 'run make validation');
    assert.ok(computed.same_games.sides > 200, 'sides of games with two lines and with every line');
    for (const { part = 'the same games', estimators } of [...computed.parts, computed.same_games])
        for (const { estimator, core_seconds, sd, standard_error } of estimators)
            assert.ok(tables.includes(`| ${estimator} | ${core_seconds.toFixed(3)} | ${sd.toFixed(0)} ± ${standard_error.toFixed(1)} |`),
                `the tables have ${estimator} of ${part}`);
});
