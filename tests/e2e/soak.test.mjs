// A service under everything at once, for a while: reads of every address, uploads, deletions,
// analyses, streams that are left, broken requests. No answer is an internal error, no sanitizer
// reports anything, descriptors come back, memory does not grow.
//
// `make soak` runs it for 20 minutes under AddressSanitizer and for 20 under ThreadSanitizer.
import test from 'node:test';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { held } from './cluster.mjs';
import { gamesOf } from './games.mjs';
import { root, serve, sql, until } from './lib.mjs';
import { scene, settings } from '../golden/scene.mjs';
import { addresses } from '../golden/take.mjs';

const seconds = Number(process.env.SOAK_SECONDS ?? 3);
const program = path.join(root, process.env.SOAK_BIN ?? 'build/release/intrinsic');
const LONG = 300;           // from so many seconds on memory is compared
const READERS = 3, UPLOADS = 6;
const GROWTH_KIB = 16384;
// Under ThreadSanitizer the costliest answer takes 37 s of processor time, not 1.5, and memory
// goes up and down by 100 MB, its own included: the run under AddressSanitizer compares memory.
const tsan = program.includes('tsan');
const LATE_MS = tsan ? 900000 : 120000; // an answer takes no longer, load included

const choose = (list) => list[Math.floor(Math.random() * list.length)];

/** What is counted: answers by status; what should not have been is in `bad`. */
class Counts {
    constructor() {
        Object.assign(this, { statuses: {}, bad: [] });
    }

    take(what, { status }, text) {
        this.statuses[status] = (this.statuses[status] ?? 0) + 1;
        if (status >= 500 && status !== 503) this.bad.push(`${what}: ${status} ${text.slice(0, 300)}`);
    }
}

async function read(site, { address, accept }, counts) {
    const r = await site.get(address, { headers: accept ? { accept } : {},
        signal: AbortSignal.timeout(LATE_MS) });
    if (r.headers.get('content-type')?.startsWith('text/event-stream') || Math.random() < 0.05) {
        counts.take(address, r, '');
        await r.body?.cancel();
        return;
    }
    counts.take(address, r, await r.text());
    const etag = r.headers.get('etag');
    if (!etag) return;
    const again = await site.get(address, { headers: { 'if-none-match': etag } });
    counts.take(address, again, await again.text());
}

/** The same, where the address is named if the answer does not come. */
async function readInTime(site, address, counts) {
    try {
        await read(site, address, counts);
    } catch (e) {
        counts.bad.push(`${address.name}: ${e.message}`);
    }
}

/** Uploads some games, of which the earlier ones are deleted, some while they are analysed. */
function uploader(site, counts) {
    const games = gamesOf(24), kept = [];
    return async () => {
        const r = await site.post(games.splice(0, 2).join(''), '?judge=narrow'), text = await r.text();
        counts.take('upload', r, text);
        if (r.status < 300) kept.push(JSON.parse(text).id);
        if (games.length < 2) games.push(...gamesOf(24));
        while (kept.length > UPLOADS) {
            const at = Math.floor(Math.random() * kept.length), [id] = kept.splice(at, 1);
            const gone = await site.get(`/api/v1/uploads/${id}`, { method: 'DELETE' });
            counts.take(`delete ${id}`, gone, await gone.text());
        }
        await sleep(500);
    };
}

async function stream(site) {
    const stop = new AbortController();
    const r = await site.get('/api/v1/queue/events', { signal: stop.signal });
    r.text().catch(() => {}); // is read to its end, which is the abort
    await sleep(Math.random() * 3000);
    stop.abort();
}

const broken = [
    'GET /?&&&&&& HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', '\0\0\0\r\n\r\n',
    'POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-chess-pgn\r\n' +
        'Content-Length: 1000\r\n\r\n[White "A"]\n',
    'POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
];

async function breakOff(site) {
    const socket = net.connect(Number(new URL(site.base).port), '127.0.0.1');
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    socket.write(choose(broken));
    await sleep(Math.random() * 1000);
    socket.destroy();
}

/** Runs it again and again until the end. */
async function loop(end, act, pause = 20) {
    while (Date.now() < end) {
        await act();
        await sleep(pause);
    }
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** How much memory grew over the second half: between medians of its first and last parts. */
function growth(samples) {
    const late = samples.slice(samples.length >> 1), part = Math.ceil(late.length / 5);
    return median(late.slice(-part)) - median(late.slice(0, part));
}

async function load(site, ms, counts, samples) {
    const gets = addresses().filter((a) => a.method === 'GET'), end = Date.now() + ms;
    await Promise.all([
        ...Array.from({ length: READERS }, () => loop(end, () => readInTime(site, choose(gets), counts))),
        loop(end, uploader(site, counts)), loop(end, () => stream(site)),
        loop(end, () => breakOff(site), 100),
        loop(end, () => samples.push(held(site.child.pid).kib), Math.min(5000, ms / 10)),
    ]);
}

async function idle(site, url) {
    await site.get('/api/v1/analyses', { method: 'PATCH', body: '{"judge": "narrow", "action": "cancel"}', headers: { 'content-type': 'application/json' } });
    await until('nothing is analysed', () => sql(url, "SELECT count(*) FROM job WHERE state = 'leased'") === '0');
    await sleep(2000);
    return held(site.child.pid);
}

test(`${seconds} s of everything at once, ${program}`, async (t) => {
    const { url, stop } = await scene(t), counts = new Counts(), samples = [];
    await stop();
    sql(url, "UPDATE job SET state = 'paused'"); // what the samples queue takes too long
    const site = await serve(t, url, { ...settings, INTRINSIC_WORKERS: '1', INTRINSIC_RATE_LIMIT: '0', INTRINSIC_CACHE_MB: '8',
        ASAN_OPTIONS: 'detect_leaks=1:quarantine_size_mb=16', INTRINSIC_LOG: 'error' }, program);
    await load(site, 6000, counts, []); // until all connections of the pool are open
    const first = await idle(site, url);
    await load(site, seconds * 1000, counts, samples);
    const last = await idle(site, url);
    console.log(`answers by status: ${JSON.stringify(counts.statuses)}`);
    console.log(`idle before: ${JSON.stringify(first)}, after: ${JSON.stringify(last)}; ` +
        `growth of the second half: ${growth(samples)} KiB`);
    assert.equal(await site.stop(), 0, site.log());
    assert.deepEqual(counts.bad, []);
    assert.doesNotMatch(site.log(), /Sanitizer|runtime error/);
    assert.ok(last.descriptors <= first.descriptors + 8, 'descriptors are back');
    if (seconds >= LONG && !tsan) assert.ok(growth(samples) < GROWTH_KIB, samples.join(' '));
});
