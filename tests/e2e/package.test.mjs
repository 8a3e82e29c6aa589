// Debian's package, unpacked: lintian has nothing against it, and what is in it serves. `make deb-check`
// installs, upgrades and purges it.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase, root, serve } from './lib.mjs';

let folder, deb;
before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-deb-'));
    chmodSync(folder, 0o755);
    // Packed by nothing, which takes a third of the time.
    const made = spawnSync('make', ['-s', 'deb', 'DEB_PACKED=-Znone', `DEB_DIR=${folder}`],
        { cwd: root, encoding: 'utf8', env: { ...process.env, MAKEFLAGS: '' } });
    assert.equal(made.status, 0, made.stdout + made.stderr);
    const debs = readdirSync(folder);
    assert.equal(debs.length, 1);
    deb = path.join(folder, debs[0]);
    execFileSync('dpkg-deb', ['-x', deb, path.join(folder, 'root')]);
});
after(() => rmSync(folder, { recursive: true }));

const inside = (file) => path.join(folder, 'root', file);
const field = (name) => execFileSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).trim();

test('lintian', () => {
    const { status, stdout, stderr } = spawnSync('lintian', ['--fail-on=error,warning', '--allow-root',
        '--suppress-tags=uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball', deb], { encoding: 'utf8' });
    assert.equal(stdout, '');
    assert.equal(status, 0, stderr);
});

test('version, dependencies, settings', () => {
    const [, version] = /IPR_VERSION "(.*)"/.exec(readFileSync(path.join(root, 'server/core/version.h'), 'utf8'));
    assert.equal(field('Version'), version);
    for (const needed of ['libpq5', 'libmicrohttpd12', 'stockfish', 'postgresql | postgresql-client'])
        assert.ok(field('Depends').split(', ').some((d) => d === needed || d.startsWith(`${needed} (`)), needed);
    const unit = readFileSync(inside('lib/systemd/system/intrinsic.service'), 'utf8');
    assert.doesNotMatch(unit, /\/usr\/local|\/etc\/systemd/);
    for (const [, file] of unit.matchAll(/^(?:ExecStart(?:Pre)?|EnvironmentFile|Environment=INTRINSIC_HOME|Documentation=file:?)=?\+?(\/\S+)/gm))
        assert.doesNotThrow(() => execFileSync('test', ['-e', inside(file)]), file);
    assert.match(unit, /^ExecStartPre=\+\/usr\/sbin\/intrinsicctl setup --if-local$/m, 'at every start, since PostgreSQL may come later');
    const parts = JSON.parse(readFileSync(inside('usr/share/doc/intrinsic/intrinsic.cdx.json'), 'utf8')).components;
    assert.ok(parts.some((p) => p.name === 'libpq5') && parts.some((p) => p.name === 'd3'));
    const control = execFileSync('dpkg-deb', ['--ctrl-tarfile', deb]);
    assert.match(execFileSync('tar', ['-xO', './conffiles'], { input: control, encoding: 'utf8' }), /^\/etc\/intrinsic\/intrinsic\.env$/m);
});

test('what is unpacked serves', async (t) => {
    const s = await serve(t, freshDatabase(t), { INTRINSIC_HOME: inside('usr/share/intrinsic') }, inside('usr/bin/intrinsic'));
    for (const address of ['/ready', '/', '/docs', '/validation', '/predictors', '/papers/alliot-2017/5', '/static/css/intrinsic.css',
        '/static/vendor/d3.min.js', '/static/vendor/plot.umd.min.js', '/static/calibrations/rating.figures.3.ndjson.zst'])
        assert.equal((await s.get(address)).status, 200, address);
});
