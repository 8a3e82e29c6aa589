// A service with the shipped samples and no engine, the same each time; and an address of each of its pages.
import { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { close, launch } from './browser.mjs';
import { filledDatabase, fitted, root, run, serve, until } from './lib.mjs';

const reports = ['/royale', '/comparisons', '/reports/conformance', '/reports/complexity', '/reports/covariance',
    '/reports/score-curve'];

async function fill(url) {
    for (const name of ['standard', 'regan-haworth-2011'])
        run(['calibrate', `--load=${root}/static/calibrations/${name}.json.zst`], url);
    const judged = path.join(root, 'static/samples/judged');
    run(['import', '--quiet', ...readdirSync(judged).sort().map((f) => path.join(judged, f)),
        path.join(root, 'static/samples/rating.ndjson.zst'),
        path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst')], url);
    const ends = [], site = await serve({ after: (f) => ends.push(f) }, url);
    await fitted(url);
    for (const report of reports) // computed once requested
        await until(report, async () => (await site.get(report.replace(/^(\/reports)?/, '/api/v1/reports'))).status === 200);
    for (const end of ends) await end();
}

export const sampledDatabase = (t) => filledDatabase(t, 'sampled', fill);
export const sampled = async (t) => serve(t, await sampledDatabase(t));

/** All pages of the table of resources, as in /players/{player}. */
export const patterns = [...readFileSync(path.join(root, 'server/resources.def'), 'utf8').matchAll(/^\s+page (\/\S*)/gm)]
    .map(([, pattern]) => pattern);
assert.ok(patterns.length > 30);

/** Their addresses, by these patterns. */
export async function addresses(site) {
    const [{ id: player }] = (await site.json('/api/v1/players?q=fischer')).players;
    const [{ id: other }] = (await site.json('/api/v1/players?q=spassky')).players;
    const [{ id: event }] = (await site.json('/api/v1/events?q=championship&year=1972')).events;
    const [{ id: game }] = (await site.json(`/api/v1/players/${player}/ratings?year=1972`)).game_list;
    const [{ id: upload }] = (await site.json('/api/v1/uploads')).uploads;
    const values = { player, event, game, upload, year: 1972, name: 'standard', paper: 'alliot-2017', table: 5, figure: 8 };
    const queries = { '/compare': `?white=${player}:1972&black=${other}:1972`, '/careers': `?set=${player}&set=${other}`,
        '/moves': `?player=${player}&year=1972`, '/search': '?q=championship' };
    return Object.fromEntries(patterns.map((pattern) => [pattern, pattern.replaceAll(/\{(\w+)\}/g, (_, name) => {
        assert.ok(name in values, `a value of ${name} for ${pattern}`);
        return values[name];
    }) + (queries[pattern] ?? '')]));
}

/** For the tests of a file: that service and these addresses, given to `take` before them, and a browser. */
export function browsed(take) {
    const cleanups = [];
    before(async () => {
        const site = await sampled({ after: (f) => cleanups.unshift(f) });
        take(site, await addresses(site));
        await launch();
    });
    after(async () => {
        await close();
        for (const f of cleanups) await f();
    });
}
