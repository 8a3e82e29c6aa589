// /openapi.json is what the service does: every answer fits its schema and has no other members,
// every member occurs, the examples are true, a linter and a client made from it are content.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { addresses } from '../golden/take.mjs';
import { scene } from '../golden/scene.mjs';
import { close, launch, open } from './browser.mjs';
import { ask, examples, file, shortened } from './examples.mjs';
import { fitted, root, run, sql } from './lib.mjs';
import { Contract } from './openapi.mjs';

const cleanups = [];
let base, url, contract, text;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    ({ base, url } = await scene(suite));
    text = await (await fetch(`${base}/openapi.json`)).text();
    contract = new Contract(JSON.parse(text));
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const faultsOf = (method, address, { status, type, answer }) => {
    const operation = contract.operation(method, address);
    if (!operation || (!/[/+]json$/.test(type) && type !== 'text/event-stream')) return [];
    return contract.faults(operation, status, type, answer, /[?&]fields=/.test(address))
        .map((fault) => `${method} ${address}: ${status} ${fault}`);
};

async function fits(method, address, body, fails = false) {
    const reply = await ask(base, method, address, body);
    assert.equal(reply.status >= 400, fails, `${method} ${address}: ${reply.status}`);
    assert.deepEqual(faultsOf(method, address, reply), []);
    return reply.answer;
}

test('a linter finds no fault in /openapi.json', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    assert.deepEqual(problems.map((p) => `${p.ruleId} ${p.location[0].pointer}: ${p.message}`), []);
});

test('the examples are answers of the service and fit their schemas', async () => {
    const all = await examples(base);
    const { resources } = (await (await fetch(`${base}/api/v1`)).json());
    assert.deepEqual(shortened(all), JSON.parse(readFileSync(file, 'utf8')), 'run make examples');
    for (const { name, method, example } of resources) {
        assert.ok(all[name].status < 300, `${name}: ${all[name].status}`);
        assert.deepEqual(faultsOf(method, example.path, all[name]), []);
    }
});

// Not described yet: the member `imported` of answers without imported evaluations, and why a game has no figures.
const undescribed = /imported=false|form=figures/;

test('every answer of the API fits its schema', async () => {
    const rest = addresses().filter(({ method, address }) =>
        method !== 'DELETE' && contract.operation('GET', address) && !undescribed.test(address)).values();
    const faults = [];
    await Promise.all([1, 2, 3].map(async () => {
        for (const { method, address, accept, body } of rest)
            faults.push(...faultsOf(method, address, await ask(base, method, address, body, accept)));
    }));
    assert.deepEqual(faults.slice(0, 20), []);
});

const described = ['etag', 'link', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id',
    'idempotency-replayed', 'www-authenticate'];

test('the headers of answers are described, and 304, 204 and 429', async () => {
    const { resources } = await (await fetch(`${base}/api/v1`)).json();
    const names = (object) => Object.keys(object ?? {}).map((name) => name.toLowerCase());
    const seen = new Set();
    let unchanged = 0;
    for (const { method, example, name } of resources.filter((r) => r.method === 'GET' && !r.formats.includes('text/event-stream'))) {
        const operation = contract.operation(method, example.path);
        const address = base + example.path, accept = 'application/json';
        await ask(base, method, example.path); // reports are computed first
        const first = await fetch(address, { headers: { accept } });
        await first.text();
        const tag = first.headers.get('etag'), answers = [first];
        assert.ok(tag, name);
        answers.push(await fetch(address, { headers: { accept, 'if-none-match': tag } }));
        answers.push(await fetch(`${address}${address.includes('?') ? '&' : '?'}nothing=1`, { headers: { accept } }));
        const same = answers[1].status === 304 || answers[1].headers.get('etag') === tag; // not of the queue's estimates of time
        assert.deepEqual(answers.slice(1).map((r) => r.status), [same ? 304 : 200, 400], name);
        unchanged += same;
        for (const r of answers) {
            const there = described.filter((header) => r.headers.has(header));
            const response = operation.responses[r.status];
            const told = names((response.$ref ? contract.resolve(response.$ref) : response).headers);
            assert.deepEqual(there.filter((header) => !told.includes(header)), [], `${name} ${r.status}`);
            there.forEach((header) => seen.add(header));
        }
        assert.ok(operation.parameters.some((p) => p.$ref?.endsWith('/If-None-Match')), name);
    }
    for (const [path, methods] of Object.entries(contract.doc.paths))
        for (const [method, { parameters, responses }] of Object.entries(methods)) {
            const writes = ['post', 'patch'].includes(method) && path !== '/api/v1/rate'; // which stores nothing
            assert.equal(parameters.some((p) => p.$ref?.endsWith('/Idempotency-Key')), writes, `${method} ${path}`);
            assert.equal('204' in responses, path.endsWith('/events') && !path.endsWith('v1/events'), path);
        }
    assert.ok(unchanged > 20, `${unchanged} answers were the same`);
    assert.deepEqual(['etag', 'link', 'x-request-id'].filter((header) => !seen.has(header)), []);
    assert.ok(contract.doc.components.responses[429].headers['Retry-After']);
});

/** Members that are of the thing itself and not what its figures were computed with. */
const own = [['upload', 'judge'], ['calibration_record', 'judge'], // which belong to them
    ['conformance_report', 'calibration'], ['complexity_report', 'calibration'], ['covariance_report', 'calibration'],
    ['score_curve_report', 'calibration']]; // null: no figure is read off one

test('an answer takes as parameters what its figures rest on', () => {
    const rests = { judge: 'judge', calibration: 'calibration', time_classes: 'time_class' }, missing = [];
    for (const [path, { get }] of Object.entries(contract.doc.paths)) {
        const shape = get?.responses[200].content?.['application/json']?.schema.$ref?.split('/').pop();
        const members = contract.doc.components.schemas[shape]?.properties ?? {};
        for (const [member, param] of Object.entries(rests))
            if (member in members && !get.parameters.some((p) => p.name === param)) missing.push([shape, member, path]);
    }
    assert.deepEqual(missing.filter(([shape, member]) => !own.some(([s, m]) => s === shape && m === member)), []);
    for (const [shape, member] of own)
        assert.equal(missing.some(([s, m]) => s === shape && m === member), true, `${shape}.${member}`);
});

const annotated = `[White "Adler, Ann"]
[Black "Brandt, Bo"]
[Result "1-0"]

1. e4 { [%eval 0.3,20] [%clk 1:30:00] [%emt 0:00:10] } e5 $1 2. Qh5 { a plan } Nc6
3. Bc4 { [%eval #1] } Nf6 4. Qxf7# { [%eval #0] } 1-0
`;

/** What the samples have none of: endgames, a worker at work, games whose analysis failed. */
const situations = `
INSERT INTO endgame_turn (game_id, ply, mover, men, before, after, dtz_before, dtz_after)
    SELECT g, p, p % 2, 5, value, CASE WHEN g % 5 = 0 THEN LEAST(value, 0) ELSE value END, 12, 14
    FROM (SELECT generate_series(1, 30) UNION SELECT generate_series(100, 102)) AS games (g), generate_series(30, 45) p, LATERAL (SELECT (p / 2 + g) % 3 * 2 - 2) AS v (value);
INSERT INTO worker (name, version, engines, tablebases, threads, games, turns)
    VALUES ('host-1', '0.1.0', '{stockfish}', 5, 2, 10, 800);
UPDATE job SET state = 'leased', worker = 'host-1', lease_token = 1, lease_until = now() + interval '1 hour',
    leased_at = now(), attempts = 1 WHERE game_id = 513;
UPDATE job SET state = 'failed', attempts = 3, last_error = 'the engine exited' WHERE game_id = 514;
UPDATE upload SET judge = 'standard' WHERE id = 16;
`;

/** Ratings by the moves: of players with an Elo and without, and beyond the calibrated range. */
const rated = `
UPDATE game SET white_elo = 2300, black_elo = 2300 WHERE year = 1972;
UPDATE player_year SET strength_score = 4 * strength_information WHERE year = 1894;
UPDATE judged_side SET strength_score = 400 * strength_information, strength_information = 100 * strength_information
WHERE game_id = (SELECT min(id) FROM game WHERE year = 1894);
`;

/** Of a game of the samples, with another engine setting. */
function imported(changes) {
    const folder = path.join(root, 'static/samples/judged');
    const [line] = execFileSync('zstdcat', [path.join(folder, readdirSync(folder)[0])],
        { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
    const game = JSON.parse(line);
    Object.assign(game.judge, changes);
    const name = path.join(root, `build/${changes.name}.ndjson`);
    writeFileSync(name, `${JSON.stringify(game)}\n`);
    run(['import', '--quiet', name], url);
}

/** The game of the samples as Alliot's programs note it, under other names. */
const noted = async () => (await ask(base, 'GET', '/api/v1/games/1.pgn?form=alliot&judge=standard', undefined, '*/*')).answer
    .replace(/\[White "[^"]*"/, '[White "Adler, Ann"').replace(/\[Black "[^"]*"/, '[Black "Brandt, Bo"');

test('answers in rare situations fit, too', async () => {
    sql(url, situations);
    imported({ name: 'by-nodes', limit: { nodes: 100000 }, apart: 'after', options: 'Contempt=0' });
    imported({ name: 'by-time', limit: { adaptive_ms: 60000 } });
    run(['import', '--quiet', path.join(root, 'static/samples/rating.ndjson.zst')], url);
    sql(url, rated);
    await fitted(url); // which would replace it
    sql(url, `INSERT INTO results_component
        SELECT component, 1971, 1979, 12, 4 FROM results_strength WHERE person_id = 12 LIMIT 1`);
    const [game, player] = sql(url, 'SELECT min(id), min(white_id) FROM game WHERE year = 1894').split('\t');
    for (const address of [`/games/${game}`, `/players/${player}`, '/players/12/ratings?year=1972',
        '/players/12/ratings?year=1972&prior=opponents'])
        await fits('GET', `/api/v1${address}`);
    for (const address of ['/players/1/ratings?from=1800&to=1899',
        '/players/5/ratings?from=1930&to=1940', '/players/6/ratings?include=game_bootstrap',
        '/games/1?judge=second', '/evaluations.json?form=figures&judge=rating&limit=20', '/queue', '/uploads/16', '/uploads/3?player=3', '/players?q=fisher', '/analyses', '/judges',
        '/player-years?player=12', '/predictions?white=12:1972&black=11:1972&method=elo&games=20', '/reports/comparisons?year=event',
        ...['method=markov', 'judge=second&method=markov', 'judge=quick&method=markov'].map((query) => `/reports/royale?${query}`)])
        await fits('GET', `/api/v1${address}`);
    for (const pgn of [annotated, await noted()]) {
        const { id } = await fits('POST', '/api/v1/uploads?analyse=false', pgn);
        const { imported: stored } = await fits('GET', `/api/v1/uploads/${id}`);
        assert.equal(stored, 1);
        await fits('GET', `/api/v1/games/${sql(url, 'SELECT max(id) FROM game')}`);
    }
    const { resources } = await (await fetch(`${base}/api/v1`)).json();
    const { example } = resources.find(({ name }) => name === 'games_rated');
    for (const by of ['event', 'year', 'month', 'game'])
        for (const result of ['1-0', '1/2-1/2'])
            await fits('POST', `/api/v1/rate?by=${by}`, `[WhiteElo "2300"] [BlackElo "2400"] ${example.body.replaceAll('1-0', result)}`);
    await fits('POST', '/api/v1/analyses', '{"predict": "alliot-2017/5", "estimate": true}');
    await fits('POST', '/api/v1/judges', '{"name": "nodes", "nodes": 100000}');
    for (const body of ['{"kind": "aliases"}', '{"kind": "merge", "player": 1,}']) await fits('POST', '/api/v1/identity-changes', body, true);
});

/** Members that this test does not bring about, each with its reason. */
const rare = [
    [/\.calibration_mismatch$/, 'most figures rest on no calibration and only share the members of those that do'],
    [/^(calibration_band|factors|milepost_fit|milepost_agent|random_share|fit_line|agent_line|calibration_curve)\.reason$/,
        'only a calibration of too few games lacks a part'],
    [/^curve_point\.interval_reason$/, 'only a calibration of too few games lacks a part'],
    [/^(fit|gain|depth_weighted|figure)\.reason$/, 'the fit of moves that have an IPR does not fail'],
    [/^conformance\.k[12]$/, 'of the weighted form alone, which shares its members'],
    [/^event_report\.reason$/, 'an event of thousands of games'],
    [/^(dashboard_year|year_row)\.bayes_elo$/, 'of the list of all player-years alone, which shares its members'],
    [/^evaluated_turn\.settled$/, 'of one position in some 45,000'],
    [/^indicator\.note$/, 'an engine setting that shows few lines at few depths'],
    [/^problem\.ply$/, 'of analyses by fishnet clients'],
    [/^(head_to_head\.ipr_judge|params\.pool_judge)$/, 'two engine settings have analysed both players; tests/e2e/compare.test.mjs'],
    [/^players\.similar$/, 'nobody here has few games and a name similar to that of somebody with many; tests/e2e/pages.test.mjs'],
    [/^alias\.(player|into)$/, 'of a site with a spelling file'],
    [/^time_(difference\.\w+|play\.same_(players|elo))$/, 'no game here is known to be rapid; tests/e2e/time_controls.test.mjs'],
    [/^(set_(row|cell)\.\w+|career_found\.\w+|careers\.found(_players)?|career\.(event|phases|games_without_moves|strength)|set_strength\.\w+)$/, 'the samples here have no ratings of years; tests/e2e/careers.test.mjs'],
    [/^(player_peak\.rise|player_rise\.\w+|rated_player\.first(_five)?)$/, 'the samples here have no ratings of years; tests/e2e/rating_lists.test.mjs'],
    [/^profile_(advice|period)\.\w+$/, 'the example has twenty games, none of them weak beyond chance in a part; tests/golden/answers/rating/upload.txt'],
    [/^evidence_parts\.\w+$/, 'the moves of the samples here are not analysed for the rating; tests/e2e/moves.test.mjs'],
    [/^game_figure\.\w+$/, 'every game here has its moves and lines; tests/e2e/moves.test.mjs'],
    [/^flagged_move\.\w+$/, 'no game here has its moves and lines of the rating; tests/e2e/dossier.test.mjs'],
    [/^(rating\.equated|equated\.\w+)$/, 'every analysis here is by the engine of the calibration; tests/cli/rate.test.mjs'],
    [/^(conformance|complexity|covariance|score_curve)_report\.finding_by$/, 'of the royale and of comparisons alone, which share its members'],
    [/^fit_line\.ab_covariance$/, 'of the reference agent alone, which shares its members'],
    [/^event_section\.\w+$/, 'no event here has sections; tests/e2e/example.test.mjs'],
    [/^upload\.(key|owner_key)$/, 'no upload here is private; tests/e2e/private.test.mjs'],
];

test('every member of the schemas occurs', () => {
    const unseen = contract.unseen();
    assert.equal(unseen.filter((member) => !rare.some(([pattern]) => pattern.test(member))).join(' '), '');
    for (const [pattern, why] of rare)
        assert.ok(unseen.some((member) => pattern.test(member)), `occurs now: ${pattern} (${why})`);
});

test('a client that openapi-fetch makes of it compiles and fetches a rating', async () => {
    const folder = path.join(root, 'build/client');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    symlinkSync(path.join(root, 'tests/e2e/node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'api.d.ts'), astToString(await openapiTS(text)));
    cpSync(path.join(root, 'tests/e2e/client/rating.ts'), path.join(folder, 'rating.ts'));
    execFileSync(path.join(root, 'tests/e2e/node_modules/.bin/tsc'), ['--strict', '--target', 'es2022',
        '--module', 'es2022', '--moduleResolution', 'bundler', '--skipLibCheck', '--lib', 'es2022,dom', 'rating.ts'],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'inherit', 'inherit'] });
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    const { rating, counted } = await import(pathToFileURL(path.join(folder, 'rating.js')));
    const { ipr } = await (await fetch(`${base}/api/v1/players/12/ratings?year=1972`)).json();
    assert.equal(await rating(base, 'fischer', 1972), `Fischer, Robert J 1972: ${Math.round(ipr.estimate)} ` +
        `(${Math.round(ipr.interval.low)} to ${Math.round(ipr.interval.high)})`);
    const { example } = (await (await fetch(`${base}/api/v1`)).json()).resources.find(({ name }) => name === 'games_rated');
    assert.deepEqual(await counted(base, example.body, 1), [2, (await (await fetch(`${base}/api/v1/games/1`)).json()).white.name]);
});

test('it has 45 operations at most, each with a description and one format of success; names in paths are kebab-case', () => {
    const all = Object.entries(contract.doc.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, ...operation })));
    assert.ok(all.length <= 45, `${all.length}`);
    assert.equal(all.filter(({ tags }) => tags[0] === 'main').length, 12);
    assert.equal(contract.doc.tags[0].name, 'main');
    for (const { name, path, description, summary, responses } of all) {
        assert.ok(description.length > summary.length, name);
        const formats = Object.entries(responses).filter(([status]) => status < 300).flatMap(([, r]) => Object.keys(r.content ?? {}));
        assert.equal(new Set(formats).size, 1, `${name}: ${formats}`);
        assert.match(path, /^(\/([a-z0-9-]+|\{[a-z]+\}))+$/, name);
    }
});

test('/docs describes it for people', async (t) => {
    const { page } = await open(t, `${base}/docs`);
    const text = await page.innerText('main');
    assert.match(text, /\/api\/v1\/players\/\{player\}\/ratings/);
    assert.doesNotMatch(text, /\bnan\b|undefined/i);
    const dead = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')]
        .map((a) => a.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id)));
    assert.deepEqual(dead, []);
    const said = await page.$$eval('td, p', (cells) => cells.map((c) => c.textContent).filter((text) => !/[{[]/.test(text)));
    assert.deepEqual(said.filter((text) => text.includes('`') || /(\([^)]*\)) \1/.test(text)), [], 'marks of code, or said twice');
    for (const { operationId } of Object.values(contract.doc.paths).flatMap(Object.values))
        assert.ok(await page.$(`#${operationId}`), operationId);
});

test('/docs is a list that unfolds by links to its parts, without JavaScript too', async (t) => {
    const { page } = await open(t, `${base}/docs`, { viewport: { width: 1280, height: 900 } });
    assert.equal(await page.locator('details[open]').count(), 0);
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(tall < 6500, `${tall} px`);
    for (const javaScriptEnabled of [true, false]) {
        const { page: other } = await open(t, `${base}/docs#ratings`, { javaScriptEnabled });
        assert.ok(await other.getByRole('region', { name: 'Parameters of GET /api/v1/players/{player}/ratings' }).isVisible(),
            `opened by its address, JavaScript ${javaScriptEnabled}`);
        await other.locator('nav.contents a[href="#uploads"]').click();
        assert.ok(await other.locator('#uploads').isVisible());
    }
    await page.locator('a[href="#shape-problem"]').first().click();
    assert.ok(await page.locator('#shape-problem').isVisible());
});
