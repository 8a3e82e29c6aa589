// The pages of the reports on games in a real browser, with the shipped samples: two widths, with
// their plots and without JavaScript, and the figures of the API on them.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { close, launch, open, stands, unfold } from './browser.mjs';
import { freshDatabase, root, run, serve, until } from './lib.mjs';
import { predictors } from './registry.mjs';

const cleanups = [];
let site, url;

before(async () => {
    const suite = { after: (f) => cleanups.unshift(f) };
    url = freshDatabase(suite);
    const judged = path.join(root, 'static/samples/judged');
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    run(['import', ...readdirSync(judged).map((f) => path.join(judged, f))], url);
    site = await serve(suite, url, { INTRINSIC_WORKERS: '0' });
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

/** The answer, once it is computed. */
async function answer(where) {
    for (;;) {
        const response = await fetch(site.base + where);
        const body = await response.json();
        if (response.status !== 202) return body;
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

const per = (share) => `${(100 * share).toFixed(1)}%`;

const kinds = [
    ['royale', '/royale', /Best years against each other/, (a) => [
        'the data give no order of them', `Kendall’s τ = ${a.order.tau.toFixed(2)}`,
        ...a.ranking.map((r) => per(r.expected)),
        ...a.ranking.filter((r) => r.interval).flatMap(({ interval: i, rank_low, rank_high, strength }) =>
            [per(strength), `${per(i.low)} to ${per(i.high)}`, `${rank_low}–${rank_high}`]),
        `${(100 * a.best.low[0][1]).toFixed(0)}–${(100 * a.best.high[0][1]).toFixed(0)}`]],
    ['comparisons', '/comparisons', /Mean errors/, (a) =>
        a.errors.filter((e) => e.estimate !== null).map((e) => `${(100 * e.estimate).toFixed(1)}%`)],
    ['conformance', '/reports/conformance', /By form, at 0\.30 pawns/, (a) =>
        Object.values(a.forms).map((f) => f.at_30.rho.estimate.toFixed(3))],
    ['complexity', '/reports/complexity', /All of these/, (a) =>
        [a.all.indicators.sullivan.estimate.toFixed(3)]],
    ['covariance', '/reports/covariance', /ρ by n0 \(rows\)/, (a) =>
        [a.best.estimate, a.rho[8][4], a.rho[88][36]].map((rho) => rho.toFixed(3))],
    ['score-curve', '/reports/score-curve', /half a pawn at a time/, (a) =>
        [a.all.b.estimate.toFixed(2), `${(100 * a.all.bins[0].score).toFixed(1)}%`]],
];

for (const [kind, where, expected, figures] of kinds)
    test(`${kind}: drawn, and without JavaScript what the API says`, async (t) => {
        const a = await answer(`/api/v1/reports/${kind}`);
        const { page, complaints } = await open(t, site.base + where, { width: 390 });
        if (a.common?.log_losses.length !== 0) // of no match that all predictors predict nothing is drawn
            await page.locator('figure.drawn svg:visible').first().waitFor();
        assert.deepEqual(complaints, []);
        // First of all the answer, as the API has it, on the first screen of a phone; the rest is folded.
        assert.ok(a.finding.length > 60, a.finding);
        assert.equal(await page.innerText('h1 + p'), a.finding);
        assert.ok(await page.evaluate(() => document.querySelector('h1 + p').getBoundingClientRect().bottom) <= 900);
        assert.deepEqual(await page.locator('main summary').allInnerTexts(), ['Other methods', 'For statisticians']);
        const plain = await open(t, site.base + where, { javaScriptEnabled: false });
        await unfold(plain.page);
        const text = await plain.page.innerText('main');
        assert.match(text, expected);
        for (const figure of figures(a)) assert.ok(text.includes(figure), `${figure} is on the page`);
    });

test('the list leads to every report', async (t) => {
    for (const [kind] of kinds) await answer(`/api/v1/reports/${kind}`);
    const { page } = await open(t, `${site.base}/reports`);
    assert.match(await page.innerText('main'), /Battle royale/);
    const links = await page.locator('main table a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    for (const [, where] of kinds) assert.ok(links.includes(where), where);
    const { reports, finding } = await site.json('/api/v1/reports');
    assert.equal(links.length, reports.length);
    for (const { kind, finding: one } of reports) assert.equal(one, (await answer(`/api/v1/reports/${kind.replace('_', '-')}`)).finding, kind);
    assert.equal(await page.innerText('h1 + p'), finding);
    const { finding: first } = reports.find(({ shown }) => shown);
    assert.ok(finding.startsWith(first), finding);
    assert.ok(finding.endsWith(`The data answer ${reports.filter(({ shown }) => shown).length} of the 6 questions.`), finding);
});

/** Mean of -s ln p - (1 - s) ln(1 - p), weighted by games. */
const logLoss = (matches, expected) => {
    const games = matches.reduce((n, m) => n + m.games, 0);
    return matches.reduce((sum, m) => sum - m.games * (m.score * Math.log(expected(m)) + (1 - m.score) * Math.log(1 - expected(m))), 0) / games;
};

test('comparisons have the log losses of what they list', async () => {
    const { matches, common: { games, log_losses: losses } } = await answer('/api/v1/reports/comparisons?year=event');
    const names = losses.map(({ predictor }) => predictor).filter((name) => name !== 'even');
    assert.ok(names.length >= 3, names);
    const all = matches.filter(({ predictions }) => names.every((name) => predictions[name].expected !== null));
    assert.equal(games, all.reduce((n, m) => n + m.games, 0));
    for (const { predictor, log_loss: loss, difference } of losses) {
        const mine = logLoss(all, ({ predictions }) => (predictor === 'even' ? 0.5 : predictions[predictor].expected));
        assert.ok(Math.abs(loss - mine) < 1e-9, predictor);
        assert.ok(difference === null || Math.abs(loss - losses[0].log_loss - difference) < 1e-9, predictor);
    }
});

test('a pair of the royale is what the comparison of it says', async (t) => {
    const { best, ranking } = await answer('/api/v1/reports/royale?method=markov');
    assert.ok(best.player_years.length > 5 && best.player_years.length < ranking.length);
    const [a, b] = best.player_years.map((p) => `${p.player.id}:${p.year}`);
    const { markov } = (await site.json(`/api/v1/predictions?white=${a}&black=${b}&method=markov`))
        .predictions;
    assert.ok(Math.abs(best.expected[0][1] - markov.expected) < 1e-9);
    assert.equal(best.low[0][1], markov.interval.low);
    assert.equal(best.high[0][1], markov.interval.high);
    const { page } = await open(t, `${site.base}/royale?method=markov`);
    await unfold(page);
    await page.locator('.cross tbody tr').first().locator('td a').first().click();
    assert.match(page.url(), /compare\?white=.*&black=/);
});

test('the royale by covariance takes earlier years where they are requested', async () => {
    const { best, params } = await answer('/api/v1/reports/royale?method=covariance&forgetting=0.5');
    assert.equal(params.forgetting, '0.5');
    const [a, b] = best.player_years.map((p) => `${p.player.id}:${p.year}`);
    const { covariance } = (await site.json(`/api/v1/predictions?white=${a}&black=${b}&method=covariance&forgetting=0.5`)).predictions;
    assert.ok(Math.abs(best.expected[0][1] - covariance.expected) < 1e-9);
    assert.equal((await answer('/api/v1/reports/royale?method=covariance')).params.forgetting, '0');
});

test('a royale by every predictor says what order the data support', async (t) => {
    const names = site.json('/api/v1/predictions?white=12:1972&black=11:1972').then((a) => Object.keys(a.predictions));
    const verdicts = {};
    for (const method of await names) {
        const { order, ranking, best, reason } = await answer(`/api/v1/reports/royale?method=${method}`);
        if (method === 'rating') { // these samples have none
            assert.match(reason, /that have the rating, there are 0$/);
            continue;
        }
        const known = ranking.filter((r) => r.interval);
        verdicts[method] = order.verdict;
        assert.equal(known.length, order.compared);
        assert.ok(order.compared > 0, method);
        const sum = (key) => known.reduce((s, r) => s + r[key], 0);
        assert.ok(Math.abs(sum('best_probability') - 1) < 1e-9);
        const players = new Set(known.map((r) => r.player.id)).size;
        assert.ok(Math.abs(sum('best_year_probability') - players) < 1e-9);
        const [a, b] = best.player_years.map((p) => `${p.player.id}:${p.year}`);
        const { predictions } = await site.json(`/api/v1/predictions?white=${a}&black=${b}&method=${method}`);
        assert.ok(Math.abs(best.expected[0][1] - predictions[method].expected) < 1e-9, method);
        await stands(t, `royale-${method}`, `${site.base}/royale?method=${method}`, /Best years against each other/, { unfolded: true });
    }
    const known = { markov: 'same', covariance: 'disordered', conformance: 'disordered', ipr: 'disordered', elo: 'same' };
    for (const [method, verdict] of Object.entries(known)) assert.equal(verdicts[method], verdict, method);
    // No ranking number where the data give no order.
    const { page } = await open(t, `${site.base}/royale?method=covariance`);
    assert.equal(await page.locator('[aria-labelledby=ranking-title] th', { hasText: /^Rank$/ }).count(), 0);
    await unfold(page);
    assert.match(await page.innerText('.notice'), /give no order .* Kendall’s τ = 0\.\d\d/s);
});

test('a royale is by the best tested predictor unless one is requested', async (t) => {
    const { tables, recommended } = await site.json('/api/v1/predictors');
    const { compared_by: by, ranking } = await answer('/api/v1/reports/royale');
    const names = Object.fromEntries(predictors.filter(({ name, royale }) => royale && !['elo', 'rating'].includes(name))
        .map(({ name, tested }) => [tested, name]));
    // These samples have no rating, and not all years an Elo.
    const rows = tables[0].predictors.filter((row) => row.predictor in names);
    const [best] = rows.sort((a, b) => a.corrected_log_loss - b.corrected_log_loss);
    assert.equal(recommended.with_elo.predictor, 'elo'); // which the years of the samples before 1971 lack
    assert.deepEqual(by, { predictor: names[best.predictor], by_rule: true, games: tables[0].scored });
    const named = await answer(`/api/v1/reports/royale?method=${by.predictor}`);
    assert.deepEqual(named.ranking, ranking);
    assert.deepEqual(named.compared_by, { predictor: by.predictor, by_rule: false, games: null });
    const { page } = await open(t, `${site.base}/royale`);
    await unfold(page);
    assert.match(await page.innerText('main'), /Not every player-year here has an Elo, so all are compared by/);
});

test('the ranking of a royale as CSV and NDJSON', async () => {
    const { ranking } = await answer('/api/v1/reports/royale?method=ipr');
    const text = await (await site.get('/api/v1/reports/royale.csv?method=ipr')).text();
    const [head, ...lines] = text.trimEnd().split('\r\n').map((line) => line.replace(/"[^"]*"/g, 'name').split(','));
    assert.deepEqual(lines.map((line) => line[head.indexOf('rank_high')]), ranking.map((r) => `${r.rank_high}`));
    assert.deepEqual(lines.map((line) => Number(line[head.indexOf('strength')])), ranking.map((r) => r.strength));
    const rows = await (await site.get('/api/v1/reports/royale?method=ipr', { headers: { Accept: 'application/x-ndjson' } })).text();
    assert.deepEqual(rows.trimEnd().split('\n').map((line) => JSON.parse(line)), ranking);
});

test('a page without its answer looks again by itself, without JavaScript', async (t) => {
    const { page } = await open(t, `${site.base}/royale?active=200`, { javaScriptEnabled: false });
    await page.getByText('Best years against each other').waitFor({ state: 'attached' });
    assert.equal(await page.inputValue('#active'), '200');
});

test('comparisons are out of sample unless in-sample ones are requested', async (t) => {
    const a = await answer('/api/v1/reports/comparisons');
    const from = (match) => match.year - match.predicted_from;
    const predicted = a.matches.filter((match) => match.predictions.markov.expected !== null);
    assert.equal(a.in_sample, 0);
    assert.ok(predicted.length > 0 && predicted.every((match) => from(match) === 1));
    const proper = await answer('/api/v1/reports/comparisons?year=before');
    const said = (name) => proper.errors.find((e) => e.predictor === name);
    assert.deepEqual(a.errors.find((e) => e.predictor === 'markov'), said('markov'));
    assert.equal(said('markov').interval, null);
    assert.equal(said('markov').interval_reason, 'fewer than 8 matches');
    const inSample = await answer('/api/v1/reports/comparisons?year=event');
    const { without_match: without, year_before: before } = inSample.out_of_sample;
    assert.equal(without, 0); // of the samples' players nothing is there but their matches
    assert.equal(before, predicted.length);
    const { page } = await open(t, `${site.base}/comparisons?year=event`);
    const notice = await page.locator('.notice').first().innerText();
    assert.ok(notice.includes(`for the year before (there is enough for ${before} of`), notice);
    const left = await answer('/api/v1/reports/comparisons?year=event&without_match=true');
    assert.ok(left.matches.every(({ predictions: { ipr } }) => ipr.reason.endsWith('left out)')));
});

test('what matches need is requested from their page', async (t) => {
    const { matches } = await answer('/api/v1/reports/comparisons');
    const { year, first, second, event } = matches.find((match) => match.predicted_from === match.year);
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'intrinsic-')), 'earlier.pgn');
    t.after(() => rmSync(path.dirname(file), { recursive: true }));
    writeFileSync(file, `[Event "Friendly"]\n[Date "${year - 2}.05.01"]\n[White "${first.name}"]\n[Black "Nobody Else"]\n[Result "1-0"]\n
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 1-0\n`);
    run(['import', file], url);
    const { needs } = await until('the report is computed again', async () => {
        const a = await answer('/api/v1/reports/comparisons');
        return a.needs && a;
    });
    assert.equal(needs.games, 1);
    assert.equal(needs.turns, 4);
    assert.ok(needs.matches.some((m) => m.event === event.id && m.players.includes(first.id) && m.players.includes(second.id)));
    await stands(t, 'comparisons-needs', `${site.base}/comparisons`, /1 game \(4 moves\)/);
    const { page } = await open(t, `${site.base}/comparisons`);
    await page.getByRole('button', { name: 'Analyse what these need' }).click();
    await page.waitForURL('**/queue');
    const { analyses } = await (await site.get('/api/v1/analyses?state=ready')).json();
    assert.deepEqual(analyses.map((a) => a.white), [first.name]);
    await page.goto(`${site.base}/comparisons`);
    assert.equal(await page.getByRole('button', { name: 'Analyse what these need' }).count(), 0, 'it is queued');
    assert.match(await page.innerText('main'), /1 game that these predictions need is in the queue/);
    await site.get('/api/v1/analyses', { method: 'PATCH', body: '{"all": true, "action": "cancel"}', headers: { 'content-type': 'application/json' } });
    await page.reload();
    assert.equal(await page.getByRole('button', { name: 'Analyse what these need' }).count(), 1, 'it is not any more');
});

test('a form asks with other parameters', async (t) => {
    const { page } = await open(t, `${site.base}/comparisons`);
    await unfold(page);
    await page.fill('#least', '30');
    await page.selectOption('#year', 'event');
    await page.selectOption('#without_match', 'true');
    await page.click('main form.choose button');
    await page.waitForURL(/least=30/);
    const a = await answer('/api/v1/reports/comparisons?least=30&year=event&without_match=true');
    assert.ok(a.matches.length > 0 && a.matches.every((m) => m.games >= 30 && !m.in_sample));
    await page.goto(page.url()); // not reload(), upon which a browser restores what fields held
    assert.equal(await page.inputValue('#least'), '30', await page.content());
    assert.equal(await page.locator('[aria-labelledby=matches-title] tbody tr').count(), a.matches.length);
});
