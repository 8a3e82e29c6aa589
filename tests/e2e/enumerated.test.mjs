// Faults by enumeration beyond imports: each query in turn of a claim and its store, of an upload
// over HTTP and of reports meets a broken connection, before it is sent or after it was done; memory ends at
// allocations of a claim and its store, and at places that allocate for an upload and a report. Every job ends,
// evaluations and answers are those of a run without faults. FAULT_STRIDE=1 tries each query; MEMORY_ROUNDS is
// how many allocations are tried, or how many places, of those that FAULT_PLACES matches.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fitted, freshDatabase, intrinsic, root, run, serve, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';
import { shortGames, tag } from './games.mjs';

const library = path.join(path.dirname(intrinsic), 'tests/faults/faults.so');
const stride = Number(process.env.FAULT_STRIDE ?? 9);
/** Those that take minutes: FAULT_STRIDE=9 runs them. Without it they are no tests, rather than skipped ones. */
const fully = process.env.FAULT_STRIDE === undefined ? () => {} : test;
const memoryRounds = Number(process.env.MEMORY_ROUNDS ?? 3);
const places = new RegExp(process.env.FAULT_PLACES ?? ''); // of these that allocate, by file+offset

/** Faults of a program that goes on: none until one is asked for. */
function trap(t, settings) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [log, when] = ['log', 'when'].map((name) => path.join(folder, name));
    return {
        environment: { LD_PRELOAD: library, FAULT_LOG: log, FAULT_WHEN: when, ...settings },
        arm: (at) => writeFileSync(when, `at ${at}`),
        disarm: () => [log, when].forEach((file) => rmSync(file, { force: true })),
        sprung: () => existsSync(log) && readFileSync(log, 'utf8').split(' ')[1]?.trim() === '1',
    };
}

/** `act` with a fault at each of the `first` calls and then every `stride`th, until it ends before the
 * fault; how many it met. */
async function enumerate(tr, act, first = 0) {
    let met = 0;
    for (let at = 1; ;) {
        tr.disarm();
        tr.arm(at);
        await act(at);
        if (!tr.sprung()) break;
        met++;
        at += at < first ? 1 : stride;
    }
    tr.disarm();
    return met;
}

const [game] = shortGames(1).trim().split(/\n(?=\[Event )/);
/** The same moves as another game. */
const numbered = (n) => `${game.replace(/\[Round "[^"]*"\]/, `[Round "${n}"]`)
    .replace(/\[Date "[^"]*"\]/, `[Date "1990.${String(1 + Math.floor(n / 28) % 12).padStart(2, '0')}.${String(1 + n % 28).padStart(2, '0')}"]`)}\n\n`;

function queue(t, url, n) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(path.join(folder, 'game.pgn'), numbered(n));
    run(['import', '--quiet', '--analyse', path.join(folder, 'game.pgn')], url, { INTRINSIC_JUDGE: 'quick' });
}

const idle = (url) => until('the queue is empty', () => sql(url, 'SELECT count(*) FROM job') === '0');

/** Each game is analysed once, and all as in a run without faults. */
function alike(t, url, games) {
    assert.equal(sql(url, 'SELECT count(*) FROM game'), String(games));
    assert.equal(sql(url, 'SELECT count(*) FROM judged_side'), String(2 * games));
    assert.equal(sql(url, 'SELECT sum(games) FROM judge_total'), String(games));
    const lines = run(['export', '--judge=quick'], url).trim().split('\n').map(JSON.parse);
    assert.equal(lines.length, games);
    const found = (line) => JSON.stringify(Object.entries(line).filter(([k]) => !['tags', 'header'].includes(k)))
        .replaceAll(/"(round|date)":"[^"]*"/gi, '').replaceAll(/1990\.\d\d\.\d\d/g, '');
    const texts = new Set(lines.map(found));
    assert.equal(texts.size, 1, [...texts].slice(0, 2).join('\n'));
}

for (const when of ['before', 'after'])
    fully(`a worker whose connection breaks ${when} each query of a claim and its store`, async (t) => {
        const url = freshDatabase(t), tr = trap(t, { FAULT_QUERY: when });
        queue(t, url, 0);
        const w = worker(t, url, { settings: tr.environment });
        await idle(url);
        let games = 1;
        const met = await enumerate(tr, async () => {
            queue(t, url, games++);
            await idle(url);
        });
        assert.ok(met > 0, `${met} queries`);
        assert.equal(await w.end('SIGTERM'), 0);
        alike(t, url, games);
        t.diagnostic(`${met} queries of a worker`);
    });

// Once it has started: libseccomp 2.5 never ends when an allocation fails while a jail is made.
fully('a worker that memory ends for in a claim and its store', async (t) => {
    const url = freshDatabase(t), tr = trap(t, { FAULT_MEMORY: '1' });
    const begun = () => worker(t, url, { settings: tr.environment });
    let w = begun(), games = 0, died = 0;
    const judged = async () => {
        queue(t, url, games++);
        await until('the end of the worker or of the queue',
            () => w.gone() || sql(url, 'SELECT count(*) FROM job') === '0');
    };
    await judged();
    tr.arm(1e12); // counts how many there are
    await judged();
    assert.equal(await w.end('SIGTERM'), 0);
    const all = Number(readFileSync(tr.environment.FAULT_LOG, 'utf8').split(' ')[0]);
    tr.disarm();
    w = begun();
    await judged();
    for (let i = 0; i < memoryRounds; i++) {
        tr.arm(1 + Math.floor((all * i) / memoryRounds));
        await judged();
        tr.disarm();
        if (!w.gone()) continue;
        died++;
        w = begun();
        await idle(url);
    }
    assert.ok(died > 0);
    assert.equal(await w.end('SIGTERM'), 0);
    alike(t, url, games);
    t.diagnostic(`${died} of ${memoryRounds} of ${all} allocations ended a worker`);
});

for (const when of ['before', 'after'])
    test(`a service whose connection breaks ${when} each query of an upload`, async (t) => {
        const url = freshDatabase(t), tr = trap(t, { FAULT_QUERY: when });
        const s = await serve(t, url, tr.environment);
        const met = await enumerate(tr, async (at) => {
            const r = await s.post(numbered(at), '?analyse=false');
            assert.ok(r.status < 300 || r.status === 503, `${at}: ${r.status} ${await r.text()}`);
            if (r.status < 300) await until('the accepted game', () => there(url, at) === '1', 20);
            const sprung = tr.sprung();
            tr.disarm();
            await until('the game, sent again', async () =>
                (await s.post(numbered(at), '?analyse=false')).status < 300 && there(url, at) === '1', 20);
            if (sprung) writeFileSync(tr.environment.FAULT_LOG, `${at} 1\n`);
        }, 9);
        assert.ok(met * stride > 10, `${met} queries`);
        await uploadsEnded(url);
        t.diagnostic(`${met} queries of an upload`);
    });

const there = (url, n) => sql(url, `SELECT count(*) FROM game WHERE round = '${tag(numbered(n), 'Round')}'`);

/** No upload is left half done, and those that failed say why. */
async function uploadsEnded(url) {
    await until('no upload is left half done', () => sql(url, `SELECT count(*) FROM upload
        WHERE state NOT IN ('stored', 'failed')`) === '0', 40);
    assert.equal(sql(url, `SELECT string_agg(DISTINCT problem, ' ') FROM upload WHERE state = 'failed'
        AND problem NOT IN ('database_away', 'try_again', 'upload_interrupted')`), '');
}

/** A report, from now on: asked for until it is there. */
async function report(t, url, s, kind) {
    sql(url, 'DELETE FROM report');
    let answer;
    await until(`the report ${kind}`, async () => {
        const r = await s.get(`/api/v1/reports/${kind}`);
        answer = await r.json();
        assert.ok(r.status < 300 || r.status === 503, `${kind}: ${r.status} ${JSON.stringify(answer)}`);
        assert.notEqual(answer.state, 'failed', JSON.stringify(answer));
        return r.status === 200;
    }, 300);
    return answer;
}

/** Digests of its members, without what says when and how it was computed. */
const figures = (answer) => Object.fromEntries(Object.entries(answer).filter(([k]) => k !== 'report')
    .map(([k, v]) => [k, createHash('sha256').update(JSON.stringify(v)).digest('hex')]));

function importJudged(url) {
    const judged = path.join(root, 'static/samples/judged');
    run(['import', '--quiet', ...readdirSync(judged).map((f) => path.join(judged, f))], url);
}

const kinds = ['royale', 'conformance', 'complexity', 'comparisons', 'covariance', 'score-curve'];

for (const kind of kinds)
    for (const when of ['before', 'after'])
        fully(`a service whose connection breaks ${when} each query of the report ${kind}`, async (t) => {
            const url = freshDatabase(t), tr = trap(t, { FAULT_QUERY: when });
            importJudged(url);
            const s = await serve(t, url, { INTRINSIC_WORKERS: '0', ...tr.environment });
            await fitted(url);
            const clean = figures(await report(t, url, s, kind));
            const met = await enumerate(tr, async (at) => {
                assert.deepEqual(figures(await report(t, url, s, kind)), clean, `${at}`);
            });
            assert.ok(met > 0, `${met} queries`);
            t.diagnostic(`${met} queries of ${kind}`);
        });

/** What came of it: "whole", the "end" of the service, a connection "closed" without an answer, or what was wrong. */
async function outcome(s, act) {
    const dead = () => s.child.exitCode !== null || s.child.signalCode !== null;
    try {
        await act(s);
        return 'whole';
    } catch (error) {
        for (let i = 0; i < 50 && !dead(); i++) await new Promise((done) => setTimeout(done, 20));
        return dead() ? 'end' : error.message === 'fetch failed' ? 'closed' : error.message;
    }
}

/** Places that allocate, tried once: what another test reaches, too, is not tried there again. */
const tried = new Set();

/** Memory ends at each place that allocates while a service does `act`; then it is done again without a fault,
 * by the service or, if that ended, the next. `ready`: before the first. */
async function eachPlace(t, url, name, act, ready = async () => {}) {
    const tr = trap(t, { FAULT_MEMORY: '1' }), sites = `${tr.environment.FAULT_LOG}.sites`;
    const begin = () => serve(t, url, { INTRINSIC_WORKERS: '0', ...tr.environment, FAULT_SITES: sites });
    let s = await begin(), died = 0, met = 0;
    await ready();
    await act(s);
    tr.arm(1e12); // notes where there are allocations
    await act(s);
    const all = readFileSync(sites, 'utf8').trim().split('\n').map((line) => line.split(' '))
        .filter(([site, ...calls]) => !tried.has(site) && places.test(calls.join(' ')));
    const rounds = Math.min(memoryRounds, all.length), wrong = [];
    for (let i = 0; i < rounds; i++) {
        const [site, ...calls] = all[Math.floor((all.length * i) / rounds)];
        tried.add(site);
        tr.disarm();
        tr.arm(site);
        const first = await outcome(s, act);
        met += tr.sprung() ? 1 : 0;
        tr.disarm();
        if (first === 'end') {
            died++;
            s = await begin();
        }
        const second = await outcome(s, act);
        console.error(`${name} ${i + 1} of ${rounds}, ${calls.slice(0, 3).join(' ')}: ${first}`);
        if (!['whole', 'end', 'closed'].includes(first) || second !== 'whole')
            wrong.push(`${calls.join(' ')}: ${first}, then ${second}`);
        if (second === 'end') s = await begin();
    }
    assert.deepEqual(wrong, []);
    assert.ok(died > 0);
    t.diagnostic(`${met} of ${rounds} of ${all.length} places that allocate in ${name} met the fault, ${died} ended the service`);
}

fully('a service that memory ends for in an upload', async (t) => {
    const url = freshDatabase(t);
    const accepted = [];
    let n = 0;
    const sent = async (s) => {
        const r = await s.post(numbered(n), '?analyse=false');
        assert.ok(r.status < 300 || r.status === 503, `${r.status} ${await r.text()}`);
        if (r.status < 300) accepted.push(n);
        return r.status < 300;
    };
    await eachPlace(t, url, 'an upload', async (s) => {
        n++;
        await until('the upload is accepted', () => sent(s), 20);
        await until('the accepted game', () => there(url, n) === '1', 20);
    });
    await uploadsEnded(url);
    for (const number of accepted) assert.equal(there(url, number), '1', `game ${number}`);
    assert.equal(sql(url, 'SELECT count(*) FROM (SELECT round FROM game GROUP BY round HAVING count(*) > 1) AS twice'), '0');
});

for (const kind of kinds)
    fully(`a service that memory ends for in the report ${kind}`, async (t) => {
        const url = freshDatabase(t);
        let clean;
        importJudged(url);
        await eachPlace(t, url, kind, async (s) => {
            const found = figures(await report(t, url, s, kind));
            clean ??= found;
            assert.deepEqual(found, clean);
        }, () => fitted(url));
    });
