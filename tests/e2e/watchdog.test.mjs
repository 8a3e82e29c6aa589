// The service as systemd runs it (setup/intrinsic.service, Type=notify, WatchdogSec): it says when it is ready, and that it
// lives, as long as its threads answer requests.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownServer } from './cluster.mjs';
import { freshDatabase, root, serve, until } from './lib.mjs';

const SPAN_MS = 600; // as WatchdogSec, and three signs of life in it

// In systemd's place: prints what it hears. "hold PID" stops all threads of a process but the main one, as a debugger does,
// "free" lets them go.
const MANAGER = String.raw`
import ctypes, os, select, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("listens", flush=True)
libc, held = ctypes.CDLL(None, use_errno=True), []
def ptrace(request, tid):
    if libc.ptrace(request, tid, None, None) != 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request} {tid}")
while True:
    for ready in select.select([s, sys.stdin], [], [])[0]:
        if ready is s:
            print(repr(s.recv(4096).decode()), flush=True)
            continue
        words = sys.stdin.readline().split()
        if not words:
            sys.exit()
        if words[0] == "hold":
            held = [int(t) for t in os.listdir(f"/proc/{words[1]}/task") if t != words[1]]
            for tid in held:
                ptrace(16, tid)
                os.waitpid(tid, 0x40000000)
        else:
            for tid in held:
                ptrace(17, tid)
        print(words[0], flush=True)
`;

async function manager(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-')), at = path.join(folder, 'notify');
    const child = spawn('python3', ['-c', MANAGER, at], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => {
        child.kill('SIGKILL'); // which lets go what it holds
        rmSync(folder, { recursive: true });
    });
    let text = '';
    child.stdout.on('data', (d) => { text += d; });
    const heard = () => text.split('\n').slice(0, -1);
    const lives = () => heard().filter((l) => l === "'WATCHDOG=1'").length;
    await until('it listens', () => heard()[0] === 'listens', 60);
    return { heard, lives, settings: { NOTIFY_SOCKET: at, WATCHDOG_USEC: String(SPAN_MS * 1000) },
        tell: async (words) => {
            child.stdin.write(`${words}\n`);
            await until(words, () => heard().includes(words.split(' ')[0]), 60);
        } };
}

test('ready, alive, stuck, alive again, and stopped', async (t) => {
    const m = await manager(t), s = await serve(t, freshDatabase(t), m.settings);
    await until('signs of life', () => m.lives() >= 3);
    assert.equal(m.heard()[1], "'READY=1\\nSTATUS=Serving'");
    await m.tell(`hold ${s.child.pid}`);
    // The main thread goes on, and a request that was asked before may still have been answered.
    const before = await until('silence', async () => {
        const heard = m.lives();
        await sleep(5 * SPAN_MS);
        return m.lives() === heard && heard;
    }, 120);
    await m.tell('free');
    await until('it lives again', () => m.lives() > before);
    assert.equal(await s.stop(), 0);
    assert.equal(m.heard().at(-1), "'STOPPING=1'");
    assert.match(s.log(), /path="\/health" status=200 /);
    assert.doesNotMatch(s.log(), /watchdog_blind| status=4/);
});

test('a database that is away does not keep the start waiting', async (t) => {
    const server = await ownServer(t), url = freshDatabase(t, server.url), m = await manager(t);
    server.stop('fast');
    const starts = serve(t, url, m.settings);
    await until('it is ready to wait', () => m.heard().length >= 3);
    assert.equal(m.heard()[1], String.raw`'READY=1\nSTATUS=Waiting for the database\nWATCHDOG=1'`);
    server.start();
    await starts;
    await until('it serves', () => m.heard().includes(String.raw`'READY=1\nSTATUS=Serving'`));
});

test('without a service manager nothing is told', async (t) => {
    const s = await serve(t, freshDatabase(t), { NOTIFY_SOCKET: '/nowhere/notify' });
    assert.equal((await s.get('/health')).status, 200);
    assert.equal(await s.stop(), 0);
});

test('the unit expects both', () => {
    const unit = readFileSync(path.join(root, 'setup/intrinsic.service'), 'utf8');
    assert.match(unit, /^Type=notify$/m);
    assert.match(unit, /^WatchdogSec=60$/m);
});
