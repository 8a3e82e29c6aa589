// /health from one address while another holds slow sockets, sends malformed requests or asks for costly pages:
// every request is answered; and who reads slowly. ATTACK_SECONDS (1) for each attack, ATTACK_SOCKETS (300) slow ones; the times are
// printed, docs/faults.md has those of 8 seconds and 1,500 sockets.
import test from 'node:test';
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, root, run, serve, until } from './lib.mjs';

const seconds = Number(process.env.ATTACK_SECONDS ?? 1), sockets = Number(process.env.ATTACK_SOCKETS ?? 300);
const attacker = '127.0.0.2';
const head = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const body = 'POST /api/v1/uploads?analyse=false HTTP/1.1\r\nHost: localhost\r\n' +
    'Content-Type: application/x-chess-pgn\r\nContent-Length: 100000\r\n\r\n';
const malformed = ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '\0\0\0\0\r\n\r\n', 'GET /?&&&&& HTTP/1.1\r\n\r\n',
    'POST /api/v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'];
const costly = ['/royale', '/comparisons', '/api/v1/reports/royale?calibration=standard', '/players', '/validation'];

/** A connection of the attacker, opened again whenever it ends, until `end`; `act` is called with each. */
async function again(port, end, act) {
    while (Date.now() < end) {
        const socket = net.connect({ port, host: '127.0.0.1', localAddress: attacker });
        const closed = new Promise((done) => socket.on('close', done));
        socket.on('error', () => {});
        socket.on('connect', () => act(socket));
        socket.resume();
        await Promise.race([closed, sleep(Math.max(0, end - Date.now()))]);
        socket.destroy();
        await sleep(10);
    }
}

/** `begun`, then a byte a second. */
const dripping = (begun) => (socket) => {
    socket.write(begun);
    const drip = setInterval(() => socket.write('x'), 1000);
    socket.on('close', () => clearInterval(drip));
};

const attacks = {
    'no attack': [0],
    [`${sockets} sockets with a head of a byte a second`]: [sockets, dripping(head)],
    [`${sockets} with a body of a byte a second`]: [sockets, dripping(body)],
    '200 with malformed requests': [200, (socket) => socket.write(malformed[Math.floor(Math.random() * malformed.length)])],
    '200 that request costly pages': [200, (socket) => {
        const page = costly[Math.floor(Math.random() * costly.length)];
        socket.write(`GET ${page} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    }],
};

/** Milliseconds of each request for /health until `end`, and what was not 200. */
async function measured(port, end) {
    const agent = new http.Agent({ keepAlive: true, localAddress: '127.0.0.1' }), times = [], wrong = [];
    while (Date.now() < end) {
        const begin = performance.now();
        const status = await new Promise((done) => http.get({ host: '127.0.0.1', port, path: '/health', agent },
            (r) => r.resume().on('end', () => done(r.statusCode))).on('error', (e) => done(e.message)));
        times.push(performance.now() - begin);
        if (status !== 200) wrong.push(status);
        await sleep(5);
    }
    agent.destroy();
    return { times: times.sort((a, b) => a - b), wrong };
}

const ms = (value) => `${value.toFixed(1)} ms`;

test('/health is answered whatever another address does', async (t) => {
    const url = freshDatabase(t);
    run(['import', '--quiet', path.join(root, 'static/samples/rating.ndjson.zst')], url);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '0' }), port = Number(new URL(s.base).port);
    for (const [name, [n, act]] of Object.entries(attacks)) {
        const end = Date.now() + seconds * 1000;
        const [{ times, wrong }] = await Promise.all([measured(port, end),
            ...Array.from({ length: n }, () => again(port, end, act))]);
        assert.deepEqual(wrong, [], name);
        assert.ok(times.length > 0, name);
        const at = (share) => ms(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
        t.diagnostic(`| ${name} | ${at(0.5)} | ${at(0.99)} | ${ms(times.at(-1))} | of ${times.length}`);
    }
    assert.equal((await s.get('/ready')).status, 200);
});

test('one address reads sixteen exports at a time, however slowly', async (t) => {
    const url = freshDatabase(t);
    run(['import', '--quiet', path.join(root, 'static/samples/rating.ndjson.zst')], url);
    const s = await serve(t, url, { INTRINSIC_WORKERS: '0' }), port = Number(new URL(s.base).port);
    const begun = (localAddress) => new Promise((done, failed) => http.get({ host: '127.0.0.1', port, localAddress, agent: false,
        path: '/api/v1/evaluations', headers: { accept: 'application/x-ndjson' } }, done).on('error', failed));
    const held = await Promise.all(Array.from({ length: 16 }, () => begun(attacker)));
    t.after(() => held.forEach((r) => r.destroy()));
    assert.deepEqual(new Set(held.map((r) => r.statusCode)), new Set([200]));
    const refused = await begun(attacker);
    assert.equal(refused.statusCode, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    refused.resume();
    const other = await begun('127.0.0.1');
    assert.equal(other.statusCode, 200);
    other.destroy();
    held.pop().destroy();
    await until('there is room for another', async () => {
        const r = await begun(attacker);
        r.destroy();
        return r.statusCode === 200;
    }, 20);
});
