// setup/deps.sh on a machine that has everything but Node.js and curl, and no network; and setup/plots.sh.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { root } from '../e2e/lib.mjs';

const tools = ['awk', 'base64', 'cat', 'cmp', 'cp', 'dirname', 'env', 'grep', 'gzip', 'id', 'mkdir', 'mktemp', 'mv', 'od', 'rm', 'sed', 'sh',
    'sha512sum', 'tail', 'tar', 'tee', 'tr'];

/** A copy of what deps.sh looks at, and commands of which apt-get installs nothing. */
function machine(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-deps-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const d of ['bin', 'setup', 'static', 'tmp']) mkdirSync(path.join(dir, d));
    for (const f of ['setup/deps.sh', 'setup/plots.sh', 'setup/lockfile.sh', 'static/package.json', 'static/package-lock.json'])
        copyFileSync(path.join(root, f), path.join(dir, f));
    for (const tool of tools) {
        const { stdout } = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' });
        symlinkSync(stdout.trim(), path.join(dir, 'bin', tool));
    }
    const stub = (name, text) => writeFileSync(path.join(dir, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    stub('dpkg-query', 'echo installed');
    stub('apt-get', 'echo "E: no network"; exit 100');
    stub('sudo', '[ "$1" != -n ] || shift; exec "$@"');
    const environment = { PATH: path.join(dir, 'bin'), TMPDIR: path.join(dir, 'tmp') };
    return { dir, environment, stub, deps: (what) => spawnSync(path.join(dir, 'setup/deps.sh'), [what],
        { encoding: 'utf8', env: environment }) };
}

for (const what of ['run', 'plots'])
    test(`deps.sh ${what}: without a network there are no plots, and that is all`, (t) => {
        const { status, stderr } = machine(t).deps(what);
        assert.match(stderr, /apt-get could not install: curl\n/);
        assert.match(stderr, /pages have no plots\n$/);
        assert.equal(status, 0);
    });

test('deps.sh test: the tests do not go without', (t) => {
    const { status, stderr } = machine(t).deps('test');
    assert.match(stderr, /apt-get could not install:.* nodejs npm/);
    assert.equal(status, 1);
});

/** Tarballs of a registry of our own, by path; those of the lock file otherwise have other sums. */
async function registry(t, of) {
    const asked = [];
    const server = http.createServer((request, response) => {
        asked.push(request.url);
        const bytes = of(request.url);
        response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return { asked, url: `http://127.0.0.1:${server.address().port}/` };
}

/** A package as npm packs it, and the lock file's sum of it. */
function pack(dir, name, text, ...files) {
    const at = path.join(dir, `pack-${path.basename(name)}`);
    for (const file of files) {
        mkdirSync(path.dirname(path.join(at, 'package', file)), { recursive: true });
        writeFileSync(path.join(at, 'package', file), text);
    }
    const { stdout: bytes } = spawnSync('tar', ['-czC', at, 'package']);
    return { bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` };
}

for (const program of ['curl', 'wget'])
    test(`plots.sh by ${program}: what the lock file names, and nothing else`, async (t) => {
        const { dir, environment, stub } = machine(t);
        const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
        if (!found) return t.skip(`no ${program}`);
        symlinkSync(found, path.join(dir, 'bin', program));
        const d3 = pack(dir, 'd3', 'one', 'dist/d3.min.js'), plot = pack(dir, '@observablehq/plot', 'two', 'dist/plot.umd.min.js'),
            board = pack(dir, '@lichess-org/chessground', 'three', 'dist/chessground.min.js', 'assets/chessground.base.css',
                'assets/chessground.cburnett.css');
        const lock = (name, version, { integrity }) => `    "node_modules/${name}": {\n      "version": "${version}",\n` +
            `      "integrity": "${integrity}",\n    },\n`;
        writeFileSync(path.join(dir, 'static/package-lock.json'), lock('d3', '1.2.3', d3) +
            lock('@observablehq/plot', '4.5.6', plot) + lock('@lichess-org/chessground', '7.8.9', board));
        let served = { '/d3/-/d3-1.2.3.tgz': d3.bytes, '/@observablehq/plot/-/plot-4.5.6.tgz': plot.bytes,
            '/@lichess-org/chessground/-/chessground-7.8.9.tgz': board.bytes };
        const { url, asked } = await registry(t, (at) => served[at]);
        const run = (other = url) => new Promise((resolve) => {
            const child = spawn(path.join(dir, 'setup/plots.sh'), [], { env: { ...environment, npm_config_registry: other } });
            let stderr = '';
            child.stderr.on('data', (d) => { stderr += d; });
            child.on('close', (status) => resolve({ status, stderr }));
        });
        const vendor = path.join(dir, 'static/vendor');

        served['/@observablehq/plot/-/plot-4.5.6.tgz'] = d3.bytes;
        const forged = await run();
        assert.deepEqual([forged.status, existsSync(vendor)], [1, false]);
        assert.match(forged.stderr, /@observablehq\/plot 4\.5\.6 is not what static\/package-lock\.json says/);
        served['/@observablehq/plot/-/plot-4.5.6.tgz'] = plot.bytes;
        asked.length = 0;
        assert.equal((await run()).status, 0);
        assert.deepEqual(asked, Object.keys(served));
        assert.deepEqual(readdirSync(vendor).sort(), ['chessground.base.css', 'chessground.cburnett.css',
            'chessground.min.js', 'd3.min.js', 'package-lock.json', 'plot.umd.min.js']);
        assert.equal(readFileSync(path.join(vendor, 'plot.umd.min.js'), 'utf8'), 'two');
        // Without another registry from the one of npm: of its settings, or of Debian's package of it.
        stub('npm', `[ "$*" != 'config get registry' ] || echo ${url}`);
        asked.length = 0;
        assert.equal((await run('')).status, 0);
        assert.deepEqual(asked, Object.keys(served));
        rmSync(path.join(dir, 'bin/npm'));
        const none = await run('');
        assert.notEqual(none.status, 0);
        assert.match(none.stderr, /^plots: npm_config_registry is not set, and the package npm of Debian/);
        stub('apt-get', '[ "$*" = "-qq download npm" ] && : >npm_9_all.deb');
        stub('dpkg-deb', `mkdir -p usr/share/nodejs/npm/lib/utils/config && cd usr/share/nodejs/npm/lib/utils/config && printf "  default: 'latest',\\n  default: '${url}',\\n" >definitions.js && cd - >/dev/null && tar -c ./usr`);
        asked.length = 0;
        assert.equal((await run('')).status, 0);
        assert.deepEqual(asked, Object.keys(served));
        served = {};
        assert.notEqual((await run()).status, 0);
    });
