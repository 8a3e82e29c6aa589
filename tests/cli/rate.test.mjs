// `intrinsic rate`: the service's figures without a service; interrupted and started again; what it
// refuses.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { environment, freshDatabase, intrinsic, root, run, serve, shared } from '../e2e/lib.mjs';

const samples = path.join(root, 'static/samples/rating.ndjson.zst');
const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4';
const game = (white, black, text, result = '1-0') => `[Event "Open"]\n[Date "2024.03.01"]\n[Round "${text.length}"]\n[White "${white}"]\n[Black "${black}"]\n`
    + `[WhiteElo "2100"]\n[BlackElo "1900"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;
const three = game('Adler, Ann', 'Brandt, Bo', moves) + game('Brandt, Bo', 'Clement, Cy', `${moves} 13. cxd4`, '1/2-1/2')
    + game('Clement, Cy', 'Adler, Ann', `${moves} 13. cxd4 Nc6 14. Nb3 a5`, '0-1');

function folder(t, files = {}) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-rate-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const [name, content] of Object.entries(files))
        writeFileSync(path.join(dir, name), content);
    return (name) => path.join(dir, name);
}

function rate(args, { input, extra } = {}) {
    const { status, stdout, stderr } = spawnSync(intrinsic, ['rate', ...args],
        { encoding: 'utf8', input, cwd: root, env: environment('', extra), maxBuffer: 1 << 26 });
    return { status, stdout, stderr };
}

function rows(args, more) {
    const { status, stdout, stderr } = rate(['--format=json', ...args], more);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).rows;
}

test('each year of the samples has the figures of the service', async (t) => {
    const url = freshDatabase(t);
    run(['import', '--quiet', samples], url);
    const site = await serve(t, url);
    const { players } = await site.json('/api/v1/players?limit=100');
    let n = 0, compared = 0;
    for (const { player, year, rating, performance, games, conformance } of rows(['--by=year', samples])) {
        const { id } = players.find(({ name }) => name === player.name);
        const ours = await site.json(`/api/v1/players/${id}/ratings?year=${year}&judge=rating`);
        const { judge, ...theirs } = ours.rating;
        assert.ok(judge > 0);
        assert.deepEqual(rating, theirs, `${player.name} ${year}`);
        assert.ok(games >= rating.games);
        const { estimate } = ours.performance ?? ours.elo?.performance ?? {};
        if (ours.conformance && conformance) {
            const shares = ['at_0', 'at_30'].map((form) => [conformance[form], ours.conformance[form].share]);
            for (const [mine, served] of [...shares, [conformance.mean_loss, ours.conformance.mean_loss]])
                assert.ok(Math.abs(mine - served) < 1e-9, `${player.name} ${year}: ${mine} ${served}`);
            compared++;
        }
        if (estimate !== undefined) assert.equal(performance.estimate, estimate);
        n++;
    }
    assert.ok(n > 20 && compared > 20, `${n} ${compared}`);
});

test('one game, three players, all forms', (t) => {
    const file = folder(t, { 'open.pgn': three, 'one.pgn': game('Adler, Ann', 'Brandt, Bo', moves) });
    const saved = file('open.ndjson');
    const all = rows([`--save=${saved}`, file('open.pgn')]);
    assert.deepEqual(all.map(({ player }) => player.name).sort(), ['Adler, Ann', 'Brandt, Bo', 'Clement, Cy']);
    for (const { rating, games, points, performance } of all) {
        assert.ok(rating.estimate > rating.interval.low && rating.standard_error > 100, 'few moves, a wide interval');
        assert.deepEqual([games, rating.games], [2, 2]);
        assert.equal(performance.estimate === null, points === 2);
    }
    const ann = all.find(({ player }) => player.name === 'Adler, Ann');
    assert.deepEqual(rows(['--player=adler', file('open.pgn')]), [ann], 'with all her games analysed again');
    assert.deepEqual(rows([saved]), all, 'and read from what was saved');
    const [white, black] = rows(['--by=game', file('one.pgn')]);
    assert.deepEqual(white.game, { ...black.game, file: file('one.pgn'), number: 1, result: '1-0' });

    const table = rate([saved]).stdout.split('\n');
    assert.match(table[0], /^Player +Rating +from +to +Games +Moves +Elo +Points +Performance +Loss +Best$/);
    assert.equal(table.findIndex((line) => line === ''), 4);
    const [head, first] = rate(['--format=csv', '--by=event', saved]).stdout.split('\r\n');
    assert.equal(head, 'event,year,player,fide_id,rating,standard_error,low,high,games,moves,elo,points,scored_games,performance,performance_low,performance_high,reason,counted,mean_loss,at_0,at_30,judge,'
        + 'pool,prior_mean,prior_sd,unknown,classical,rapid,blitz,bullet,correspondence,online_classical,online_rapid,online_blitz,online_bullet,online_unknown,off_scale,engine,extrapolated');
    assert.match(first, /^Open,2024,"[A-Z][a-z]+, [A-Z][a-z]+",,[0-9.]+,/);
    const lines = rate(['--format=ndjson', saved]).stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(lines, all);
    assert.deepEqual(rows(['-'], { input: readFileSync(saved) }), all, 'from standard input');
});

test('as PGN the games have their evaluations, and marks by confirmed searches alone', async (t) => {
    const lines = spawnSync('zstd', ['-dcq', samples], { maxBuffer: 1 << 28 }).stdout.toString().split('\n').slice(0, 6);
    const noted = moves.replace('9. h3', '9. h3 $1 {[%eval 3.00] [%clk 0:01:00] as ever}');
    const file = folder(t, { 'few.ndjson': `${lines.join('\n')}\n`, 'own.pgn': game('Adler, Ann', 'Brandt, Bo', noted),
        'evals.pgn': game('Adler, Ann', 'Brandt, Bo', moves.replaceAll(/(\d+\.) (\S+) (\S+)/g, '$1 $2 {[%eval 0.20]} $3 {[%eval 0.10]}')) });
    const pgn = (...args) => {
        const { status, stdout, stderr } = rate(['--format=pgn', '--quiet', ...args]);
        assert.equal(status, 0, stderr);
        return stdout.replaceAll(/\s+/g, ' ');
    };
    const own = pgn(file('own.pgn'));
    assert.match(own, /9\. h3 \$1 \{\[%eval -?0\.\d\d,10\] \[%clk 0:01:00\]\} \{as ever\} 9\.\.\. Na5 \{\[%eval/);
    assert.match(own, /\[Evaluator "Stockfish .*depth 10/);
    assert.equal(own.match(/%eval/g).length, 8, 'of each analysed move, none of the file');
    assert.doesNotMatch(own, /\$[2-6]|loses/);
    const evals = pgn(file('evals.pgn'));
    assert.equal(evals.match(/\[%eval 0\.[12]0\]/g).length, 24, 'those of the file, without an engine');
    assert.doesNotMatch(evals, /Evaluator|\$|loses/);

    // The same marks as on the page of the game.
    const url = freshDatabase(t);
    run(['import', '--quiet', file('few.ndjson')], url);
    const site = await serve(t, url);
    const nags = { inaccuracy: '$6', mistake: '$2', blunder: '$4', found: '$1', brilliant: '$3' };
    const texts = pgn(file('few.ndjson')).split('[Event ').slice(1);
    const { games } = await site.json('/api/v1/games?limit=10&sort=date');
    assert.equal(texts.length, games.length);
    let n = 0;
    for (const { id, date, round } of games) {
        const text = texts.find((one) => one.includes(`[Date "${date}"]`) && one.includes(`[Round "${round}"]`));
        const { turns } = await site.json(`/api/v1/games/${id}`);
        const marks = turns.map(({ mark }) => nags[mark]).filter((nag) => nag);
        assert.deepEqual(text.match(/\$\d/g) ?? [], marks, `${date} ${round}`);
        assert.equal((text.match(/\{loses 0\.\d\d points\}/g) ?? []).length, marks.filter((m) => /[624]/.test(m)).length);
        n += marks.length;
    }
    assert.ok(n > 10, `${n} marks`);

    // What was confirmed is saved with the rest.
    assert.equal(rate(['--quiet', `--save=${file('saved.ndjson')}`, file('few.ndjson')]).status, 0);
    assert.equal(readFileSync(file('saved.ndjson'), 'utf8'), `${lines.join('\n')}\n`);
});

test('no cell of CSV is a formula, and no name speaks to the terminal', (t) => {
    const named = three.replaceAll('Open', '=cmd|x').replaceAll('Adler, Ann', '@Adler \u001b[2J"Ann"');
    const saved = folder(t, { 'open.pgn': named });
    const csv = rate(['--format=csv', '--by=event', `--save=${saved('open.ndjson')}`, saved('open.pgn')]).stdout;
    assert.match(csv, /^'=cmd\|x,2024,"?'@Adler/m);
    assert.doesNotMatch(csv, /(^|,)"?[=+@-]/m);
    assert.doesNotMatch(csv + rate([saved('open.ndjson')]).stdout, /\u001b/);
});

test('another engine setting or depth has no rating, and says why', (t) => {
    const few = moves.slice(0, moves.indexOf(' 12.'));
    const file = folder(t, { 'open.pgn': game('Adler, Ann', 'Brandt, Bo', few) + game('Brandt, Bo', 'Clement, Cy', few) + game('Clement, Cy', 'Adler, Ann', few) });
    const [rating] = rows([`--save=${file('rating.ndjson')}`, file('open.pgn')]);
    for (const [args, judge] of [[['--depth=6'], 'rating-d6'], [['--judge=standard'], 'standard'], [['--judge=standard', '--depth=3'], 'standard-d3']]) {
        const saved = file(`${judge}.ndjson`);
        const all = JSON.parse(rate(['--format=json', ...args, `--save=${saved}`, file('open.pgn')]).stdout);
        assert.deepEqual([all.judge, all.rows.length], [judge, 3]);
        const losses = all.rows.map(({ conformance }) => conformance.mean_loss);
        assert.deepEqual(losses, losses.toSorted((a, b) => a - b), 'the smallest loss first');
        for (const { rating: none, conformance, off_scale: off, pool } of all.rows) {
            assert.deepEqual([none.estimate, none.interval, none.reason], [null, null, 'ratings are calibrated for the engine setting rating alone']);
            assert.deepEqual([off, pool], [null, null]);
            assert.ok(conformance.moves > 1 && conformance.mean_loss >= 0 && conformance.at_0 <= conformance.at_30);
        }
        assert.deepEqual(rows([...args, saved]), all.rows, 'from what was saved');
        assert.equal(rate([`--save=${saved}`, file('open.pgn')]).status, 2, 'which is of another engine setting');
        assert.deepEqual(rows([saved]).find(({ player }) => player.name === rating.player.name), rating, 'and analysed again');
        const table = rate([...args, saved]).stdout;
        assert.match(table, /^Player +Games .* Moves +Loss +Best\n/);
        assert.match(table, new RegExp(`not for ${judge}\\.\n.*\nGames by time control: 3 unknown\\.\n$`));
    }
    assert.deepEqual(rows(['--depth=10', file('rating.ndjson')], { extra: { STOCKFISH_PATH: '/nonexistent' } })[0], rating, 'the depth that it has');
    for (const args of [['--judge=alliot'], ['--judge=fishnet'], ['--judge=x'], ['--depth=0'], ['--depth=31']])
        assert.equal(rate([...args, file('open.pgn')]).status, 2, args[0]);
});

test('another engine gives a rating with a wider interval, and is named', (t) => {
    const file = folder(t, { 'open.pgn': three });
    const own = rows([`--save=${file('own.ndjson')}`, file('open.pgn')]);
    assert.equal(own[0].rating.equated, undefined);
    for (const [program, engine, known] of [['fairy-stockfish', 'Fairy-Stockfish 11.1', true], ['ethereal-chess', 'Ethereal 12.00', false]]) {
        const extra = { STOCKFISH_PATH: `/usr/games/${program}` }, saved = file(`${program}.ndjson`);
        const { status, stdout, stderr } = rate(['--format=json', `--save=${saved}`, file('open.pgn')], { extra });
        assert.equal(status, 0, stderr);
        const all = JSON.parse(stdout).rows;
        assert.match(stderr, new RegExp(`^Engine: ${engine}.*3 games`));
        assert.equal(/not in the table of engines/.test(stderr), !known, stderr);
        for (const { player, rating } of all) {
            const { rating: by15 } = own.find((row) => row.player.name === player.name);
            assert.ok(rating.equated.engine.startsWith(engine), rating.equated.engine);
            assert.equal(rating.equated.known, known);
            assert.ok(rating.equated.standard_error > 5, 'the error of the equation');
            assert.ok(Math.abs(rating.estimate - by15.estimate) < 2 * rating.standard_error, 'about the same rating');
        }
        assert.deepEqual(rows([saved]), all, 'read from what was saved, without that engine');
        assert.match(rate([saved]).stdout, new RegExp(`\\nEngine: ${engine}.*3 games.*Elo\\.\\n$`));
    }
    const mixed = rows(['--player=adler', file('fairy-stockfish.ndjson'), file('own.ndjson')]);
    assert.deepEqual(mixed.map(({ rating }) => rating.equated.engine.startsWith('Fairy-Stockfish')), [true], 'the same games count once');
});

test('killed at any time and started again, it saves the same bytes, which can be imported', async (t) => {
    const file = folder(t, { 'open.pgn': three });
    const [whole, parts] = [file('whole.ndjson'), file('parts.ndjson')];
    assert.equal(rate([`--save=${whole}`, file('open.pgn')]).status, 0);
    const child = spawn(intrinsic, ['rate', '--cores=1', `--save=${parts}`, file('open.pgn')], { cwd: root, env: environment('') });
    const ended = once(child, 'exit');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGKILL');
    await ended;
    assert.equal(rate([`--save=${parts}`, file('open.pgn')]).status, 0);
    assert.deepEqual(readFileSync(parts), readFileSync(whole));

    const bytes = readFileSync(whole), lines = bytes.toString().split('\n');
    for (const kept of [lines[0].length, lines[0].length + 1, bytes.length - 1]) {
        writeFileSync(parts, bytes.subarray(0, kept));
        assert.equal(rate([`--save=${parts}`, file('open.pgn')]).status, 0);
        assert.deepEqual(readFileSync(parts), bytes, `of ${kept} bytes`);
    }
    const stopped = spawn(intrinsic, ['rate', '--cores=1', `--save=${file('stopped')}`, file('open.pgn')], { cwd: root, env: environment('') });
    await new Promise((resolve) => setTimeout(resolve, 300));
    stopped.kill('SIGINT');
    const [code] = await once(stopped, 'exit');
    assert.ok(code === 1 || code === 0, 'or it was ready');
    const url = freshDatabase(t);
    assert.match(run(['import', whole], url), /3 games read, 3 new, 0 duplicates, 0 rejected, 3 analysed/);
});

test('a command has a help of its own', () => {
    const { stdout } = rate(['--help']);
    assert.match(stdout, /^ {2}intrinsic rate \[OPTION\]\.\.\. FILE\.\.\.\n(.*\n)* {6}--by=player\|event\|year\|month\|game\n/);
    assert.doesNotMatch(stdout, /intrinsic serve|DATABASE_URL/);
});

test('--help has the help of every command', () => {
    const help = spawnSync(intrinsic, ['--help'], { encoding: 'utf8', env: environment('') }).stdout;
    const fetch = spawnSync(intrinsic, ['fetch', '--help'], { encoding: 'utf8', env: environment('') }).stdout;
    assert.ok(fetch.length > 100);
    for (const command of ['serve', 'worker', 'migrate', 'import', 'export', 'calibrate', 'ratings', 'analyse', 'identities', 'token', 'audit', 'partition', 'rate']) {
        const { stdout, status } = spawnSync(intrinsic, [command, '--help'], { encoding: 'utf8', env: environment('') });
        assert.equal(status, 0);
        assert.ok(help.includes(stdout.slice(0, stdout.indexOf('\nSettings'))), command);
    }
});

test('several accounts of one person have one rating, by their whole names', (t) => {
    const one = stripped().split(/\n(?=\[Event )/).slice(0, 12), [, name] = /\[White "([^"]*)/.exec(one[0]);
    const mine = one.filter((game) => game.includes(`"${name}"`));
    const two = mine.map((game, i) => (i % 2 ? game.replace(`"${name}"`, '"Émile_2"') : game));
    const file = folder(t, { 'one.pgn': mine.join('\n'), 'two.pgn': two.join('\n'), 'three.pgn': [...two, one[0].replace(`"${name}"`, '"emile_22"')].join('\n') });
    const both = [`--player=${name}`, '--player=emile_2'], [whole] = rows([`--player=${name}`, file('one.pgn')]);
    assert.ok(whole.games >= 6, `${whole.games}`);
    assert.equal(rows([`--player=${name}`, file('two.pgn')])[0].games, Math.ceil(whole.games / 2));
    assert.deepEqual(rows([...both, file('two.pgn')]), [whole]);
    assert.deepEqual(rows([...both, file('three.pgn')]), [whole], 'no names that only begin so');
    assert.deepEqual(rows(['--player=EMILE_2', `--player=${name}`, file('two.pgn')]), [{ ...whole, player: { name: 'Émile_2', fide_id: null } }]);
    for (const [args, status, message] of [[[...both, '--player=Nobody'], 1, /no player of these games has the name 'Nobody'/],
        [['--player=', '--player=x'], 2, /--player: a name/], [Array.from({ length: 13 }, (_, i) => `--player=x${i}`), 2, /--player: at most 12 names/],
        [Array.from({ length: 65 }, () => '--quiet'), 2, /at most 64 flags/]]) {
        const out = rate([...args, file('two.pgn')]);
        assert.deepEqual([out.status, message.test(out.stderr)], [status, true], out.stderr);
    }
});

test('faults in the JSON of chess.com are located, and the other games are rated', (t) => {
    const [one] = stripped().split(/\n(?=\[Event )/), text = JSON.stringify(one);
    const file = folder(t, { 'whole.json': `{"games":[{"pgn":${text}}]}` });
    const [white] = rows([file('whole.json')]);
    assert.equal(white.games, 1);
    const cases = [
        ['{"games":[]}', /no_games: There is no game in the file/, 0],
        [`{"games":[{"url":"x"},\n {"pgn":${text}}]}`, /:1:11: game 1 .*bad_json: This game of chess\.com has no moves: a member "pgn" is missing/, 1],
        [`{"games":[{"pgn":${text}},\n 5]}`, /:2:2: game 2 .*bad_json: .*a game is an object/, 1],
        [`{"games":[{"pgn":${text}},\n "x"]}`, /:2:2: game 2 .*bad_json: .*a game is an object/, 1],
        [`{"games":[{"pgn":${text}},\n [{}]]}`, /:2:2: game 2 .*bad_json: .*a game is an object/, 1],
        [`{"games":[{"pgn":${text}},\n  {"url":1,, }]}`, /:2:12: game 2 .*bad_json: This game is no JSON/, 1],
        [`{"games":[\n{\n"pgn": x},{"pgn":${text}}]}`, /:3:8: game 1 .*bad_json: This game is no JSON/, 1],
        [`{"games":[{"pgn":${text}}`, /game 2 .*bad_json: .*it ends in the middle/, 1],
        [`{"games":[{"pgn":${text}}]} {`, /:1:\d+: game 2 .*bad_json: .*there is more after its end/, 1],
        [`{"games":[{"pgn":${text}}]}\nx`, /:2:1: game 2 .*bad_json: .*there is more after its end/, 1],
        [`{"games":[{"pgn":${text}},\n{"pgn":"[White \\"A\\"]\\n\\n1. e4 e4"}]}`, /:2:1: game 2 \(A - .*illegal_move/, 1],
        [`{"games":[{"pgn":"${'x'.repeat(1 << 20)}"},{"pgn":${text}}]}`, /:1:11: game 1 .*longer than 1048576 bytes/, 1],
        [`{"games":[{"pgn":"{\\"} ]"},{"pgn":${text}}]}`, /:1:11: game 1/, 1],
    ];
    for (const [input, message, n] of cases) {
        const out = rate(['--evals=only', '--format=json', '-'], { input });
        assert.match(out.stderr, message, input.slice(0, 80));
        assert.equal(out.status, 1, input.slice(0, 80));
        assert.equal(out.stdout === '' ? 0 : JSON.parse(out.stdout).rows.length / 2, n, input.slice(0, 80));
    }
});

test('faults are located, and the exit status tells of them', (t) => {
    const file = folder(t, { 'open.pgn': three, 'bad.pgn': game('Dorn, D', 'Ebner, E', '1. e4 e5 2. Ke3'), 'engine': '#!/bin/sh\nexec cat\n' });
    chmodSync(file('engine'), 0o755);
    const saved = file('open.ndjson');
    assert.equal(rate([`--save=${saved}`, file('open.pgn')]).status, 0);
    const cases = [
        [[], 2, /^intrinsic rate: usage: intrinsic rate FILE/],
        [['--by=week', saved], 2, /--by: 'week' is not one of player\|event\|year\|month\|game/],
        [['--time=blitz,rapd,bullet', saved], 2, /--time: 'rapd' is not one of unknown, classical, rapid, blitz, bullet, correspondence, online-classical, online-rapid, online-blitz, online-bullet, online-unknown, all/],
        [['--time=', saved], 2, /--time: '' is not one of/],
        ...['24', '2024-5', '2024-13', '2024-05-32', '2024-02-31', '2023-02-29', '2022-+8', '2022- 8', '2024.05', '2024-05-01T', ''].map((date) =>
            [[`--since=${date}`, saved], 2, new RegExp(`--since: '${date.replace('+', '\\+')}' is no date as 2024, 2024-05 or 2024-05-31`)]),
        [['--time=blitz', saved], 1, /left out: 3 unknown\n.*no game to rate/],
        [['--rated-only', '--player=adler', saved], 1, /left out: 2 not said to be rated\n.*no game to rate/],
        [['--cores=0', saved], 2, /--cores: expected a whole number from 1 to 1024, got '0'/],
        [['--format', 'xml', saved], 2, /--format: 'xml'/],
        [['--frmat=csv', saved], 2, /no such flag/],
        [[file('nothing.pgn')], 1, /cannot_read.*\n.*no game to rate/],
        [['--player=zz', saved], 1, /no player of these games is named like 'zz'/],
        [[file('bad.pgn')], 1, /illegal_move/],
        [[`--save=${file('open.pgn')}`, file('open.pgn')], 2, /open\.pgn: line 1: /],
        [['--save=/dev/null', file('open.pgn')], 1, /\/dev\/null: not a regular file/],
        [[`--save=${saved}`, '--player=brandt', file('open.pgn')], 2, /line 3: there are fewer games to rate/],
        [[`--save=${saved}`, '--player=clement', file('open.pgn')], 2, /line 1 is another game than game 2 of .*open\.pgn/],
    ];
    for (const [args, status, message] of cases) {
        const before = readFileSync(saved);
        const out = rate(args);
        assert.deepEqual([out.status, message.test(out.stderr)], [status, true], `${args.join(' ')}: ${out.status} ${out.stderr}`);
        assert.deepEqual(readFileSync(saved), before);
    }
    const mixed = rate(['--format=json', saved, file('bad.pgn'), saved]);
    assert.equal(mixed.status, 1);
    assert.equal(JSON.parse(mixed.stdout).rows.length, 3, 'the other games are rated');
    assert.match(mixed.stderr, /bad\.pgn:10:13: game 1 \(Dorn, D - Ebner, E\): illegal_move/);
    assert.match(mixed.stderr, /left out: 3 there already/);
    assert.match(rate([file('open.pgn')], { extra: { STOCKFISH_PATH: file('engine') } }).stderr, /engine/);
});

test('a terminal shows how far it is, a pipe does not', (t) => {
    const file = folder(t, { 'open.pgn': three });
    const url = freshDatabase(t);
    const champions = path.join(root, 'static/champions/rating.2.ndjson.zst');
    const cases = [
        [`rate ${file('open.pgn')}`, /\r.*[0-3] of 3 games analysed/],
        [`import ${champions}`, /\r.*rating\.2\.ndjson\.zst: [1-9]\d* games read/],
        [`export --figures --judge=rating >${file('out')}`, /\r.*[1-9]\d* games written/],
    ];
    for (const [command, said] of cases) {
        const on = (how) => spawnSync(how[0], how.slice(1), { encoding: 'utf8', cwd: root, env: environment(url) });
        const terminal = on(['script', '-qec', `${intrinsic} ${command}`, '/dev/null']);
        assert.deepEqual([terminal.status, said.test(terminal.stdout)], [0, true], terminal.stdout);
        const pipe = on(['sh', '-c', `${intrinsic} ${command.replace('import', 'import --again')}`]);
        assert.deepEqual([pipe.status, pipe.stderr.includes('\r')], [0, false], pipe.stderr);
    }
});

/** Games of the samples with one evaluation a move, as other programs write them. */
function stripped(...options) {
    const lines = spawnSync('zstd', ['-dcq', samples], { maxBuffer: 1 << 28 }).stdout;
    const games = lines.toString().split('\n').slice(0, 40).join('\n');
    return spawnSync('node', ['tests/support/strip_evals.mjs', ...options],
        { cwd: root, input: games, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
}

test('evaluations in the file rate without an engine', (t) => {
    const file = folder(t, { 'eval.pgn': stripped(), 'chessbase.pgn': stripped('--form=chessbase'),
        'comment.pgn': stripped('--form=comment'), 'own.pgn': stripped('--form=own'), 'gaps.pgn': stripped('--gaps=3') });
    const none = { extra: { STOCKFISH_PATH: '/nonexistent' } };
    const all = rows(['--by=game', file('eval.pgn')], none);
    assert.ok(all.length >= 70);
    for (const { judge, rating } of all) {
        assert.equal(judge, 'pgn-evals');
        assert.equal(rating.calibration, 'pgn-evals');
        assert.equal(rating.surprise?.z ?? null, null, 'not tested');
    }
    assert.deepEqual(rows(['--by=game', file('chessbase.pgn')], none).map(({ rating }) => rating),
        all.map(({ rating }) => rating), 'ChessBase writes the same in centipawns');

    // A file of comments alone says whose view it is only where somebody is winning.
    for (const [name, said] of [['own.pgn', /evaluations that are not used/], ['gaps.pgn', /nonexistent/]]) {
        const { status, stderr } = rate([file(name)], none);
        assert.deepEqual([status, said.test(stderr) || /nonexistent/.test(stderr)], [1, true], stderr);
    }
    const { stderr } = rate(['--judge=rating', file('eval.pgn')], none);
    assert.match(stderr, /nonexistent/, 'they are to be analysed');
});

test('a player has one row, of one kind: where a game has no evaluations all are analysed', (t) => {
    const evals = shortened().replaceAll(/\[White "[^"]*"/g, '[White "Adler, Ann"');
    const short = game('Adler, Ann', 'Brandt, Bo', '1. e4 e5', '1/2-1/2');
    const file = folder(t, { 'evals.pgn': `${evals}\n\n${short}`, 'bare.pgn': game('Adler, Ann', 'Brandt, Bo', moves),
        'blitz.pgn': evals.replaceAll(/^\[Event .*/gm, '[Event "Rated blitz game"]\n[Site "https://lichess.org/abcdefgh"]\n[TimeControl "180+0"]') });
    const none = { extra: { STOCKFISH_PATH: '/nonexistent' } };
    const ann = (...args) => rows(['--player=adler', ...args]).map(({ judge, games, rating }) => [judge, games, rating.games]);
    assert.deepEqual(rows(['--player=adler', file('evals.pgn')], none).map(({ judge, games }) => [judge, games]), [['pgn-evals', 3]]);
    assert.deepEqual(ann(`--save=${file('mixed.ndjson')}`, file('evals.pgn'), file('bare.pgn')), [['rating', 4, 3]]);
    assert.deepEqual(ann(file('mixed.ndjson'), file('evals.pgn')), [['rating', 4, 3]], 'and so beside games analysed before');
    assert.match(rate(['--player=adler', file('mixed.ndjson'), file('bare.pgn'), file('evals.pgn')]).stderr, /^(?!.*, too,)/s, 'none is analysed again');
    const only = rate(['--player=adler', '--format=json', '--evals=only', file('bare.pgn'), file('evals.pgn')], none);
    assert.equal(only.status, 0, only.stderr);
    const { rows: [alone], left_out: left } = JSON.parse(only.stdout);
    assert.deepEqual([alone.judge, alone.games, left.without_evals], ['pgn-evals', 2, 2]);
    assert.match(rate([file('bare.pgn'), file('evals.pgn'), '--format=csv'], none).stderr, /2 games have evaluations but are analysed, too.*--evals=only/);
    assert.match(rate([file('blitz.pgn')], none).stderr, /nonexistent/, 'a pool without a scale for evaluations');
    for (const args of [['--evals=only', '--judge=rating'], ['--evals=only', '--depth=10'], ['--evals=only', '--save=x'], ['--evals=all']])
        assert.equal(rate([...args, file('evals.pgn')], none).status, 2, args.join(' '));
});

test('of a game that comes twice the analysed one counts, else the one with evaluations, in any order', (t) => {
    const evals = shortened(), bare = evals.replaceAll(/\{[^}]*\}/g, '');
    const file = folder(t, { 'evals.pgn': evals, 'bare.pgn': bare }), saved = file('saved.ndjson');
    const none = { extra: { STOCKFISH_PATH: '/nonexistent' } };
    const by = (...names) => {
        const { rows: all, left_out: left } = JSON.parse(rate(['--format=json', '--by=game', ...names.map(file)], none).stdout);
        return [all.map(({ judge, game: { number } }) => `${judge} ${number}`), left.repeated];
    };
    const alone = by('evals.pgn');
    assert.equal(alone[0].length, 4);
    assert.deepEqual(by('bare.pgn', 'evals.pgn'), [alone[0], 2]);
    assert.deepEqual(by('evals.pgn', 'bare.pgn'), [alone[0], 2]);
    assert.equal(rate([`--save=${saved}`, '--judge=rating', file('bare.pgn')]).status, 0);
    const analysed = by('saved.ndjson');
    for (const names of [['saved.ndjson', 'evals.pgn'], ['evals.pgn', 'saved.ndjson'], ['bare.pgn', 'saved.ndjson'], ['saved.ndjson', 'bare.pgn']])
        assert.deepEqual(by(...names), [analysed[0], 2], names.join(' '));
});

const networks = shared('data/maia');

test('networks of human moves rate rapid games of lichess, without engine and evaluations', { skip: !networks && 'no networks of human moves' }, async (t) => {
    const online = (white, black, control) => game(white, black, moves).replace('[Event', `[Site "https://lichess.org/abcdefgh"]\n[TimeControl "${control}"]\n[Event`);
    const file = folder(t, { 'rapid.pgn': online('ann', 'bo', '600+0') + online('bo', 'ann', '600+0'), 'other.pgn': three, 'mixed.pgn': online('ann', 'bo', '600+0') + online('ann', 'cy', '1800+20'),
        'fast.pgn': online('ann', 'bo', '180+0') + online('ann', 'cy', '60+0') });
    const none = { extra: { STOCKFISH_PATH: '/nonexistent' } };
    const all = rows([`--human-model=${networks}`, file('rapid.pgn')], none);
    assert.deepEqual(all.map(({ judge, games, pool }) => [judge, games, pool]), Array(2).fill(['maia-1100-1900', 2, 'online-rapid']));
    for (const { rating, conformance } of all) {
        assert.equal(rating.calibration, 'maia-1100-1900');
        assert.deepEqual([rating.window.limit_pawns, rating.window.first_move], [null, 9]);
        assert.ok(rating.interval.low < rating.estimate && rating.estimate < rating.interval.high);
        assert.ok(rating.turns > 0 && conformance === null);
    }
    // Blitz and bullet by the trees of rapid, on scales of their own.
    const fast = rows([`--human-model=${networks}`, '--player=ann', file('fast.pgn')], none);
    assert.deepEqual(fast.map(({ judge, pool }) => [judge, pool]).toSorted(), [['maia-1100-1900', 'online-blitz'], ['maia-1100-1900', 'online-bullet']]);
    assert.ok(fast.every(({ rating: { interval } }) => interval.low < interval.high));
    const { stdout, stderr } = rate([file('rapid.pgn')], { extra: { ...none.extra, INTRINSIC_HUMAN_MODEL: networks } });
    assert.match(stdout, /^maia-1100-1900: how probable the moves are/m);
    assert.match(stderr, /2 of 2 games/);
    // Other games are for the engine, and so are all where its setting is named.
    for (const args of [[file('other.pgn')], [file('mixed.pgn')], ['--judge=rating', file('rapid.pgn')]])
        assert.match(rate([`--human-model=${networks}`, ...args], none).stderr, /nonexistent/);
    writeFileSync(file('long.pgn'), Array.from({ length: 5000 }, (_, i) => online(`ann${i}`, 'bo', '600+0')).join(''));
    const child = spawn(intrinsic, ['rate', `--human-model=${networks}`, file('long.pgn')], { cwd: root, env: environment('', none.extra) });
    let said = '';
    child.stderr.on('data', (text) => { said += text; });
    setTimeout(() => child.kill('SIGINT'), 2000);
    assert.deepEqual([...await once(child, 'close'), /stopped after \d+ of 5000 games/.test(said)], [1, null, true], said);
    const missing = rate([`--human-model=${file('nowhere')}`, file('rapid.pgn')], none);
    assert.deepEqual([missing.status, /nowhere\/maia-1100.pb.gz cannot be read/.test(missing.stderr)], [1, true], missing.stderr);
});

/** The first two games of `stripped`, of 24 moves. */
function shortened() {
    return stripped().split(/\n(?=\[Event )/).slice(0, 2).map((one) => {
        const at = one.indexOf('\n\n'), [, result] = /\[Result "([^"]*)/.exec(one);
        return `${one.slice(0, at)}\n\n${one.slice(at).split('\n').filter(Boolean).slice(0, 48).join('\n')}\n${result}\n`;
    }).join('\n');
}

/** Games of two players with evaluations by which every move loses `loss` pawns, and tags of their own. */
function losing(games) {
    const moves = stripped().split(/\n(?=\[Event )/).map((one) => one.slice(one.indexOf('\n\n') + 2).replaceAll('\n\n', '\n'));
    return games.map(({ loss, ...tags }, k) => {
        let ply = 0;
        const text = moves[k].replaceAll(/^([a-h][1-8]\S+)( \{.*)?$/gm, (_, move, evaluation) => {
            ply++;
            return evaluation ? `${move} { [%eval ${ply % 2 ? 0 : loss}] }` : move;
        });
        const named = { White: 'Adler, Ann', Black: 'Brandt, Bo', Result: text.trim().split(/\s+/).at(-1), ...tags };
        return `${Object.entries(named).map(([name, value]) => `[${name} "${value}"]\n`).join('')}\n${text.trim()}\n\n`;
    }).join('');
}

test('players are ordered by the estimate, also below the scale, where it has both ends and a mark', (t) => {
    const file = folder(t, { 'champions.pgn': stripped(), 'low.pgn': losing([{ loss: 1.9 }, { loss: 1.5, White: 'Dorn, D', Black: 'Ebner, E' }]) });
    const names = (...args) => rows(args).map(({ player, rating, conformance }) =>
        ({ name: player.name, ...rating, loss: Number(conformance.mean_loss.toFixed(2)) }));
    const below = names(file('low.pgn'));
    assert.deepEqual(below.map(({ name, loss }) => [name, loss]).toSorted(), [['Adler, Ann', 1.9], ['Brandt, Bo', 1.9], ['Dorn, D', 1.5], ['Ebner, E', 1.5]]);
    for (const { name, estimate, extrapolated, interval, calibrated_range: range } of below) {
        assert.ok(estimate < range.low && interval.low < estimate && estimate <= interval.high, `${name} ${estimate} ${JSON.stringify(interval)}`);
        assert.equal(extrapolated, true, name);
    }
    const all = names(file('low.pgn'), file('champions.pgn'));
    assert.deepEqual(all.slice(-4), below);
    assert.ok(all.slice(0, -4).every(({ extrapolated }) => extrapolated === false));
    const estimates = all.map(({ estimate }) => estimate);
    assert.ok(estimates.length > 5);
    assert.deepEqual(estimates, estimates.toSorted((a, b) => b - a));
    const { estimate, interval } = below.find(({ name }) => name === 'Dorn, D');
    assert.match(rate([file('low.pgn')]).stdout, new RegExp(`^Dorn, D +${Math.round(estimate)}\\* +${Math.round(interval.low)} +${Math.round(interval.high)} .* 1\\.500 +[\\d.]+%  pgn-evals$`, 'm'));
    assert.match(rate([file('low.pgn')]).stdout, /^\*: outside the calibrated range \(otb 1200 to 2900\), with a wider error\.$/m);
});

test('games are chosen by time control, date and whether they are rated; kinds are counted', (t) => {
    const online = { Event: 'Rated rapid game', TimeControl: '900+10', WhiteElo: 1150, BlackElo: 1700, loss: 1 };
    const file = folder(t, { 'open.pgn': losing([
        { ...online, Date: '2024.05.31' }, { ...online, Date: '2024.06.01', Event: 'Casual rapid game' },
        { ...online, Date: '2024.06.??', TimeControl: '180+0', Event: 'Arena', WhiteRatingDiff: '+5' },
        { Date: '2023.??.??', loss: 1 }, { Event: 'Unrated open, not FIDE rated', TimeControl: '40/7200:3600', Date: '2024.07.02', loss: 1 }, { loss: 1 }]) });
    const none = { rapid: 0, blitz: 0, classical: 0, unknown: 0, bullet: 0, correspondence: 0, 'online-classical': 0,
        'online-rapid': 0, 'online-blitz': 0, 'online-bullet': 0, 'online-unknown': 0 };
    const all = (...args) => JSON.parse(rate(['--format=json', '--evals=only', '--player=adler', ...args, file('open.pgn')]).stdout);
    const cases = [
        [[], { rapid: 2, blitz: 1, unknown: 2, classical: 1 }, {}],
        [['--time=all'], { rapid: 2, blitz: 1, unknown: 2, classical: 1 }, {}],
        [['--time=rapid'], { rapid: 2 }, { blitz: 1, unknown: 2, classical: 1 }],
        [['--time=classical,unknown'], { unknown: 2, classical: 1 }, { rapid: 2, blitz: 1 }],
        [['--since=2023'], { rapid: 2, blitz: 1, unknown: 1, classical: 1 }, { undated: 1 }],
        [['--since=2023-02'], { rapid: 2, blitz: 1, classical: 1 }, { undated: 2 }],
        [['--since=2024'], { rapid: 2, blitz: 1, classical: 1 }, { before: 1, undated: 1 }],
        [['--since=2024-06'], { rapid: 1, blitz: 1, classical: 1 }, { before: 2, undated: 1 }],
        [['--since=2024-06-01'], { rapid: 1, blitz: 1, classical: 1 }, { before: 2, undated: 1 }],
        [['--since=2024-06-02'], { classical: 1 }, { before: 3, undated: 2 }],
        [['--rated-only'], { rapid: 1, blitz: 1 }, { not_rated: 4 }],
        [['--time=rapid', '--since=2024-06', '--rated-only'], null, {}],
    ];
    for (const [args, times, left] of cases) {
        if (times === null) {
            assert.equal(rate(['--player=adler', ...args, file('open.pgn')]).stderr,
                'left out: 2 unknown, 1 classical, 1 blitz, 1 before 2024-06, 1 not said to be rated\nintrinsic rate: no game to rate\n');
            continue;
        }
        // A row for each pool, by whose scale its games are rated.
        const { rows: of, left_out: out } = all(...args);
        const sum = (f) => of.map(f).reduce((a, b) => a + b, 0);
        assert.deepEqual(Object.fromEntries(Object.keys(none).map((c) => [c, sum((row) => row.time_classes[c])])), { ...none, ...times }, args.join(' '));
        const pools = { otb: ['classical', 'unknown'], 'otb-rapid': ['rapid'], 'otb-blitz': ['blitz'] };
        for (const { pool, time_classes: counted, games } of of)
            assert.equal(pools[pool].reduce((a, c) => a + counted[c], 0), games, pool);
        assert.deepEqual(out, { ...none, before: 0, undated: 0, not_rated: 0, repeated: 0, without_evals: 0, ...left }, args.join(' '));
    }
    assert.deepEqual(all('--by=month').rows.map(({ month, games }) => [month, games]),
        [[null, 1], ['2023', 1], ['2024-05', 1], ['2024-06', 1], ['2024-06', 1], ['2024-07', 1]]);

    const { stdout, stderr } = rate(['--quiet', '--since=2024', file('open.pgn')]);
    assert.match(stdout, /\nScale: Elo over the board at classical or unknown time controls; prior: mean \d{4}, sd \d{3}\. Games by time control: 1 classical\.\nScale: rapid over the board; prior: mean \d{4}, sd \d{3}\. Games by time control: 2 rapid\.\nScale: blitz over the board; prior: mean \d{4}, sd \d{3}\. Games by time control: 1 blitz; left out: 1 before 2024, 1 without a full date\.\n$/);
    assert.equal(stderr, 'warning: of the rapid games over the board 2 have a rating outside 2300 to 2800, for which the scale is not made\n'
        + 'warning: of the blitz games over the board 1 has a rating outside 2300 to 2800, for which the scale is not made\n');
    for (const args of [['--player=brandt', '--time=classical,unknown'], ['--time=classical']])
        assert.equal(rate(['--quiet', ...args, file('open.pgn')]).stderr, '');
    const csv = rate(['--format=csv', '--by=month', '--player=adler', file('open.pgn')]).stdout;
    assert.match(csv, /^2024-05,.*,rating,otb-rapid,\d+\.\d,\d+\.\d,0,0,1,0,0,0,0,0,0,0,0,1,,true\r$/m);
    const piped = (...args) => rate(['--format=csv', '--evals=only', '--since=2024', ...args, file('open.pgn')]);
    assert.match(piped().stderr, /^left out: 1 before 2024, 1 without a full date$/m);
    assert.doesNotMatch(piped('--quiet').stderr, /left out/);
    assert.equal(piped('--quiet').stdout, piped().stdout);
});
