// The service answers what it answered: every address, tables as CSV, pages as text, `intrinsic rate`. An intended
// difference: `make golden`, and `git diff tests/golden` shows it for review.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { differences, golden, scenes, shown, takeAll } from '../golden/compare.mjs';
import { addresses, resources } from '../golden/take.mjs';

const cleanups = [], taken = {};

before(async () => {
    await takeAll({ after: (f) => cleanups.unshift(f) }, (scene, answers) => { taken[scene] = answers; });
});

after(async () => {
    for (const f of cleanups) await f();
});

for (const scene of [...scenes, 'rate'])
    test(`the answers of ${scene} are the golden ones`, () => {
        const was = golden(scene), found = differences(was, taken[scene]), names = new Set(taken[scene].map(({ name }) => name));
        assert.equal(found.length, 0, `\n${shown(found)}`);
        assert.deepEqual([...was.keys()].filter((name) => !names.has(name)), [], 'not requested any more: make golden');
    });

test('no page has an English ordinal that is none, as tags have "31th"', () => {
    const pages = scenes.flatMap((scene) => taken[scene]).filter(({ text }) => /^200 text\/html/.test(text));
    assert.ok(pages.some(({ text }) => text.includes('World Championship 31st')));
    assert.deepEqual(pages.flatMap(({ name, text }) => (text.match(/.*\b\d*(?<!1)[123]th\b.*/g) ?? []).map((line) => `${name}: ${line}`)), []);
});

test('every GET and every page of server/resources.def is requested', () => {
    const all = scenes.flatMap((scene) => addresses(scene)).filter(({ method }) => method === 'GET');
    const asked = new Set(all.flatMap(({ address }) => resources.filter((r) => r.matches(address)).slice(0, 1)).map((r) => r.path));
    assert.deepEqual(resources.map((r) => r.path).filter((path) => !asked.has(path)), [], 'missing in tests/golden/addresses.txt');
});
