// The clock of the machine jumps, by an hour and by a day, to and fro, that of the database and that
// of the service: in the middle of analyses, with a worker dead and its games leased, with tokens,
// limits and reports. Nothing is lost, nothing waits for the clock, no duration is negative.
import test from 'node:test';
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownServer, worker } from './cluster.mjs';
import { gamesOf } from './games.mjs';
import { freshDatabase, intrinsic, run, serve, sql, until } from './lib.mjs';

const HOUR = 3600, DAY = 86400;
// Seconds by which the clock is wrong, one after the other.
const jumps = process.env.CLOCK_JUMPS?.split(' ').map(Number) ?? [HOUR, -DAY];

/** The time of day of programs with these settings, and a way to change it. */
function clockOf(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-')), file = path.join(folder, 'clock');
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const set = (seconds) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64LE(BigInt(seconds));
        writeFileSync(file, bytes, { flag: 'r+' });
    };
    writeFileSync(file, Buffer.alloc(8));
    return { set, settings: { FAULT_CLOCK: file,
        LD_PRELOAD: path.join(path.dirname(intrinsic), 'tests/faults/clock.so') } };
}

/** Every number of an answer that is a duration or an age. */
function durations(value, name = '') {
    if (typeof value === 'number') return /seconds|age|oldest/.test(name) ? [[name, value]] : [];
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([k, v]) => durations(v, k));
}

async function noneNegative(site) {
    for (const address of ['/api/v1/queue', '/api/v1/analyses?limit=5', '/api/v1/reports', '/status'])
        for (const [name, value] of durations(await site.json(address)))
            assert.ok(value >= 0, `${address}: ${name} is ${value}`);
    const metrics = await (await site.get('/metrics')).text();
    for (const [line, value] of metrics.matchAll(/^intrinsic_\S*(?:seconds|age)\S* (-\S+)$/gm))
        assert.fail(`${line}: ${value}`);
}

const busy = (url) => until('a game is being analysed', () => sql(url,
    "SELECT count(*) FROM job WHERE state = 'leased' AND turns_done > 0") !== '0');

test('the clock jumps by an hour and a day, to and fro', async (t) => {
    const clock = clockOf(t), server = await ownServer(t, clock.settings);
    const url = freshDatabase(t, server.url), clean = freshDatabase(t), games = gamesOf(24);
    const settings = { INTRINSIC_WORKERS: '1', INTRINSIC_LEASE_S: '2', ...clock.settings };
    const site = await serve(t, url, settings), uploaded = [];
    const token = /^\S+$/m.exec(run(['token', 'create', 'ann'], url, clock.settings))[0];
    const post = async () => {
        uploaded.push(games.shift());
        const r = await site.post(uploaded.at(-1), '?judge=narrow', { authorization: `Bearer ${token}` });
        assert.equal(r.status, 202, await r.text());
    };
    const before = Number(sql(url, 'SELECT extract(epoch FROM now())::bigint'));

    for (const [jump, off] of jumps.entries()) {
        for (let i = 0; i < 2; i++) await post();
        const dead = jump % 2 ? worker(t, url, { settings }) : undefined;
        await busy(url);
        await dead?.end('SIGKILL');
        clock.set(off);
        assert.ok(Math.abs(Number(sql(url, 'SELECT extract(epoch FROM now())::bigint')) - before - off)
            < HOUR / 2, 'PostgreSQL sees it');
        await noneNegative(site);
        const { status } = await site.get('/royale');
        assert.ok([200, 202].includes(status), `royale ${status}`);
        await until('all is analysed', () => sql(url, 'SELECT count(*) FROM job') === '0', 60);
        await until('no report waits', () => sql(url,
            "SELECT count(*) FROM report WHERE state IN ('wanted', 'running')") === '0', 60);
    }
    assert.match(site.log(), / level=warn event=clock_went_back .*seconds=\d+/);
    assert.equal(await site.stop(), 0);

    const other = await serve(t, clean, { INTRINSIC_WORKERS: '1' });
    assert.equal((await other.post(uploaded.join(''), '?judge=narrow')).status, 202);
    await until('the other queue is empty', () => sql(clean, 'SELECT count(*) FROM job') === '0');
    const evaluations = (u) => run(['export', '--judge=narrow'], u).split('\n').sort().join('\n');
    assert.equal(evaluations(url), evaluations(clean));
});
