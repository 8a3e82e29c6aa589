// Our reading against pgn-extract's, of every game there is at hand: the same games accepted, the
// same final positions. Where the two differ, the table below says why ours is right; a difference
// it does not know fails, and so does a row that no longer occurs.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { intrinsic, root, shared } from '../e2e/lib.mjs';

const pgnExtract = '/usr/games/pgn-extract';

// Why ours is right, and what only one of the two has: "ours" with the number of the game in the
// file, "theirs" with the number of the game in pgn-extract's output.
const noResult = 'A game without a result: pgn-extract says "Missing result" and drops it. Its moves are legal.';
const tagsAlone = 'Tags without moves or result are a game all the same; pgn-extract passes over them.';
const notAGame = 'Refused, with its place. pgn-extract says what it cannot read, and writes a game of nothing.';
const otherRules = 'Refused: the game says it is played by other rules. pgn-extract reads it as chess, as far as it goes.';

const explained = {
    'disservin_no_moves.pgn': [tagsAlone, 'ours 1: no moves'],
    'disservin_no_moves_but_comment_followed_by_termination_marker.pgn': [
        'A comment and a result, without moves; pgn-extract drops both games.',
        'ours 1: no moves', 'ours 2: no moves'],
    'jhlywa_0.pgn': [
        'Markup of a web page stands where line ends were; pgn-extract gives up at the first.',
        'ours 1: 77 plies, 8/8/8/4Q3/2P1R1k1/8/5PKP/8 b - -', 'theirs 1: no moves'],
    'lgbarn_nested-comment.pgn': [
        'The comment is nested, as its own text says; pgn-extract wants an option for it, and else ' +
        'takes the rest of the comment for moves.',
        'ours 1: 1 plies, rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -', 'theirs 1: no moves'],
    'lichess-org_uzchesscup.pgn': [tagsAlone,
        ...Array.from({ length: 45 }, (_, i) => `ours ${i + 1}: no moves`)],
    'niklasf_knightvuillaume-jannlee-zh-lichess.pgn': [otherRules, 'theirs 1: no moves'],
    'niklasf_pathological-headers.pgn': [tagsAlone, 'ours 1: no moves'],
    'niklasf_saturs-jannlee-zh-lichess.pgn': [otherRules, 'theirs 1: no moves'],
    'notnil_0008.pgn': [noResult, 'ours 1: 4 plies, rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq -'],
    'notnil_0009.pgn': [noResult, 'ours 1: 6 plies, r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -'],
    'notnil_0010.pgn': [noResult, 'ours 1: 6 plies, r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -'],
    'own_nul.pgn': [
        'A NUL in a tag and one between moves stand for nothing; to pgn-extract the file ends there.',
        'ours 1: 2 plies, rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -'],
    'own_semicolon.pgn': [
        'The standard has comments from ";" to the end of the line; pgn-extract 19-04 does not know them.',
        'ours 1: 4 plies, r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -', 'theirs 1: no moves'],
    'own_unclosed_tag.pgn': [
        'Refused: tags that are not closed do not say who played. pgn-extract takes what it finds.',
        'theirs 1: 4 plies, rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -'],
    'pychess_a.pgn': [noResult, 'ours 1: 8 plies, r1bqkb1r/p2ppppp/1pn2n2/2p5/2P1P3/3P1N2/PP3PPP/RNBQKB1R w KQkq -'],
    'pychess_atomic.pgn': [otherRules,
        'theirs 1: 22 plies, r1bqkb1r/p1p1p2p/2n2pp1/1p1p4/5P2/N2BPQ1P/PPPP2P1/R1B1Kn1R w kq -'],
    'pychess_badpgn.pgn': [notAGame, 'theirs 1: no moves'],
    'pychess_black.pgn': [noResult, 'ours 1: 17 plies, r1b1k2r/ppppqppp/5n2/2B1n3/4P3/2NP4/PPP2PPP/R2Q1RK1 b kq -'],
    'pychess_c.pgn': [noResult, 'ours 1: 70 plies, R7/1pp4p/6p1/1qn5/5Q2/3p2P1/1P2kP1P/5RK1 w - -'],
    'pychess_chess960rwch.pgn': [
        'The same right of the same rook: X-FEN names an outermost rook K, Shredder-FEN by its file.',
        'ours 3: 43 plies, Q2B4/1p1kqbbp/3p2p1/1p2p3/4P3/1P3P2/1PP3PP/1K1R4 b K -',
        'theirs 3: 43 plies, Q2B4/1p1kqbbp/3p2p1/1p2p3/4P3/1P3P2/1PP3PP/1K1R4 b D -'],
    'pychess_d.pgn': [noResult, 'ours 1: 46 plies, 2k1q2r/ppp2ppp/8/4R3/8/b7/5PPP/2r3K1 w - -'],
    'pychess_e.pgn': [noResult, 'ours 1: 69 plies, 8/R6p/8/6p1/3P2k1/2P2QP1/4K3/8 b - -'],
    'pychess_f.pgn': [noResult, 'ours 1: 18 plies, 2rqk1nr/pp2bppp/1n2p3/3pP3/3P4/5N2/PP3PPP/RNBQ1RK1 w k -'],
    'pychess_promotion.pgn': [noResult, 'ours 1: 22 plies, r3kb1r/ppP1pppp/5n2/8/b5P1/5P2/PP3K1P/nNq2BNR w kq -'],
    'pychess_sittuyin.pgn': [otherRules, 'theirs 1: no moves'],
};

/* ---- the two readers: final positions of the games accepted, in their order ---- */

const run = (program, args) => spawnSync(program, args, { encoding: 'latin1', maxBuffer: 1 << 28 });

/** Number of half-moves and final position. After no moves pgn-extract prints no position. */
const end = (plies, fen) => plies > 0 ? `${plies} plies, ${fen.split(' ').slice(0, 4).join(' ')}` : 'no moves';

function ours(file) {
    const lines = run(intrinsic, ['import', '--dry-run', '--report=ndjson', file]).stdout.trim().split('\n');
    const games = lines.map((l) => JSON.parse(l)).filter((l) => l.index);
    return games.filter((g) => g.status === 'accepted')
        .map((g) => ({ number: g.index, position: end(g.plies, g.fen) }));
}

function theirs(file) {
    const out = run(pgnExtract, ['-s', '-F', '-C', '-N', '-V', '--notags', '-Wuci', '-w1000000', '--nofauxep', file]);
    return out.stdout.split('\n').filter((l) => l.trim() !== '').map((l, i) => {
        const [, moves, fen] = /^(.*) \{ "(.*)" \}/.exec(l) ?? [];
        return { number: i + 1, position: end(moves?.split(' ').length ?? 0, fen) };
    });
}

/* ---- what only one of them has: a longest common subsequence, of what is left when both ends
 * agree ---- */

function differences(a, b) {
    let from = 0, ends = 0;
    const same = (i, j) => a[i].position === b[j].position;
    while (from < a.length && from < b.length && same(from, from)) from++;
    while (ends < a.length - from && ends < b.length - from && same(a.length - 1 - ends, b.length - 1 - ends)) ends++;
    const n = a.length - ends, m = b.length - ends;
    const common = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
    for (let i = n - 1; i >= from; i--)
        for (let j = m - 1; j >= from; j--)
            common[i][j] = same(i, j) ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    const found = [];
    for (let i = from, j = from; i < n || j < m;) {
        if (i < n && j < m && same(i, j)) { i++; j++; }
        else if (j >= m || (i < n && common[i + 1][j] >= common[i][j + 1])) found.push(`ours ${a[i].number}: ${a[i++].position}`);
        else found.push(`theirs ${b[j].number}: ${b[j++].position}`);
    }
    return found;
}

/* ---- the files ---- */

function files(folder) {
    if (!folder || !existsSync(folder)) return [];
    return readdirSync(folder).filter((f) => /\.pgn(\.zst|\.bz2)?$/.test(f)).sort().map((f) => path.join(folder, f));
}

function unpacked(t, file) {
    const unpack = { '.zst': 'zstdcat', '.bz2': 'bzcat' }[path.extname(file)];
    if (!unpack) return file;
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-pgn-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const plain = path.join(dir, path.basename(file).replace(/\.(zst|bz2)$/, ''));
    writeFileSync(plain, execFileSync(unpack, [file], { maxBuffer: 1 << 28 }));
    return plain;
}

const folders = { 'static/samples': path.join(root, 'static/samples') };
for (const name of ['torture', 'champions', 'mileposts', 'wch'])
    folders[name] = shared(`data/${name}`);

/** A row of the table whose file is gone would never be missed. */
test('every explained file is there', { skip: shared('data/torture') ? false : 'skipped: ../shared/data/torture' }, () => {
    const names = Object.values(folders).flatMap(files).map((f) => path.basename(f));
    assert.deepEqual(Object.keys(explained).filter((f) => !names.includes(f)), []);
});

for (const [name, folder] of Object.entries(folders)) {
    const skip = !existsSync(pgnExtract) ? `skipped: no ${pgnExtract}`
        : !folder ? `skipped: ../shared/data/${name}` : false;
    test(`games of ${name}`, { skip }, async (t) => {
        assert.notEqual(files(folder).length, 0);
        for (const file of files(folder)) {
            await t.test(path.basename(file), (s) => {
                const plain = unpacked(s, file);
                const mine = ours(plain);
                assert.deepEqual(differences(mine, theirs(plain)), explained[path.basename(file)]?.slice(1) ?? []);
            });
        }
    });
}
