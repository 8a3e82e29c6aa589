// `intrinsic import --dry-run`: what it says, how it ends, what it needs.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import os from 'node:os';
import path from 'node:path';
import { attempt, environment, freshDatabase, intrinsic, root } from '../e2e/lib.mjs';

const game = (white, moves, result = '1-0') =>
    `[Event "Club evening"]\n[White "${white}"]\n[Black "Brandt, Bo"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;
const good = game('Adler, Ann', '1. e4 e5 2. Nf3 Nc6');
const wrong = game('Clement, Cy', '1. e4 e5 2. Ke3');

/** A folder of the test's own; gone when it ends. */
function folder(t, files = {}) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-cli-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const [name, content] of Object.entries(files))
        writeFileSync(path.join(dir, name), content);
    return (name) => path.join(dir, name);
}

function crc32(bytes) {
    let crc = -1;
    for (const byte of bytes) {
        crc ^= byte;
        for (let k = 0; k < 8; k++)
            crc = crc & 1 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
    }
    return ~crc >>> 0;
}

/** A zip of files as they are, not compressed. */
function zipped(files) {
    const locals = [], directory = [];
    let at = 0;
    for (const [name, content] of Object.entries(files)) {
        const bytes = Buffer.from(content), about = Buffer.alloc(26); // from "version needed" on
        about.writeUInt16LE(20, 0);
        about.writeUInt32LE(crc32(bytes), 10);
        about.writeUInt32LE(bytes.length, 14);
        about.writeUInt32LE(bytes.length, 18);
        about.writeUInt16LE(name.length, 22);
        const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), bytes]);
        const rest = Buffer.alloc(14); // comment, disk, attributes, offset
        rest.writeUInt32LE(at, 10);
        directory.push(Buffer.from('PK\x01\x02\x14\0'), about, rest, Buffer.from(name));
        locals.push(local);
        at += local.length;
    }
    const entries = Buffer.concat(directory), end = Buffer.alloc(18);
    end.writeUInt16LE(locals.length, 4);
    end.writeUInt16LE(locals.length, 6);
    end.writeUInt32LE(entries.length, 8);
    end.writeUInt32LE(at, 12);
    return Buffer.concat([...locals, entries, Buffer.from('PK\x05\x06'), end]);
}

async function dryRun(files, url = '') {
    const r = await attempt(['import', '--dry-run', '--report=ndjson', ...files], url);
    const lines = r.stdout.trim().split('\n').map((l) => JSON.parse(l));
    return { ...r, games: lines.slice(0, -1), summary: lines.at(-1).summary };
}

/** With bytes on its standard input. */
function piped(args, input) {
    const r = spawnSync(intrinsic, ['import', '--dry-run', ...args], { input, maxBuffer: 1 << 26 });
    return { code: r.status, signal: r.signal, stdout: r.stdout.toString(), stderr: r.stderr.toString() };
}

test('no database is asked for', async (t) => {
    const f = folder(t, { 'a.pgn': good });
    for (const url of ['', 'host=/nowhere dbname=x']) {
        const r = await dryRun([f('a.pgn')], url);
        assert.equal(r.code, 0, r.stderr);
        assert.equal(r.games.length, 1);
        assert.equal(r.summary.accepted, 1);
        assert.equal(r.stderr, '');
    }
});

test('one line a game in the order of the files, and a summary', async (t) => {
    const f = folder(t, { 'a.pgn': good + wrong, 'b.pgn.gz': gzipSync(good), 'c.zip': 'PK\x03\x04cut' });
    const r = await dryRun([f('a.pgn'), f('missing.pgn'), f('c.zip'), f('b.pgn.gz')]);
    assert.equal(r.code, 1);
    assert.deepEqual(r.games.map((g) => [path.basename(g.file), g.index, g.status, g.error?.type]), [
        ['a.pgn', 1, 'accepted', undefined], ['a.pgn', 2, 'refused', 'illegal_move'],
        ['missing.pgn', undefined, 'error', 'cannot_read'], ['c.zip', undefined, 'error', 'bad_archive'],
        ['b.pgn.gz', 1, 'accepted', undefined]]);
    assert.deepEqual(r.games[1].error, { type: 'illegal_move', line: 13, column: 13, ply: 2,
        detail: r.games[1].error.detail });
    assert.match(r.games[1].error.detail, /Ke3.*Ke2/);
    assert.equal(r.games[0].digest, r.games[4].digest);
    assert.deepEqual(r.summary, { files: 4, failed: 2, games: 3, accepted: 2, refused: 1,
        refused_by_type: { illegal_move: 1 }, variations: 0, windows_1252: 0, undecodable: 0, passed_over: 0,
        bytes: 2 * good.length + wrong.length });
});

test('text for people', async (t) => {
    const f = folder(t, { 'a.pgn': good + wrong });
    const r = await attempt(['import', '--dry-run', f('a.pgn')], '');
    assert.equal(r.code, 1);
    assert.match(r.stdout, /a\.pgn:13:13: game 2 \(Clement, Cy - Brandt, Bo\): illegal_move: Ke3/);
    assert.match(r.stdout, /games 2, accepted 1, rejected 1\n/);
});

test('standard input, plain and packed', async () => {
    assert.equal(piped(['--report=ndjson', '-'], good).code, 0);
    const zip = readFileSync(path.join(root, 'tests/fuzz/corpus/archive/several.zip'));
    for (const input of [good + good, gzipSync(good + good), zip]) {
        const r = piped(['--report=ndjson', '-'], input);
        const lines = r.stdout.trim().split('\n').map((l) => JSON.parse(l));
        assert.equal(lines[0].status, 'accepted');
        assert.equal(lines.at(-1).summary.games, 2);
    }
    assert.equal(piped(['-'], '').code, 1);
});

test('usage', async (t) => {
    const f = folder(t, { 'a.pgn': good });
    const usage = async (args, pattern) => {
        const r = await attempt(['import', ...args], '');
        assert.equal(r.code, 2, `${args}: ${r.stderr}`);
        assert.match(r.stderr, pattern);
        assert.equal(r.stdout, '');
    };
    await usage(['--dry-run'], /usage/);
    await usage(['--dry-run', '--report=xml', f('a.pgn')], /xml/);
    await usage(['--report=ndjson', f('a.pgn')], /DATABASE_URL|--dry-run/);
    await usage(['--dry-run', '--analyse', f('a.pgn')], /--analyse/);
    await usage(['--dry-run', '--priority=3', f('a.pgn')], /--priority/);
    await usage(['--dry-run', '--reprot=ndjson', f('a.pgn')], /--reprot/);
});

test('a reader that has gone ends it quietly', async (t) => {
    const f = folder(t, { 'a.pgn': good.repeat(20000) });
    const r = spawnSync('bash', ['-c', `trap '' PIPE; "$0" import --dry-run --report=ndjson "$1" | head -n 1`,
        intrinsic, f('a.pgn')], { encoding: 'utf8' });
    assert.equal(r.stderr, '');
    assert.equal(r.stdout.trim().split('\n').length, 1);
    assert.equal(JSON.parse(r.stdout).index, 1);
});

test('a full disk is an error', async (t) => {
    const f = folder(t, { 'a.pgn': good });
    const r = spawnSync('bash', ['-c', '"$0" import --dry-run "$1" > /dev/full', intrinsic, f('a.pgn')],
        { encoding: 'utf8' });
    assert.equal(r.status, 1);
    assert.match(r.stderr, /No space left/);
});

test('any bytes in a file name', async (t) => {
    const f = folder(t);
    const name = Buffer.concat([Buffer.from(f('a')), Buffer.from([0x0a, 0x22, 0xe9, 0x1b]), Buffer.from('.pgn')]);
    writeFileSync(name, wrong);
    const list = f('run.sh');
    writeFileSync(list, Buffer.concat([Buffer.from('exec "$1" import --dry-run $2 $\''),
        Buffer.from(name.toString('latin1').replace(/[^a-zA-Z0-9/._-]/g,
            (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)), Buffer.from('\'\n')]));
    const ndjson = spawnSync('bash', [list, intrinsic, '--report=ndjson']);
    const line = JSON.parse(ndjson.stdout.toString().split('\n')[0]);
    assert.equal(path.basename(line.file), 'a\n"\ufffd\u001b.pgn');
    const text = spawnSync('bash', ['-c', `. "${list}"`, 'x', intrinsic, '']).stdout.toString();
    assert.equal(/[\x00-\x09\x0b-\x1f]/.test(text), false);
});

/* Memory that grew with the file would pass the bound many times over. */
test('200 MB through a pipe in less than 64 MiB', async () => {
    const child = spawn(intrinsic, ['import', '--dry-run', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const piece = good.repeat(Math.ceil(2e6 / good.length));
    let said = '';
    child.stdout.on('data', (d) => { said += d; });
    for (let i = 0; i < 100; i++)
        if (!child.stdin.write(piece))
            await once(child.stdin, 'drain');
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    child.stdin.end();
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    assert.match(said, new RegExp(`games ${100 * piece.length / good.length}, `));
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]);
    assert.ok(peak < 64 * 1024, `${peak} KiB`);
});

test('the import refuses what the dry run refuses', async (t) => {
    const f = folder(t, { 'mixed.pgn': [good, wrong, game('x'.repeat(201), '1. d4'), game('D', '1. e4 e5 2. N3'),
        game('E', '1. Nf3 d5 2. Nd4 Nf6 3. -- e6'), '[Variant "Atomic"]\n\n1. e4 *\n\n',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[White "F"]\n[Black "G"]\n\n1. e4 *\n\n',
        game('G', '1. c4 { never closed')].join('') });
    const refusals = (text) => text.split('\n').filter((l) => / game \d+ \(/.test(l)).map((l) => {
        const [, line, number, type] = /^[^:]*:(\d+)(?::\d+)?: game (\d+) \(.*\): ([a-z_]+): /.exec(l);
        return `${line} ${number} ${type}`;
    });
    const dry = await attempt(['import', '--dry-run', f('mixed.pgn')], '');
    const real = await attempt(['import', f('mixed.pgn')], freshDatabase(t));
    assert.equal(real.code, 1, real.stderr);
    assert.deepEqual(refusals(real.stderr), refusals(dry.stdout));
    assert.equal(refusals(dry.stdout).length, 7);
});

test('the import goes on to the next file, names each that it cannot read, and says so at its end', async (t) => {
    const url = freshDatabase(t);
    const f = folder(t, { 'a.pgn': good, 'words.pgn': 'Dear friends\n', 'empty.pgn': '', 'cut.gz': gzipSync(good).subarray(0, 40),
        'wrong.pgn': game('Clement, Cy', '1. d4') + wrong, 'z.pgn': game('Zeller, Zoe', '1. c4') });
    const all = ['missing.pgn', 'words.pgn', 'empty.pgn', 'cut.gz', 'a.pgn', '.', 'z.pgn'].map(f);
    const r = await attempt(['import', ...all], url);
    assert.equal(r.code, 1);
    assert.match(r.stdout, /a\.pgn: 1 games read, 1 new.*\n.*z\.pgn: 1 games read, 1 new/);
    assert.match(r.stderr, /missing\.pgn: cannot_read: .*No such file/);
    assert.match(r.stderr, /words\.pgn: no_games: There is no game in the file: line 1, column 1: 'Dear' is not a move/);
    assert.match(r.stderr, /empty\.pgn: empty_body: /);
    assert.match(r.stderr, /cut\.gz: bad_archive: /);
    assert.match(r.stderr, /directory/i);
    assert.match(r.stderr, /intrinsic import: 0 of 2 games rejected, 5 of 7 files unreadable/);
    assert.equal((await attempt(['import', f('wrong.pgn')], url)).code, 1);
    assert.equal((await attempt(['import', f('words.pgn')], url)).code, 1);
    // Known already, or read before: every game was read.
    assert.equal((await attempt(['import', f('a.pgn'), f('z.pgn')], url)).code, 0);
    assert.equal((await attempt(['import', '--again', f('a.pgn')], url)).code, 0);
    assert.equal((await attempt(['import', f('wrong.pgn')], url)).code, 0);
    assert.equal((await attempt(['import', '--priority=10', f('a.pgn')], url)).code, 2);
    assert.equal((await attempt(['import'], url)).code, 2);
});

test('a packed file in an archive is named and makes the exit 1, dry and for good', async (t) => {
    const f = folder(t, { 'all.zip': zipped({ 'c.pgn.gz': gzipSync(good), 'a.pgn': good, 'readme.txt': 'hello' }) });
    const dry = await dryRun([f('all.zip')]);
    assert.equal(dry.code, 1);
    assert.deepEqual(dry.games.map((g) => [g.entry, g.status, g.error?.type]), [
        ['c.pgn.gz', 'error', 'bad_archive'], ['a.pgn', 'accepted', undefined], ['readme.txt', 'passed_over', undefined]]);
    assert.equal(dry.summary.failed, 1);
    const real = await attempt(['import', f('all.zip')], freshDatabase(t));
    assert.equal(real.code, 1);
    assert.match(real.stdout, /1 games read, 1 new, 0 duplicates, 0 rejected/);
    assert.match(real.stdout, /skipped: 1 files/);
    assert.match(real.stderr, /all\.zip: bad_archive: c\.pgn\.gz: This is a gzip file/);
});

test('every reason to refuse is documented', () => {
    const sources = ['analysis/chess', 'analysis/pgn', 'server/ingest', 'server/core']
        .flatMap((d) => readdirSync(path.join(root, d)).map((f) => path.join(root, d, f)))
        .filter((f) => f.endsWith('.c')).map((f) => readFileSync(f, 'utf8')).join('\n');
    const types = new Set([...sources.matchAll(
        /(?:IPR_EPARSE,|IPR_ELIMIT,|refuse\(w, [^;]*?,|IPR_PGN_[A-Z_]+,)\s*"([a-z]+_[a-z_]+)"/g)].map((m) => m[1]));
    assert.ok(types.has('illegal_move') && types.has('bad_fen') && types.has('null_move') && types.has('too_large'));
    const docs = ['import', 'interchange'].map((d) => readFileSync(path.join(root, `docs/${d}.md`), 'utf8')).join('\n');
    // A missing name is nobody's; only an upload may refuse analysed games.
    const elsewhere = ['no_player', 'bad_name', 'judged_games'];
    assert.deepEqual([...types].filter((t) => !docs.includes(`\`${t}\``) && !elsewhere.includes(t)), []);
});

test('help and documents name it', () => {
    const help = execFileSync(intrinsic, ['--help'], { encoding: 'utf8' });
    assert.match(help, /intrinsic import \[OPTION\]\.\.\. FILE\.\.\.\n(.*\n)* {6}--dry-run\n(.*\n)* {6}--report=ndjson\n/);
    assert.match(help, /docs\/import\.md/);
});

// Small inputs that once failed: what is read of each.
for (const [name, wanted] of Object.entries({
    date_only_utcdate: ['1-0 6'], evaluation_symbols: ['1-0 8'], invisible_characters: ['1-0 6'], typographic_dash: ['1-0 8'],
    forfeit_00_castles: ['* 6', '* 0', '1-0 4'], result_star_beats_tag: ['1-0 4', '1/2-1/2 4'], result_with_spaces: ['1-0 4', '0-1 4'],
    mail_quoted: ['1-0 6'], timecontrol_days: ['1-0 4'], timecontrol_odds: ['1-0 6', '1-0 6', '1-0 6'], rate_same_moves_four_years: Array(4).fill('1/2-1/2 56'),
    error_text_question_marks: [/Qh5U\+2020/], utf16_without_bom: [/UTF-16/],
}))
    test(`the case ${name} is read as meant`, () => {
        const { stdout } = spawnSync(intrinsic, ['import', '--dry-run', '--report=ndjson', path.join(root, `tests/data/cases/${name}.pgn`)],
            { encoding: 'utf8', env: environment('') });
        const lines = stdout.trim().split('\n').map((line) => JSON.parse(line)).filter(({ summary }) => !summary);
        assert.equal(lines.length, wanted.length, stdout);
        lines.forEach(({ status, result, plies, error }, i) => {
            if (wanted[i] instanceof RegExp) assert.match(error.detail, wanted[i]);
            else assert.deepEqual([status, `${result} ${plies}`], ['accepted', wanted[i]]);
        });
    });

test('evaluations with a decimal comma are those with a point, unless they are centipawns with depths', (t) => {
    const rated = (file) => spawnSync(intrinsic, ['rate', '--evals=only', '--format=csv', file], { encoding: 'utf8', env: environment('') }).stdout
        .replace(/Comma|Point/g, 'X');
    const at = (name) => path.join(root, `tests/data/cases/eval_decimal_${name}.pgn`), text = readFileSync(at('comma'), 'utf8');
    assert.match(rated(at('comma')), /X, Carl/);
    assert.equal(rated(at('comma')), rated(at('point_twin')));
    // ChessBase's: a quiet game, searched deeper and deeper.
    const f = folder(t, { 'a.pgn': text.replace(/0,\d\d|1,\d\d/g, (_, at) => `${at % 7},${18 + at % 15}`),
        'b.pgn': text.replace(/0,\d\d|1,\d\d/g, (_, at) => `0.0${at % 7},${18 + at % 15}`) });
    assert.equal(rated(f('a.pgn')), rated(f('b.pgn')));
});
