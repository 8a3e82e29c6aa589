// `make run` after its build: from an empty folder to the first page, Ctrl-C, and again.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { intrinsic, root } from './lib.mjs';

function copyOfTheTree(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic run ')); // a blank in it, as people have
    chmodSync(folder, 0o755); // the database's own user has to get through
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const part of ['setup', 'sql', 'static', 'templates'])
        cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
    mkdirSync(path.join(folder, 'build/release'), { recursive: true });
    cpSync(intrinsic, path.join(folder, 'build/release/intrinsic'));
    return folder;
}

/** Starts it as a shell would: in a process group of its own, which Ctrl-C signals as a whole. */
async function start(t, folder, ...args) {
    const env = Object.fromEntries(Object.entries(process.env)
        .filter(([k]) => k !== 'DATABASE_URL' && !k.startsWith('INTRINSIC_')));
    const child = spawn('setup/run.sh', ['--listen=127.0.0.1:0', '--workers=1', ...args],
        { cwd: folder, env, detached: true });
    let output = '';
    child.stdout.on('data', (d) => { output += d; });
    child.stderr.on('data', (d) => { output += d; });
    const ctrlC = async () => {
        if (child.exitCode === null && child.signalCode === null) {
            const closed = once(child, 'close');
            process.kill(-child.pid, 'SIGINT');
            await closed;
        }
        return child.exitCode;
    };
    t.after(ctrlC);
    const base = await new Promise((resolve, reject) => {
        child.stdout.on('data', () => {
            const at = /Intrinsic is at (http:\/\/127\.0\.0\.1:\d+)/.exec(output);
            if (at) resolve(at[1]);
        });
        child.once('close', (code) => reject(new Error(`run.sh ended with ${code}: ${output}`)));
    });
    return { base, ctrlC, output: () => output };
}

/** Command lines of all processes that name the folder. */
const leftovers = (folder) => readdirSync('/proc').filter((p) => /^\d+$/.test(p)).map((p) => {
    try {
        return readFileSync(`/proc/${p}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
        return '';
    }
}).filter((c) => c.includes(folder));

test('from an empty folder to the first page; Ctrl-C stops all; the second start finds all', async (t) => {
    const folder = copyOfTheTree(t);
    const first = await start(t, folder);
    const page = await (await fetch(`${first.base}/`)).text();
    assert.match(page, />Magnus Carlsen</, 'the ranking of the samples');
    const queue = (await (await fetch(`${first.base}/api/v1/dashboard`)).json()).queue;
    assert.equal(queue.ready + queue.running, 10, 'one match is left to watch');
    assert.equal(await first.ctrlC(), 0);
    assert.deepEqual(leftovers(folder), []);

    const second = await start(t, folder);
    assert.doesNotMatch(second.output(), /games read|created|migration/, 'nothing is done twice');
    const again = (await (await fetch(`${second.base}/api/v1/dashboard`)).json()).queue;
    assert.equal(again.ready + again.running, 10, 'nothing is lost');
    assert.equal(again.failed, 0);
    assert.equal(await second.ctrlC(), 0);
    assert.deepEqual(leftovers(folder), []);
});

test('what is in the way of a start stops everything again', async (t) => {
    const folder = copyOfTheTree(t);
    await assert.rejects(start(t, folder, '--stockfish=/nowhere/stockfish'), /\/nowhere\/stockfish/);
    assert.deepEqual(leftovers(folder), []);
});
