// Faults by enumeration: the connection to the database breaks at every query in turn, before it is
// sent or after it was done, and memory ends at allocations in turn. What was accepted is stored,
// once and whole; what was not is not there; evaluations are those of a run without faults.
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt, freshDatabase, intrinsic, root, run, serve, sql, until } from './lib.mjs';
import { defineFaulty, shortGames, tag } from './games.mjs';

const library = path.join(path.dirname(intrinsic), 'tests/faults/faults.so');
const file = path.join(root, 'tests/upgrade/queued.pgn');
const games = 2, plies = 208;

function scratch(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return path.join(folder, 'log');
}

const faulty = (log, settings) => ({ LD_PRELOAD: library, FAULT_LOG: log, ...settings });
/** [calls, faults] of a program with faults. */
const made = (log) => (existsSync(log) ? readFileSync(log, 'utf8').split(' ').map(Number) : [0, 0]);

/** Games, plies and players that are there; every upload has all its games, and every player one. */
function stored(url) {
    const [n, turns, players, lacking, without] = sql(url, `SELECT count(*), coalesce(sum(plies), 0),
        (SELECT count(*) FROM player WHERE id <> 0),
        (SELECT count(*) FROM upload AS u
            WHERE (SELECT count(*) FROM upload_game AS g WHERE g.upload_id = u.id) <> ${games}),
        (SELECT count(*) FROM player AS p WHERE p.id <> 0 AND NOT EXISTS (
            SELECT FROM game AS g WHERE g.white_id = p.id OR g.black_id = p.id))
        FROM game`).split('\t').map(Number);
    assert.deepEqual([lacking, without], [0, 0]);
    return [n, turns, players];
}

const wipe = (url) => sql(url, `SET client_min_messages = warning;
    TRUNCATE upload, game RESTART IDENTITY CASCADE; DELETE FROM player WHERE id <> 0`);

/** An import that a fault meets: all of it or nothing; and again without one. */
async function importMet(t, url, settings) {
    const log = scratch(t);
    wipe(url);
    const r = await attempt(['import', '--quiet', file], url, faulty(log, settings));
    const [n, turns] = stored(url);
    if (r.code === 0) assert.equal(n, games, r.stderr);
    else assert.ok(n === 0 || n === games, `${n} games after ${r.stderr}`);
    assert.equal(turns, n === 0 ? 0 : plies);
    run(['import', '--quiet', file], url);
    assert.deepEqual(stored(url), [games, plies, 2]);
    return made(log);
}

for (const when of ['before', 'after'])
    test(`an import whose connection breaks ${when} each query`, async (t) => {
        const url = freshDatabase(t);
        let at = 1, faults = 0, met = 0;
        do {
            [, faults] = await importMet(t, url, { FAULT_QUERY: when, FAULT_AT: String(at++) });
            met += faults;
        } while (faults > 0);
        assert.ok(met > 10, `${met} queries`);
    });

// All of them take a minute; FAULT_STRIDE=1 tries each.
test('an import that memory ends for', async (t) => {
    const stride = Number(process.env.FAULT_STRIDE ?? 37), url = freshDatabase(t);
    let at = 1, faults = 0, met = 0;
    do {
        [, faults] = await importMet(t, url, { FAULT_MEMORY: '1', FAULT_AT: String(at) });
        met += faults;
        at += stride;
    } while (faults > 0);
    assert.ok(met > 10, `${met} allocations`);
    t.diagnostic(`${met} allocations, every ${stride}th`);
});

/** A service with faults at ever greater distances, until `last` of them are made. */
async function disturbed(t, url, when, last, act) {
    const log = scratch(t);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '1', INTRINSIC_LEASE_S: '3',
        ...faulty(log, { FAULT_QUERY: when, FAULT_GAPS: String(last), FAULT_WHEN: log }) });
    writeFileSync(log, '0 0');
    await until(`${last} faults`, async () => {
        await act(s);
        return made(log)[1] >= last;
    });
    assert.equal(await s.stop(), 0);
}

const evaluations = (url) => run(['export', '--judge=faulty'], url).split('\n').sort().join('\n');
const texts = shortGames(5).trim().split(/\n(?=\[Event )/);
let undisturbed; // the evaluations of a run without faults

async function withoutFaults(t) {
    const url = freshDatabase(t);
    defineFaulty(url);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '1' });
    await s.post(`${texts.join('\n\n')}\n\n`, '?judge=faulty');
    await until('the other queue is empty', () => sql(url, 'SELECT count(*) FROM job') === '0');
    return evaluations(url);
}

for (const when of ['before', 'after'])
    test(`a service whose connections break ${when} queries: uploads, claims, results, reports`, async (t) => {
        const url = freshDatabase(t);
        defineFaulty(url);
        const accepted = new Set();
        let next = 0;

        await disturbed(t, url, when, 80, async (s) => {
            const text = texts[next++ % texts.length];
            const r = await s.post(`${text}\n\n`, '?judge=faulty');
            assert.ok([200, 201, 202, 503].includes(r.status), `${r.status} ${await r.text()}`);
            if (r.status !== 503) accepted.add(text);
            for (const page of ['/', '/royale', '/comparisons', '/queue', '/players']) {
                const { status } = await s.get(page);
                assert.ok([200, 202, 503].includes(status), `${page} ${status}`);
            }
        });
        assert.ok(accepted.size > 0);
        for (const text of accepted)
            assert.equal(sql(url, `SELECT count(*) FROM game AS g JOIN player AS w ON w.id = g.white_id
                WHERE w.name = '${tag(text, 'White')}' AND g.date = '${tag(text, 'Date')}'`), '1', text);

        const s = await serve(t, url, { INTRINSIC_WORKERS: '1' });
        for (const text of texts)
            assert.equal((await s.post(`${text}\n\n`, '?judge=faulty')).status < 300, true);
        await until('the queue is empty', () => sql(url, "SELECT count(*) FROM job") === '0');
        assert.equal(sql(url, 'SELECT count(*) FROM game'), String(texts.length));

        undisturbed ??= await withoutFaults(t);
        assert.equal(evaluations(url), undisturbed);
    });
