// docker/monitoring: what Prometheus and the dashboard ask for is what /metrics gives. promtool reads all of
// it, too, where it is installed (Debian's package prometheus).
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, root, serve, until } from './lib.mjs';

const folder = path.join(root, 'docker/monitoring');
const read = (name) => readFileSync(path.join(folder, name), 'utf8');
const dashboard = JSON.parse(read('dashboard.json'));
const alerts = [...read('alerts.yml').matchAll(/expr: (.*)/g)].map(([, expr]) => expr);
const words = /^(by|on|sum|max|rate|time|absent|offset|and|or|histogram_quantile|up|le|job|status|state|kind|reason|fstype)$/;

const ofReplica = /^intrinsic_replica_/; // where there is one

/** Names of metrics in an expression: labels' values, ranges and numbers aside. */
const names = (expr) => [...expr.replaceAll(/"[^"]*"|\[\w+\]|\b\d+\w+/g, '').matchAll(/[a-z_]+/g)].map(([n]) => n)
    .filter((n) => !words.test(n));

/** What Debian's node-exporter says, with the options that docker/monitoring.yml gives it. */
async function nodeExporter(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const before = Math.floor(Date.now() / 1000);
    execFileSync('setup/stamp.sh', [folder], { cwd: root });
    const [, list] = /node-exporter:[\s\S]*?command: (\[.*\])/.exec(readFileSync(path.join(root, 'docker/monitoring.yml'), 'utf8'));
    const options = JSON.parse(list).map((o) => o.replace('=/textfile', `=${folder}`).replace('=/host', '=/'));
    const child = spawn('prometheus-node-exporter', [...options, '--web.listen-address=127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (d) => { log += d; });
    t.after(() => child.kill());
    const port = await until('node-exporter listens', () => {
        assert.equal(child.exitCode, null, log);
        return /address=127\.0\.0\.1:(\d+)/.exec(log)?.[1];
    }, 60);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const stamp = Number(/^intrinsic_backup_timestamp_seconds (\S+)$/m.exec(text)[1]);
    assert.ok(stamp >= before && stamp <= Date.now() / 1000, `the stamp is ${stamp}`);
    return text;
}

test('dashboard and alerts ask for metrics that there are', async (t) => {
    const s = await serve(t, freshDatabase(t)), ours = await (await s.get('/metrics')).text();
    const text = ours + await nodeExporter(t);
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
    const exprs = [...alerts, ...dashboard.panels.flatMap((p) => p.targets.map((q) => q.expr))];
    assert.ok(types.size > 25 && exprs.length > 20 && alerts.length >= 10);
    for (const expr of exprs) {
        assert.ok(names(expr).length > 0 || /^up\b/.test(expr), expr);
        for (const name of names(expr))
            assert.ok(types.has(name) || ofReplica.test(name) || types.get(name.replace(/_bucket$/, '')) === 'histogram', `${name} in ${expr}`);
        for (const [, name] of expr.matchAll(/rate\((\w+)/g))
            assert.notEqual(types.get(name), 'gauge', `the rate of a gauge: ${expr}`);
    }
    const classes = [...text.matchAll(/requests_total\{status="(\w+)"/g)].map(([, c]) => c);
    for (const [, status] of exprs.join('\n').matchAll(/status="(\w+)"/g)) assert.ok(classes.includes(status));

    if (spawnSync('promtool', ['--version']).status === 0) {
        execFileSync('promtool', ['check', 'metrics'], { input: ours });
        execFileSync('promtool', ['check', 'config', path.join(folder, 'prometheus.yml')]);
    }
});

test('the panels can be drawn', () => {
    const ids = dashboard.panels.map((p) => p.id);
    assert.equal(new Set(ids).size, ids.length);
    const [, uid] = /uid: (\w+)/.exec(read('datasource.yml'));
    const taken = new Set();
    for (const { datasource, gridPos: g, title, type } of dashboard.panels) {
        assert.equal(datasource.uid, uid);
        assert.match(type, /^(stat|timeseries)$/);
        assert.ok(g.x + g.w <= 24, title);
        for (let x = g.x; x < g.x + g.w; x++)
            for (let y = g.y; y < g.y + g.h; y++) {
                assert.ok(!taken.has(`${x} ${y}`), `${title} lies on another panel`);
                taken.add(`${x} ${y}`);
            }
    }
    const compose = readFileSync(path.join(root, 'docker/monitoring.yml'), 'utf8');
    for (const [, file] of compose.matchAll(/- \.\/(\S+?):/g)) assert.ok(readFileSync(path.join(root, 'docker', file)));
});
