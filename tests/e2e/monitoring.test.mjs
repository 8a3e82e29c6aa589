// docker/monitoring: what Prometheus and the dashboard ask for is what /metrics gives. promtool reads all of
// it, too, where it is installed (Debian's package prometheus).
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freshDatabase, root, serve } from './lib.mjs';

const folder = path.join(root, 'docker/monitoring');
const read = (name) => readFileSync(path.join(folder, name), 'utf8');
const dashboard = JSON.parse(read('dashboard.json'));
const alerts = [...read('alerts.yml').matchAll(/expr: (.*)/g)].map(([, expr]) => expr);
const words = /^(by|sum|rate|and|or|histogram_quantile|up|le|job|status|state|reason)$/;

const ofReplica = /^intrinsic_replica_/; // where there is one

/** Names of metrics in an expression: labels' values, ranges and numbers aside. */
const names = (expr) => [...expr.replaceAll(/"[^"]*"|\[\w+\]/g, '').matchAll(/[a-z_]+/g)].map(([n]) => n)
    .filter((n) => !words.test(n));

test('dashboard and alerts ask for metrics that there are', async (t) => {
    const s = await serve(t, freshDatabase(t)), text = await (await s.get('/metrics')).text();
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
    const exprs = [...alerts, ...dashboard.panels.flatMap((p) => p.targets.map((q) => q.expr))];
    assert.ok(types.size > 25 && exprs.length > 20 && alerts.length >= 6);
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
        execFileSync('promtool', ['check', 'metrics'], { input: text });
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
