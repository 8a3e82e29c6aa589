// The predictors of /compare on the shipped samples: what the page says is what the API says, and
// what the API says goes with how the matches ended.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { close, launch, open as openAddress } from './browser.mjs';
import { freshDatabase, root, run, serve, sql, until } from './lib.mjs';
import { predictors } from './registry.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const judged = path.join(root, 'static/samples/judged');
const matches = readdirSync(judged).map((f) => f.split('.')[0].split('_'));
const methods = predictors.map(({ name }) => name);
const per = (share) => `${(100 * share).toFixed(1)}%`;
let site, url;

before(async () => {
    url = freshDatabase(suite);
    run(['calibrate', `--load=${root}/static/calibrations/standard.json.zst`], url);
    run(['import', ...readdirSync(judged).map((f) => path.join(judged, f)),
        path.join(root, 'static/samples/rating.ndjson.zst'), path.join(root, 'static/samples/unjudged.pgn')], url);
    site = await serve(suite, url, { INTRINSIC_WORKERS: '0' });
    await launch();
});

after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const id = async (name) => (await site.json(`/api/v1/players?q=${name}`)).players[0].id;

const pair = async ([year, white, black]) => `white=${await id(white)}:${year}&black=${await id(black)}:${year}`;

const fischer = () => pair(['1972', 'fischer', 'spassky']);

test('chances of a game follow from Elo, beside the predictors', async (t) => {
    const query = await fischer();
    const { white, black, chances, by_moves: moves, games, rating_difference: difference } =
        await site.json(`/api/v1/predictions?${query}&method=elo`);
    const stronger = white.elo.estimate > black.elo.estimate;
    const { as_white: w, as_black: b } = chances;
    for (const one of [w, b]) {
        assert.ok(Math.abs(one.win + one.draw + one.loss - 1) < 1e-6);
        assert.ok(Math.abs(one.win + one.draw / 2 - one.expected) < 1e-6);
        assert.ok(one.draw > 0.35 && one.draw < 0.75, JSON.stringify(one));
    }
    assert.ok(w.expected > b.expected);
    assert.equal(chances.expected > 0.5, stronger);
    assert.equal(chances.strength, 'elo');
    assert.equal(chances.year, 1972);
    assert.equal(chances.extrapolated, false);
    const { page } = await openAddress(t, `${site.base}/compare?${query}`, { javaScriptEnabled: false });
    const points = (share) => (100 * share).toFixed(0), mean = (part) => (w[part] + b[part]) / 2;
    assert.deepEqual([await page.innerText('#first'), await page.innerText('#second')], [points(chances.expected), points(1 - chances.expected)]);
    assert.deepEqual((await page.locator('.shares span').allInnerTexts()).map((text) => /\d+/.exec(text)[0]), ['win', 'draw', 'loss'].map((part) => points(mean(part))));
    // The edge is as wide as the interval; draws lie across the split.
    const at = (selector, name) => page.locator(`svg.chances ${selector}`).getAttribute(name).then(parseFloat);
    for (const [selector, name, share] of [['stop.first', 'offset', chances.interval.low], ['stop.second', 'offset', chances.interval.high],
        ['.draws', 'x', mean('win')], ['.draws', 'width', mean('draw')]])
        assert.ok(Math.abs(await at(selector, name) - 100 * share) < 0.006, `${selector} ${name}`);
    assert.ok((await page.innerText('#by-moves')).includes(`${points(moves.expected)} : ${points(1 - moves.expected)}`));
    await page.locator('#details > summary').click();
    const source = await page.innerText('#source');
    for (const { low, high } of [chances.interval, moves.interval]) assert.ok(source.includes(`${points(low)}% to ${points(high)}%`), source);
    assert.equal(moves.strength, 'rating');
    assert.equal(Math.sign(moves.expected - 0.5), Math.sign(difference.estimate), 'the stronger moves score more');
    assert.equal(games, 12, 'the odds of a match without a request');
    assert.match(await page.innerText('#match'), /^12-game match: Fischer 9\d%, drawn \d+%, Spassky \d%$/);
    assert.equal(await page.locator('#games').inputValue(), '12');
    assert.match(source, /Elo predicted 7,348 games better than any predictor from the moves\./);
});

test('the strengths in both years and their difference follow', async (t) => {
    const query = await fischer();
    const { white, black, rating_difference: difference } = await site.json(`/api/v1/predictions?${query}&method=elo`);
    const half = 1.96 * difference.standard_error;
    assert.ok(white.rating.turns > 300 && black.rating.turns > 300);
    assert.ok(Math.abs(difference.estimate - (white.strength.estimate - black.strength.estimate)) < 0.01);
    for (const side of [white, black]) { // the path of the careers page
        const { sets: [{ path }] } = await site.json(`/api/v1/careers?set=${side.player.id}`);
        assert.deepEqual(path.find(({ year }) => year === side.year), side.strength);
    }
    assert.ok(Math.abs(difference.interval.high - difference.interval.low - 2 * half) < 0.1);
    assert.equal(difference.distinct, Math.abs(difference.estimate) > half);
    const { page } = await openAddress(t, `${site.base}/compare?${query}`, { javaScriptEnabled: false });
    const text = await page.locator('section:has(#ratings-title)').textContent();
    for (const { rating, strength } of [white, black])
        for (const { estimate } of [rating, strength]) assert.ok(text.includes(estimate.toFixed(0)), text);
});

test('densities and careers are drawn without JavaScript, from the figures of the API; both can be swapped', async (t) => {
    const query = await fischer(), { white, black, verdict } = await site.json(`/api/v1/predictions?${query}&method=elo`);
    const { page, complaints } = await openAddress(t, `${site.base}/compare?${query}`, { javaScriptEnabled: false });
    const said = await page.innerText('.verdict');
    assert.match(said.trim(), new RegExp(`^${verdict.text.replaceAll('.', '\\.')} ${verdict.certainty}, by (results|moves)$`));
    assert.ok(verdict.text.split(' ').length <= 15, verdict.text);
    const x = async (line) => parseFloat(await line.getAttribute('x1')), bells = page.locator('.bell > line');
    assert.equal(await bells.count(), 2);
    const ticks = await page.locator('#figure-strengths > svg > text').evaluateAll((all) => all.map((e) => [Number(e.textContent), parseFloat(e.getAttribute('x'))]));
    const [[low, from], [high, to]] = [ticks[0], ticks.at(-1)];
    for (const [i, { strength }] of [white, black].entries())
        assert.ok(Math.abs(low + (high - low) * (await x(bells.nth(i)) - from) / (to - from) - strength.estimate) < 0.2, 'at its place on the axis');
    for (const [i, side] of [white, black].entries()) { // a point for each year of the path
        const { sets: [{ path }] } = await site.json(`/api/v1/careers?set=${side.player.id}`);
        assert.equal((await page.locator('.career path').nth(i).getAttribute('d')).split('L').length, path.length);
    }
    assert.equal(await page.locator('.career circle').count(), 2);
    const { games } = await site.json(`/api/v1/games?player=${white.player.id}&opponent=${black.player.id}&limit=500`);
    const won = (id) => games.filter((g) => g.result === (g.white.id === id ? '1-0' : '0-1')).length;
    assert.match(await page.innerText('#met'), new RegExp(`${games.length} games: Fischer won ${won(white.player.id)}, Spassky ${won(black.player.id)}, ${games.filter((g) => g.result === '1/2-1/2').length} drawn`));
    const words = await page.evaluate(() => document.querySelector('main').innerText.match(/\S*[\p{L}\d]\S*/gu).length);
    assert.ok(words <= 150, `${words} words before Details`);
    const points = [await page.innerText('#first'), await page.innerText('#second')];
    await Promise.all([page.waitForURL(new RegExp(`white=${black.player.id}:`)), page.getByRole('link', { name: 'Swap' }).click()]);
    assert.deepEqual([await page.innerText('#second'), await page.innerText('#first')], points);
    assert.deepEqual(complaints, []);
});

test('the career heads the page of a player and stands in the list', async (t) => {
    const fischer = (await site.json('/api/v1/players?q=fischer')).players[0];
    const { peak } = await site.json(`/api/v1/players/${fischer.id}`);
    const { within, ...listed } = peak; // lists do not say where the peak may lie
    assert.deepEqual(fischer.peak, listed);
    assert.ok(within.from <= peak.from && peak.to <= within.to);
    for (const address of ['/players?q=fischer', `/players/${fischer.id}`]) {
        const { page } = await openAddress(t, site.base + address, { javaScriptEnabled: false });
        const text = await page.innerText('main');
        assert.ok(text.includes(peak.estimate.toFixed(0)), address);
        assert.ok(text.includes(peak.turns.toLocaleString('en')), address);
    }
});

test('results against rated opponents stand beside the rating', async (t) => {
    const id12 = await id('fischer');
    const { rating, moves_and_results: both, elo } = await site.json(`/api/v1/players/${id12}/ratings?year=1972`);
    assert.equal(both.rated_games, elo.opponents.games);
    assert.equal(both.score, elo.score);
    assert.equal(both.turns, rating.turns);
    assert.ok(both.standard_error < rating.standard_error);
    const event = await site.json('/api/v1/events?q=world championship 28th');
    const { players } = await site.json(`/api/v1/events/${event.events[0].id}`);
    const row = players.find(({ player }) => player.id === id12);
    assert.deepEqual(row.moves_and_results.interval, both.interval, 'the year is the match');
    const { page } = await openAddress(t, `${site.base}/players/${id12}/1972`, { javaScriptEnabled: false });
    assert.match(await page.textContent('#other-methods'), // folded
        new RegExp(`Moves and results: ${both.estimate.toFixed(0)}, 95% interval .* ${both.rated_games} games`));
});

test('the page of a player whose games are not analysed says what to do', async (t) => {
    const nobody = await id('schlechter');
    const { page } = await openAddress(t, `${site.base}/players/${nobody}`, { javaScriptEnabled: false });
    assert.match(await page.innerText('.verdict'), /^No rating of Schlechter/);
    assert.match(await page.innerText('form.offer'), /In \d+ games? \d+ of the player's moves (is|are) not analysed/);
    assert.equal(await page.locator('form.offer button').innerText(), 'Analyse with rating');
});

test('every predictor is in one table, with the figures of the API, without JavaScript', async (t) => {
    const query = await fischer();
    const { predictions, chances, by_moves: moves } = await site.json(`/api/v1/predictions?${query}&method=all`);
    assert.deepEqual(Object.keys(predictions), methods);
    const shown = { chances, moves, ...predictions };
    for (const width of [1200, 400]) {
        const { page } = await openAddress(t, `${site.base}/compare?${query}`,
            { width, javaScriptEnabled: false });
        const rows = await page.locator('table.predictors tbody tr').allTextContents();
        assert.equal(rows.length, methods.length + 2);
        Object.entries(shown).forEach(([method, p], i) => {
            const figures = [p.expected, p.as_white.expected, p.as_black.expected,
                ...p.interval ? [p.interval.low, p.interval.high] : []];
            for (const figure of figures)
                assert.ok(rows[i].includes(per(figure)), `${method}: ${per(figure)} in ${rows[i]}`);
            if (method === 'markov') { // its end states are in its section alone
                assert.equal(p.as_white.win, null);
                assert.ok(!rows[i].includes(' / '), rows[i]);
            }
            if (p.as_white.win !== null)
                assert.ok(rows[i].includes((100 * p.as_white.win).toFixed(1)));
        });
        assert.match(rows[2 + methods.indexOf('elo')], /none/, 'Elo has no interval');
        const { end_states: ends } = predictions.markov;
        const section = await page.textContent('#markov'); // folded
        assert.match(section, /Won \/ between \/ lost: with White /);
        for (const { won, between, lost } of Object.values(ends)) {
            assert.ok(Math.abs(won + between + lost - 1) < 1e-6);
            for (const share of [won, between, lost]) assert.ok(section.includes(per(share)), section);
        }
        assert.match(await page.textContent('main'), /No interval: an Elo figure/);
    }
});

test('the score of a match has an interval of its own', async (t) => {
    const query = `${await fischer()}&games=20`;
    const { games, predictions, chances, by_moves: moves } = await site.json(`/api/v1/predictions?${query}`);
    assert.equal(games, 20);
    const { page } = await openAddress(t, `${site.base}/compare?${query}`, { javaScriptEnabled: false });
    const rows = await page.locator('table.predictors tbody tr').allTextContents();
    Object.values({ chances, moves, ...predictions }).forEach(({ match, interval }, i) => {
        assert.ok(rows[i].includes(`match ${per(match.interval.low)} to ${per(match.interval.high)}`), rows[i]);
        assert.ok(!interval || match.interval.high - match.interval.low > interval.high - interval.low, rows[i]);
    });
    assert.match(await page.innerText('#match'), /^20-game match: Fischer 9\d%, /);
    assert.equal(await page.locator('#games').inputValue(), '20');
});

test('the intervals are drawn', async (t) => {
    if (!(await fetch(`${site.base}/static/vendor/plot.umd.min.js`)).ok)
        return t.skip('the library of the plots is not installed');
    for (const width of [1200, 400]) {
        const { page, complaints } = await openAddress(t, `${site.base}/compare?${await fischer()}`, { width });
        await page.locator('#details > summary').click();
        const plot = page.locator('figure[data-plot*="/compare."] svg').first();
        await plot.waitFor();
        const text = await plot.textContent();
        for (const name of ['Chances from Elo', ...predictors.map(({ label }) => label), 'Fischer'])
            assert.ok(text.includes(name), name);
        assert.match(await plot.getAttribute('aria-description'), /Elo: 6\d\.\d%, no interval/);
        assert.equal(await plot.locator('rect').count(), methods.length + 1, 'the chances too, and all but Elo, have intervals');
        assert.deepEqual(complaints, []);
    }
});

const ranks = (values) => values.map((v) => values.filter((w) => w < v).length + values.filter((w) => w === v).length / 2);

const correlation = (x, y) => {
    const mean = (v) => v.reduce((a, b) => a + b) / v.length;
    const [mx, my] = [mean(x), mean(y)];
    const sum = (f) => x.reduce((total, _, i) => total + f(x[i] - mx, y[i] - my), 0);
    return sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((a, b) => b * b));
};

// Computed from the very games of the matches, so no feat; but a sign turned round anywhere, a
// player's moves taken for the other's or a colour for the other would not pass.
test('predictors go with the results of the matches', async () => {
    const scored = [];
    for (const match of matches) {
        const [year, white] = match;
        const { elo } = await site.json(`/api/v1/players/${await id(white)}/ratings?year=${year}`);
        const { predictions } = await site.json(`/api/v1/predictions?${await pair(match)}&method=all`);
        scored.push({ score: (elo.score - (elo.unplayed.score ?? 0)) / (elo.score_games - elo.unplayed.score_games), predictions });
    }
    assert.ok(scored.length >= 12);
    const scores = scored.map((m) => m.score);
    const far = (expected) => scores.reduce((sum, s, i) => sum + Math.abs(s - expected(i)), 0) / scores.length;
    for (const [method, least] of [['markov', 0.1], ['covariance', 0.4], ['conformance', 0.5], ['ipr', 0.4]]) {
        const expected = scored.map((m) => m.predictions[method].expected);
        assert.ok(expected.every(Number.isFinite), method);
        const rho = correlation(ranks(scores), ranks(expected));
        assert.ok(rho > least, `${method}: rank correlation ${rho.toFixed(2)}`);
        const held = scored.filter((m, i) => m.predictions[method].interval.low <= scores[i] &&
            scores[i] <= m.predictions[method].interval.high).length;
        assert.ok(held >= 0.6 * scores.length, `${method}: ${held} of ${scores.length} scores are in the interval`);
    }
    const by = (method) => far((i) => scored[i].predictions[method].expected);
    for (const method of ['conformance', 'covariance'])
        assert.ok(by(method) < far(() => 0.5), `${method} is nearer than an even score: ${by(method).toFixed(3)}`);
});

test('years known by figures alone are predicted by the engine setting that has them', async () => {
    const champions = path.join(root, 'static/champions');
    run(['import', '--quiet', ...readdirSync(champions).filter((f) => f.endsWith('.zst'))
        .map((f) => path.join(champions, f))], url);
    const years = `white=${await id('fischer')}:1970&black=${await id('kasparov')}:1984`;
    const { judge, predictions } = await site.json(`/api/v1/predictions?${years}`);
    assert.equal(judge.name, 'rating');
    for (const method of ['markov', 'covariance', 'conformance']) {
        const { expected, interval } = predictions[method];
        assert.ok(interval.low < expected && expected < interval.high, method);
    }
    assert.equal((await site.json(`/api/v1/predictions?${years}&judge=rating`)).predictions.markov.expected,
        predictions.markov.expected);
    // Named, a setting is not replaced.
    assert.match((await site.json(`/api/v1/predictions?${years}&judge=standard`)).predictions.markov.reason, /there are 0 and/);
});

test('both settings have the match: what needs two lines is from the one with more earlier years, but Markov as published', async (t) => {
    const query = await fischer();
    const by = async (judge) => site.json(`/api/v1/predictions?${query}&judge=${judge}&replicates=0`);
    const [standard, rating] = [await by('standard'), await by('rating')];
    const { judge, ipr_judge, white, predictions } = await site.json(`/api/v1/predictions?${query}&replicates=0`);
    assert.deepEqual([judge.name, ipr_judge.name], ['rating', 'standard']);
    assert.ok(predictions.conformance.turns.white > 10 * standard.predictions.conformance.turns.white);
    assert.equal(predictions.markov.expected, standard.predictions.markov.expected);
    for (const method of ['covariance', 'conformance', 'rating', 'elo'])
        assert.equal(predictions[method].expected, rating.predictions[method].expected, method);
    assert.equal(predictions.ipr.expected, standard.predictions.ipr.expected);
    assert.equal(white.ipr.estimate, standard.white.ipr.estimate);
    assert.equal(rating.predictions.ipr.expected, null);
    const { page } = await openAddress(t, `${site.base}/compare?${query}`);
    assert.match(await page.textContent('main'), /The IPR needs more lines: .*20 lines/);
});

test('player-years are typed, with and without JavaScript', async (t) => {
    const [white, black] = [`${await id('fischer')}:1972`, `${await id('spassky')}:1972`];
    for (const javaScriptEnabled of [true, false]) {
        const { page, complaints } = await openAddress(t, `${site.base}/compare?judge=standard`, { javaScriptEnabled });
        await page.getByLabel('First').fill('robert fisher 1972'); // a letter is wrong
        await page.getByLabel('Second').fill('1972 Spassky, Boris V');
        await page.getByLabel('Games of a match').fill('20');
        await page.getByLabel('Second').press('Enter');
        await page.waitForURL(/white=\d+:1972/);
        const { searchParams } = new URL(page.url());
        assert.deepEqual(Object.fromEntries(searchParams), { white, black, judge: 'standard', games: '20' });
        assert.match(await page.innerText('h1'), /^Bobby Fischer 1972 and Boris Spassky 1972$/);
        assert.equal(await page.getByLabel('First').inputValue(), 'Bobby Fischer 1972');
        await page.getByRole('button', { name: 'Compare' }).click(); // what is shown there can be sent again
        await page.waitForURL(/white=\d+:1972/);
        assert.equal(new URL(page.url()).searchParams.get('black'), black);
        assert.deepEqual(complaints, []);
    }
});

test('names are suggested, and the year that was typed stays', async (t) => {
    const { page, complaints } = await openAddress(t, `${site.base}/compare`);
    await page.getByLabel('First').pressSequentially('fisch 1972');
    await page.getByRole('option', { name: /^Fischer, Robert J/ }).first().click();
    assert.equal(await page.getByLabel('First').inputValue(), 'Fischer, Robert J 1972');
    assert.deepEqual(complaints, []);
});

test('of several that fit one is chosen, the other side is kept', async (t) => {
    const { page } = await openAddress(t, `${site.base}/compare?white=fischer&black=spassky+1972&games=24`, { javaScriptEnabled: false });
    const { years } = await site.json(`/api/v1/players/${await id('fischer')}`);
    const offered = await page.getByRole('list', { name: /^First: several fit/ }).getByRole('link').allInnerTexts();
    assert.deepEqual(offered, years.filter(({ games }) => games > 0).map(({ year }) => `Bobby Fischer ${year}`));
    assert.equal(await page.getByLabel('Second').inputValue(), 'spassky 1972');
    await page.getByRole('link', { name: 'Bobby Fischer 1972' }).click();
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams),
        { white: `${await id('fischer')}:1972`, black: `${await id('spassky')}:1972`, games: '24' });
});

test('a refused field is marked, says why, and keeps the form', async (t) => {
    const cases = [['white=nobody+1972&black=spassky+1972', 'First', 'nobody 1972', /no player of such a name has games in 1972/],
        ['white=fischer+1972&black=zzzz', 'Second', 'zzzz', /no player has such a name/],
        ['white=1972&black=spassky+1972', 'First', '1972', /a name is needed, with or without a year/],
        [`${await fischer()}&games=9999`, 'Games of a match', '9999', /a whole number from 1 to 200, got "9999"/],
        [`white=${'x'.repeat(201)}&black=spassky+1972`, 'First', 'x'.repeat(201), /PLAYER:YEAR/]];
    for (const [query, label, value, says] of cases) {
        const { page, status } = await openAddress(t, `${site.base}/compare?${query}`, { javaScriptEnabled: false });
        assert.equal(status, 400, query);
        const field = page.getByLabel(label);
        assert.equal(await field.inputValue(), value);
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        const why = await page.locator(`#${await field.getAttribute('aria-describedby')}`).innerText();
        assert.match(why, says);
        assert.ok(why.startsWith(`${label}:`), why);
        assert.equal(await page.locator('[aria-invalid]').count(), 1);
        for (const other of ['First', 'Second']) assert.notEqual(await page.getByLabel(other).inputValue(), '');
    }
    for (const white of ['fischer 1972', '<script>']) // the API takes ids
        assert.equal((await site.get(`/api/v1/predictions?white=${encodeURIComponent(white)}&black=1:1972`)).status, 400);
});

test('what ships has each player and each game once', () => {
    const several = (query) => sql(url, `SELECT count(*) FROM (${query} HAVING count(*) > 1) AS s`);
    assert.equal(several('SELECT name FROM player GROUP BY name'), '0');
    assert.equal(several('SELECT moves_key FROM game WHERE plies >= 16 GROUP BY moves_key, plies, white_id, black_id'), '0');
});

test('the royale by the IPR takes the setting that has the lines', async () => {
    const { judge, ranking } = await until('a royale by the IPR', async () => {
        const answer = await site.json('/api/v1/reports/royale?method=ipr');
        return answer.report.state === 'kept' && answer;
    });
    assert.equal(judge.name, 'standard');
    assert.ok(ranking.length > 20, `${ranking.length}`);
});

test('Elo of another era is not taken for granted', async (t) => {
    const about = async (query) => {
        const { page } = await openAddress(t, `${site.base}/compare?${query}`);
        return page.textContent('main');
    };
    const eras = /whether it means the same in every era/;
    assert.match(await about(`white=${await id('fischer')}:1972&black=${await id('kasparov')}:1984`), eras);
    assert.doesNotMatch(await about(await fischer()), eras);
});

test('without Elo the page says what an even score was tested on', async (t) => {
    const { page } = await openAddress(t, `${site.base}/compare?white=${await id('steinitz')}:1894&black=${await id('fischer')}:1970`);
    assert.match(await page.textContent('main'), /without an Elo none was shown to be better than even chances\. The games tested are of champions, who played each other and were nearly even/);
});

const of1972 = async () => (await site.json('/api/v1/events?q=world championship 28th')).events[0].id;

test('the head of a match says who was better by its moves, and whether test and rating agree', async (t) => {
    const match = await of1972();
    const { by_moves: moves, reconciled, incomplete, screening, players } = await site.json(`/api/v1/events/${match}`);
    assert.equal(incomplete, null);
    assert.equal(screening.answer, 'Neither player stands out from play at their Elo.');
    assert.equal(screening.finds, null, 'no figures of a field of two');
    const apart = players.filter(({ player, rating }) => {
        const { z, elo } = screening.rows.find((row) => row.player.id === player.id);
        return Math.abs(z) >= 0.05 && rating.estimate !== null && (z > 0) !== (rating.estimate > elo);
    });
    assert.equal(reconciled !== null, apart.length > 0);
    for (const { player } of apart) assert.ok(reconciled.includes(player.name.replace(/,.*/, '')), reconciled);
    const { crosstable: { rows: [first] } } = await site.json(`/api/v1/events/${match}`);
    const leader = `Fischer scored most, ${first.score} of ${first.rounds.flatMap(({ games }) => games).length}.`;
    const { page } = await openAddress(t, `${site.base}/events/${match}`, { javaScriptEnabled: false });
    assert.equal(await page.innerText('.answer'), `${leader} ${moves} ${screening.answer}`);
    for (const { player, rating } of players)
        assert.ok(moves.includes(`${player.name.replace(/,.*/, '')} ${rating.estimate.toFixed(0)} (`), moves);
    const section = await page.innerText('#screening');
    if (reconciled) assert.ok(section.includes(reconciled));
    assert.doesNotMatch(section, /Expected/, 'of two players that says nothing');
});

test('a rating beyond the calibrated range is drawn open and dashed, from end to end', async (t) => {
    if (!(await fetch(`${site.base}/static/vendor/plot.umd.min.js`)).ok) return t.skip('the library of the plots is not installed');
    const match = await of1972();
    const { page } = await openAddress(t, `${site.base}/`);
    await page.route(`**/api/v1/events/${match}*`, async (route) => {
        const json = await (await route.fetch()).json();
        Object.assign(json.players[0].rating, { estimate: 2951.3, extrapolated: true, interval: { low: 2701.6, high: 3201.2, level: 0.95 } });
        await route.fulfill({ json });
    });
    await page.goto(`${site.base}/events/${match}#other-methods`);
    const svg = page.locator('figure[data-plot*="/event."] svg[aria-label^="Ratings"]');
    await svg.waitFor();
    const open = svg.locator('g[fill="var(--paper)"] circle[stroke="var(--accent)"]'); // that of the rating
    assert.equal(await open.count(), 1);
    await open.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await open.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    assert.match(await page.innerText('figure[data-plot*="/event."] .tip'), /: rating 2951, 2702 to 3201, extrapolated$/);
    const dashed = svg.locator('[stroke-dasharray] line[stroke="var(--accent)"]');
    assert.equal(await dashed.count(), 1, 'dashed');
    const [x1, x2] = [await dashed.getAttribute('x1'), await dashed.getAttribute('x2')].map(Number);
    const at = Number(await open.getAttribute('cx'));
    assert.ok(x1 < at && at < x2, `${x1} ${at} ${x2}`);
});
