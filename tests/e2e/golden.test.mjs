// What the service answers is what an earlier version answered on the same database, except for what
// tests/golden/differences.mjs says: every API address, and the figures on every page. Wording of
// pages may change, the numbers on them may not.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { compare, golden, isPage, readied, told, translator, unused } from '../golden/compare.mjs';
import { scene } from '../golden/scene.mjs';
import { addresses, take } from '../golden/take.mjs';
import { freshDatabase } from './lib.mjs';

const cleanups = [];
const rules = readied();
const was = golden();
let is;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    const site = await scene(suite, freshDatabase(suite));
    is = await take(site.base, addresses(), translator(rules));
});

after(async () => {
    for (const f of cleanups) await f();
});

const same = (pick) => {
    const found = compare(was, is, rules, pick);
    assert.equal(found.length, 0, `\n${told(found)}\nis intended? Then a rule in tests/golden/differences.mjs says so`);
};

test('the API answers what it answered', () => same((answer) => !isPage(answer)));

test('every number on a page is still there', () => same(isPage));

test('every address is asked for, every rule applies', () => {
    assert.deepEqual([...is.keys()].filter((name) => !was.has(name)), [], 'not in answers.ndjson.zst');
    assert.deepEqual(unused(rules), [], 'rules of differences.mjs that apply to nothing');
});
