// setup/deps.sh on a machine that has everything but Node.js, and no network.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../e2e/lib.mjs';

const tools = ['cat', 'cmp', 'cp', 'dirname', 'env', 'grep', 'id', 'mkdir', 'mktemp', 'rm', 'sh', 'tail', 'tee', 'timeout'];

/** A copy of what deps.sh looks at, and commands of which apt-get installs nothing. */
function machine(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-deps-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const d of ['bin', 'setup', 'static', 'tmp']) mkdirSync(path.join(dir, d));
    for (const f of ['setup/deps.sh', 'static/package.json', 'static/package-lock.json'])
        copyFileSync(path.join(root, f), path.join(dir, f));
    for (const tool of tools) {
        const { stdout } = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' });
        symlinkSync(stdout.trim(), path.join(dir, 'bin', tool));
    }
    const stub = (name, text) => writeFileSync(path.join(dir, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    stub('dpkg-query', 'echo installed');
    stub('apt-get', 'echo "E: no network"; exit 100');
    stub('sudo', '[ "$1" != -n ] || shift; exec "$@"');
    return (what) => spawnSync(path.join(dir, 'setup/deps.sh'), [what],
        { encoding: 'utf8', env: { PATH: path.join(dir, 'bin'), TMPDIR: path.join(dir, 'tmp') } });
}

for (const what of ['run', 'build'])
    test(`deps.sh ${what}: without npm there are no plots, and that is all`, (t) => {
        const { status, stderr } = machine(t)(what);
        assert.match(stderr, /apt-get could not install: nodejs npm\n/);
        assert.match(stderr, /pages have no plots\n$/);
        assert.equal(status, 0);
    });

test('deps.sh test: the tests do not go without', (t) => {
    const { status, stderr } = machine(t)('test');
    assert.match(stderr, /apt-get could not install:.* nodejs npm /);
    assert.equal(status, 1);
});
