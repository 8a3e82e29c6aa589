// Evaluations in PGN files, in the service: an engine setting of their own, with the figures of `intrinsic rate`, never
// in a sum with analysed moves, and gone with the upload that brought them.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { environment, freshDatabase, intrinsic, root, run, serve, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';

const samples = path.join(root, 'static/samples/rating.ndjson.zst');
const lines = spawnSync('zstd', ['-dcq', samples], { maxBuffer: 1 << 28 }).stdout.toString().split('\n');
const fischer = lines.filter((line) => line.includes('"1972.') && line.includes('Fischer'));
const stripped = (...options) => strip(fischer, ...options);
const strip = (games, ...options) => spawnSync('node', ['tests/support/strip_evals.mjs', ...options],
    { cwd: root, input: games.join('\n'), encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;

function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-file-evals-'));
    t.after(() => rmSync(dir, { recursive: true }));
    return (name, text) => {
        writeFileSync(path.join(dir, name), text);
        return path.join(dir, name);
    };
}

function rated(file) {
    const { stdout, stderr, status } = spawnSync(intrinsic, ['rate', '--format=json', '--by=year', file],
        { cwd: root, encoding: 'utf8', env: environment('', { STOCKFISH_PATH: '/nonexistent' }), maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).rows;
}

const idOf = async (site, name) => {
    const { players } = await site.json('/api/v1/players?limit=100');
    return players.find((p) => p.name.startsWith(name)).id;
};

test('an import of them has the figures of `intrinsic rate`, and no others', async (t) => {
    const url = freshDatabase(t), pgn = folder(t)('evals.pgn', stripped('--gaps=40'));
    assert.match(run(['import', pgn], url), /20 new, .* 20 analysed/);
    const site = await serve(t, url);
    const rows = rated(pgn);
    assert.deepEqual(rows.map(({ judge }) => judge), ['pgn-evals', 'pgn-evals']);
    for (const { player, year, rating, conformance } of rows) {
        const id = await idOf(site, player.name.slice(0, 7));
        const answer = await site.json(`/api/v1/players/${id}/ratings?year=${year}&judge=pgn-evals`);
        const { judge, ...served } = answer.rating;
        assert.ok(judge > 0);
        assert.deepEqual(served, rating, player.name);
        assert.equal(answer.judge.name, 'pgn-evals');
        for (const form of ['at_0', 'at_30'])
            assert.ok(Math.abs(answer.conformance[form].share - conformance[form]) < 1e-9);
        assert.match(answer.moves_and_results.reason, /not tested/);
        assert.equal(answer.ipr.estimate, null, 'there are no other moves');
        // Without a word of the setting the year is found by what there is, named.
        const found = await site.json(`/api/v1/players/${id}/ratings?year=${year}`);
        assert.deepEqual(found.rating, answer.rating);
        // Nothing of them is in the figures of analysed moves.
        assert.equal((await site.json(`/api/v1/players/${id}/ratings?year=${year}&judge=rating`)).rating.estimate, null);
        for (const [query, by, estimate] of [['', 'pgn-evals', rating.estimate], ['?judge=pgn-evals', 'pgn-evals', rating.estimate], ['?judge=rating', 'rating', null]]) {
            const { years, counted_by } = await site.json(`/api/v1/players/${id}${query}`);
            assert.equal(counted_by, by);
            assert.deepEqual(years.map((y) => [y.year, y.rating.estimate]), [[year, estimate]]);
        }
        // Of all games, too, the page has the rating there is, named; not where another setting is asked for.
        for (const query of ['', '?judge=pgn-evals']) {
            const all = await site.json(`/api/v1/players/${id}${query}`);
            assert.equal(all.rating.estimate, rating.estimate);
            assert.match(all.finding, /^\w+ (played at|was at the peak .*:) \d{4} by the evaluations in the files\b/);
        }
        const analysed = await site.json(`/api/v1/players/${id}?judge=rating`);
        assert.equal(analysed.rating.estimate, null);
        assert.match(analysed.finding, /^No rating of /);
    }
    // The event has the same ratings, and nothing of them is tested against the Elo.
    const { id: event } = (await site.json('/api/v1/events')).events[0];
    const report = await site.json(`/api/v1/events/${event}`);
    for (const { player, rating } of rows)
        assert.equal(report.players.find((p) => p.player.name === player.name).rating.estimate, rating.estimate);
    assert.equal(report.screening.tested, 0);
    const a = await idOf(site, 'Fischer');
    assert.match(await (await site.get(`/players/${a}/1972`)).text(), /pgn-evals/);
    assert.match(await (await site.get(`/events/${event}`)).text(), /by the evaluations in the file/);
    // Nothing leads to lists of moves, which are of analysed ones.
    for (const address of [`/players/${a}`, `/players/${a}/1972`])
        assert.doesNotMatch(await (await site.get(address)).text(), /href="\/moves/, address);
    const game = (await site.json('/api/v1/games?limit=1')).games[0];
    assert.equal((await site.get(`/games/${game.id}`)).status, 200);
    assert.equal((await site.get(`/games/${game.id}?judge=pgn-evals`)).status, 200);

    // What is exported can be read: sides with gaps are left out of figures, moves and comments are not.
    const other = freshDatabase(t), file = folder(t);
    for (const args of [[], ['--figures']])
        assert.match(run(['import', '--dry-run', file('x.ndjson', run(['export', '--judge=pgn-evals', ...args], url))]), /games 20, accepted 20/);
    const again = file('again.pgn', run(['export', '--format=pgn'], url));
    run(['import', again], other);
    assert.deepEqual(rated(again), rows, 'nor are they in PGN');
    assert.equal(run(['export', '--format=pgn'], other), run(['export', '--format=pgn'], url));
});

test('the Markov predictor works by them', async (t) => {
    const url = freshDatabase(t), match = lines.filter((line) => line.includes('"1984.') || line.includes('"1985.'));
    run(['import', folder(t)('match.pgn', strip(match))], url);
    const site = await serve(t, url);
    const [white, black] = [await idOf(site, 'Karpov'), await idOf(site, 'Kasparov')];
    const { predictions: { markov } } = await site.json(`/api/v1/predictions?white=${white}:1984&black=${black}:1984&method=markov&judge=pgn-evals`);
    assert.ok(markov.expected > 0.3 && markov.expected < 0.8, JSON.stringify(markov));
});

test('an upload shows a rating by them at once, and takes them away again', async (t) => {
    const url = freshDatabase(t), site = await serve(t, url);
    const sent = await site.get('/api/v1/uploads?analyse=false', { method: 'POST', body: stripped() });
    const { id } = await sent.json();
    const { choice, ratings } = await site.json(`/api/v1/uploads/${id}`);
    assert.ok(ratings.every(({ by_file, rating }) => by_file && rating.interval !== null));
    const named = choice ?? (await site.json(`/api/v1/uploads/${id}?player=${ratings[0].player.id}`)).choice;
    assert.equal(named.by_file, true);
    assert.equal(named.rating.calibration, 'pgn-evals');
    assert.match(await (await site.get(`/uploads/${id}?player=${ratings[0].player.id}`)).text(), /by the evaluations in the file/);

    // The same games analysed: both are there, and each sum has one of them only.
    const player = ratings[0].player.id, by = (judge) => site.json(`/api/v1/players/${player}/ratings?year=1972&judge=${judge}`);
    const before = (await by('pgn-evals')).rating;
    await site.get('/api/v1/evaluations', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: fischer.join('\n') });
    const analysed = (await by('rating')).rating;
    assert.equal(typeof analysed.estimate, 'number');
    assert.deepEqual((await by('pgn-evals')).rating, before);
    assert.equal((await site.json(`/api/v1/uploads/${id}`)).ratings[0].by_file, false, 'as many games are analysed');
    const deleted = await (await site.get(`/api/v1/uploads/${id}`, { method: 'DELETE' })).json();
    assert.deepEqual([deleted.evaluations, deleted.kept], [40, 20]);
    assert.equal((await by('pgn-evals')).rating.estimate, null);
    assert.deepEqual((await by('rating')).rating.estimate, analysed.estimate);
    const { years } = await site.json(`/api/v1/players/${player}`);
    assert.equal(years.find(({ year }) => year === 1972).rating.estimate, analysed.estimate, 'its sum is what it was');
});

test('only who may bring evaluations does', async (t) => {
    const url = freshDatabase(t), site = await serve(t, url);
    const uploader = run(['token', 'create', '--scopes=upload,read', 'club'], url).trim();
    const sent = await site.get('/api/v1/uploads?analyse=false', { method: 'POST', body: stripped(), headers: { authorization: `Bearer ${uploader}` } });
    const { id } = await sent.json();
    const { ratings } = await site.json(`/api/v1/uploads/${id}`, { headers: { authorization: `Bearer ${uploader}` } });
    assert.ok(ratings.every(({ rating, by_file }) => rating.estimate === null && by_file === false));
});

test('evaluations that no rating is calibrated for do not hide those of the file', async (t) => {
    const url = freshDatabase(t), file = folder(t);
    const other = JSON.parse(fischer[0]);
    other.judge.hash_mb = 32;
    run(['import', '--quiet', file('other.ndjson', `${JSON.stringify(other)}\n`)], url);
    run(['import', '--quiet', file('evals.pgn', stripped())], url);
    const site = await serve(t, url);
    const id = await idOf(site, 'Fischer'), player = await site.json(`/api/v1/players/${id}`);
    assert.equal((await site.json(`/api/v1/players/${id}?judge=rating`)).rating.estimate, null);
    assert.equal(player.counted_by, 'pgn-evals');
    assert.equal(player.rating.calibration, 'pgn-evals');
    assert.ok(player.rating.turns > 500 && player.turns >= player.rating.turns);
});

test('rapid games of a server are rated on the scale of its players', async (t) => {
    // Moves of a master, with evaluations of somebody who loses half a pawn with every other move.
    const moves = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4'.split(' ');
    const game = (n, site, control, loss) => `[Event "Rated rapid game"]\n[Site "${site}"]\n[Date "2024.02.0${1 + n % 9}"]\n[Round "${n}"]\n[White "${loss} ${site.length}"]\n`
        + `[Black "other ${site.length}"]\n[WhiteElo "1200"]\n[BlackElo "1210"]\n[Result "1-0"]\n[TimeControl "${control}"]\n\n`
        + moves.slice(0, 24 + n % 6).map((m, ply) => `${m} { [%eval ${((ply + n) % 4 < 2 ? 0 : -loss / 100).toFixed(2)}] }`).join(' ') + ' 1-0\n\n';
    const folder = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const all = [20, 150].flatMap((loss) => [0, 1, 2, 3, 4, 5].flatMap((n) => [game(n, 'https://lichess.org/abcdefgh', '600+0', loss), game(n, 'Riga', '5400+30', loss)]));
    writeFileSync(path.join(folder, 'all.pgn'), all.join(''));
    const url = freshDatabase(t);
    run(['import', '--quiet', path.join(folder, 'all.pgn')], url);
    const site = await serve(t, url);
    const rated = async (name, times) => {
        const { players: [{ id }] } = await site.json(`/api/v1/players?q=${encodeURIComponent(name)}&time_class=all`);
        return (await site.json(`/api/v1/players/${id}/ratings?judge=pgn-evals&time_class=${times}`)).rating;
    };
    const online = 'https://lichess.org/abcdefgh'.length, otb = 'Riga'.length;
    const [careful, careless] = [await rated(`20 ${online}`, 'online-rapid'), await rated(`150 ${online}`, 'online-rapid')];
    for (const rating of [careful, careless]) {
        assert.equal(rating.pool, 'online-rapid');
        assert.equal(rating.games, 6);
        assert.deepEqual(rating.interval, rating.raw.interval, 'the one without the prior');
        assert.ok(rating.prior.mean < 1700, 'players of a server, not masters');
    }
    assert.ok(careless.estimate < careful.estimate - 150, `${careless.estimate} ${careful.estimate}`);
    const { players: [{ id }] } = await site.json(`/api/v1/players?q=${encodeURIComponent(`20 ${online}`)}&time_class=all`);
    assert.match((await site.json(`/api/v1/players/${id}`)).finding, / \d{4} by the evaluations in the files .*on the scale of lichess rapid\.$/);
    const board = await rated(`20 ${otb}`, 'classical');
    assert.equal(board.pool, 'otb');
    assert.ok(board.prior.mean > 2000);
});

test('a game with evaluations in its file alone is confirmed and marked as any other', async (t) => {
    const url = freshDatabase(t), file = folder(t)('game.pgn', strip(fischer.filter((line) => line.includes('"Date":"1972.07.11"'))));
    const waiting = () => Number(sql(url, `SELECT count(*) FROM job WHERE kind = 'confirm'`));
    const settings = { INTRINSIC_CONFIRM_NODES: '50000' };
    run(['import', '--quiet', file], url, settings);
    assert.equal(waiting(), 0, 'not by itself, as any game that is analysed already');
    const site = await serve(t, url, settings), unsearched = await serve(t, url, { INTRINSIC_CONFIRM_NODES: '0' });
    const id = (await site.json('/api/v1/games')).games[0].id, look = (at = site) => at.json(`/api/v1/games/${id}`);
    const page = async (at = site) => (await at.get(`/games/${id}`)).text();
    const sums = () => sql(url, 'SELECT game_id, colour, strength_score, strength_information, strength_moves FROM judged_side ORDER BY 2');
    const before = await look(), rated = sums();
    assert.ok(before.unconfirmed > 10, String(before.unconfirmed));
    assert.equal(before.turns.length, 0);
    assert.ok(before.white_expected.filter((x) => x !== null).length > 50);
    assert.ok(before.sides.white.moves > 20 && before.sides.black.moves > 20);

    // Marks are promised once they are to come, which takes a job, an engine and a number of nodes.
    const promised = /Marks follow once \d+ moves have been searched deeper/, shown = /id="figure-score"/;
    const told = async (at, follow) => {
        assert.equal((await look(at)).marks_follow, follow);
        const html = await page(at);
        assert.match(html, shown);
        assert.equal(promised.test(html), follow);
        assert.equal(/by the evaluations stored\. Marks need a deeper search/.test(html), !follow);
    };
    await told(site, false);
    assert.match(run(['analyse', '--confirm'], url, settings), /queued for confirmation: 1 games/);
    await told(site, false);
    const slow = worker(t, url, { settings: { INTRINSIC_CONFIRM_NODES: '100000000' } });
    await until('somebody is there', () => sql(url, 'SELECT count(*) FROM worker') === '1');
    await told(site, true);
    await told(unsearched, false);
    sql(url, `UPDATE job SET state = 'paused', lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL`);
    await until('the pause is seen', async () => !(await look()).marks_follow);
    await told(site, false);
    assert.equal(await slow.end('SIGTERM'), 0);
    sql(url, `UPDATE job SET state = 'ready'`);
    const own = worker(t, url, { settings });
    await until('all is confirmed', () => waiting() === 0);
    assert.equal(await own.end('SIGTERM'), 0);

    const game = await look(), html = await page();
    assert.equal(game.unconfirmed, 0);
    assert.equal(sums(), rated);
    assert.ok(game.turns.length > 10 && game.turns.every(({ confirmed }) => confirmed));
    const least = { null: 0, inaccuracy: 0.05, mistake: 0.15, blunder: 0.3 }, glyph = { inaccuracy: '?!', mistake: '?', blunder: '??' };
    for (const { ply, mark, points_lost } of game.turns) {
        assert.ok(points_lost >= least[mark], `${ply}: ${mark}, ${points_lost}`);
        if (mark)
            assert.match(html, new RegExp(`<a id="${ply + 1}"[^>]* class="${mark}">${game.moves[ply].san.replace('+', '\\+')}${glyph[mark].replace(/\?/g, '\\?')}</a>`));
    }
    const marks = (...names) => game.turns.filter(({ mark }) => names.includes(mark)).length;
    assert.ok(marks('mistake', 'blunder') > 0);
    assert.equal([...html.matchAll(/<circle class="dot /g)].length, marks('mistake', 'blunder'));
    for (const [member, mark] of [['inaccuracies', 'inaccuracy'], ['mistakes', 'mistake'], ['blunders', 'blunder']])
        assert.equal(game.sides.white[member] + game.sides.black[member], marks(mark));
    assert.doesNotMatch(html, /Beside a move/);
    assert.equal(waiting(), 0);

    run(['import', '--quiet', '--again', '--confirm', file], url, settings);
    assert.equal(waiting(), 1, 'on request at the import, too');
});

test('moves are chosen by the evaluations that count for the rating', async (t) => {
    const line = JSON.parse(fischer.find((text) => text.includes('"Date":"1972.07.11"'))), write = folder(t);
    delete line.confirmed;
    const evals = write('evals.pgn', strip([JSON.stringify(line)])), analysed = write('analysed.ndjson', `${JSON.stringify(line)}\n`);
    const chosen = [];
    for (const files of [[evals], [analysed], [evals, analysed]]) {
        const url = freshDatabase(t), site = await serve(t, url);
        for (const file of files) run(['import', '--quiet', file], url);
        const { games: [{ id }] } = await site.json('/api/v1/games');
        chosen.push((await site.json(`/api/v1/games/${id}`)).unconfirmed);
    }
    assert.ok(chosen[0] > 0 && chosen[0] !== chosen[1], String(chosen));
    assert.equal(chosen[2], chosen[1]);
});
