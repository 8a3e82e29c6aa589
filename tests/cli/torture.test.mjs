// Every file of ../shared/data/torture is read, or refused, as its NOTES.tsv says.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { attempt, shared } from '../e2e/lib.mjs';

const folder = shared('data/torture');

/** Files of which every game is accepted, and how many there are. */
const accepted = {
    'alexisolson_sample_input': 10, 'benini_res_gameLatin1': 1, 'benini_res_gameUTF8': 1,
    'disservin_backslash_header': 1, 'disservin_book': 1, 'disservin_fishtest-fastchess': 4,
    'disservin_no_moves': 1, 'disservin_no_moves_but_comment_followed_by_termination_marker': 2,
    'disservin_no_moves_but_game_termination_multiple': 2, 'disservin_no_moves_two_games': 2,
    'disservin_no_result': 1, 'disservin_skip': 2, 'disservin_square_bracket_in_header': 1,
    'disservin_unescaped_quote_header': 1, 'disservin_variations': 1, 'jhlywa_1': 1, 'jhlywa_2': 1,
    'jonathan-wu1_world-youth-cup-finals-under-14--1': 71, 'lgbarn_duplicates': 4, 'lgbarn_filter-test': 4,
    'lgbarn_fischer': 34, 'lgbarn_fools-mate': 1, 'lgbarn_najdorf': 8, 'lgbarn_nested-comment': 1,
    'lgbarn_no-eco': 3, 'lgbarn_petrosian': 35, 'lgbarn_test-7': 1, 'lgbarn_test-C': 1, 'lgbarn_test-P': 11,
    'lgbarn_test-Ta': 1, 'lgbarn_test-checkmate': 2, 'lgbarn_test-fifty': 2,
    'lgbarn_test-fixresulttags-in': 5, 'lgbarn_test-fuzzydepth': 4, 'lgbarn_test-long-line': 1,
    'lgbarn_test-matchplylimit': 1, 'lgbarn_test-promotion-in': 8, 'lgbarn_test-repetition': 12,
    'lgbarn_test-s': 3, 'lgbarn_test-setup-in': 2, 'lgbarn_test-splitvariants': 1,
    'lgbarn_test-stalemate': 3, 'lgbarn_test-startply': 10, 'lgbarn_test-t': 6,
    'jhlywa_0': 1, 'lichess-org_uzchesscup': 45, 'lunahernandez_games': 45, 'niklasf_chessbase-empty-line': 1,
    'niklasf_molinari-bordais-1979': 1, 'niklasf_nepomniachtchi-liren-game1': 1,
    'niklasf_pathological-headers': 1, 'niklasf_stockfish-learning': 1, 'niklasf_uci-moves': 1,
    'niklasf_utf8-bom': 2, 'notnil_0001': 1, 'notnil_0003': 1, 'notnil_0004': 1, 'notnil_0005': 1,
    'notnil_0006': 5, 'notnil_0007': 5, 'notnil_0008': 1, 'notnil_0009': 1, 'notnil_0010': 1,
    'notnil_0011': 1, 'notnil_0012': 1, 'notnil_0013': 3, 'notnil_0014': 5, 'notnil_0015': 1,
    'own_deep_rav': 1, 'own_mac_cr': 1, 'own_nul': 1, 'own_percent_escape': 1, 'own_semicolon': 1,
    'pychess_3fold': 2, 'pychess_a': 1, 'pychess_annotated': 1, 'pychess_bilbao': 1, 'pychess_black': 1,
    'pychess_c': 1, 'pychess_chess960rwch': 20, 'pychess_d': 1, 'pychess_e': 1, 'pychess_f': 1,
    'pychess_insufficient_material': 1, 'pychess_promotion': 1,
};

/** Files of which games are refused: how many accepted, what the others are refused for and, for
 * some, where the first of them: line, column, ply. */
const refused = {
    'lgbarn_test-allownullmoves': [0, { null_move: 2 }, [11, 9, 1]],
    'niklasf_anastasian-lewis': [0, { null_move: 1 }, [20, 15, 81]], // 41... Z0
    'niklasf_headers-and-moves-on-the-same-line': [0, { unsupported_variant: 3 }, [1, 1, 0]], // Antichess
    'niklasf_knightvuillaume-jannlee-zh-lichess': [0, { unsupported_variant: 1 }],
    'niklasf_saturs-jannlee-zh-lichess': [0, { unsupported_variant: 1 }],
    'own_ambiguous_san': [1, { ambiguous_move: 1 }, [6, 23, 4]],
    'own_truncated': [0, { unterminated_comment: 1 }, [6, 17, 3]],
    'own_unclosed_tag': [0, { bad_tag: 1 }, [1, 1, 0]],
    'own_wrong_san': [1, { illegal_move: 1 }, [6, 13, 2]],
    'pychess_atomic': [0, { unsupported_variant: 10 }],
    'pychess_sittuyin': [0, { unsupported_variant: 3 }],
};

/** Files in which nothing is a tag or a move. */
const noGames = ['pychess_badpgn'];

/** NOTES.tsv counts "[Event " at the beginning of a line; games without that tag it cannot see. */
const withoutEvent = ['disservin_no_moves_but_comment_followed_by_termination_marker',
    'lgbarn_nested-comment', 'lgbarn_test-fuzzydepth', 'lgbarn_test-promotion-in',
    'lichess-org_uzchesscup', 'niklasf_headers-and-moves-on-the-same-line',
    'niklasf_pathological-headers', 'notnil_0008', 'notnil_0009', 'notnil_0010', 'notnil_0015'];

const skip = folder ? false : 'skipped: ../shared/data/torture';

async function read(name) {
    const r = await attempt(['import', '--dry-run', '--report=ndjson', path.join(folder, `${name}.pgn`)], '');
    const lines = r.stdout.trim().split('\n').map((l) => JSON.parse(l));
    return { code: r.code, lines, games: lines.filter((l) => l.index), summary: lines.at(-1).summary };
}

/** Brackets opened outside of tags and comments, counted another way than the reader's. */
function bracketsOpened(name) {
    return readFileSync(path.join(folder, `${name}.pgn`), 'latin1')
        .replace(/^\[.*\]\s*$/gm, '').replace(/\{[^}]*\}/g, '').replace(/;.*$/gm, '').replace(/^%.*$/gm, '')
        .replace(/[^(]/g, '').length;
}

test('every file has its row', { skip }, () => {
    const files = readdirSync(folder).filter((f) => f.endsWith('.pgn')).map((f) => f.slice(0, -4));
    assert.deepEqual([...Object.keys(accepted), ...Object.keys(refused), ...noGames].sort(), files.sort());
});

test('the numbers of games are those of the notes', { skip }, () => {
    const total = (name) => noGames.includes(name) ? 0 : accepted[name] ??
        refused[name][0] + Object.values(refused[name][1]).reduce((a, b) => a + b);
    const differ = [];
    for (const row of readFileSync(path.join(folder, 'NOTES.tsv'), 'utf8').trim().split('\n').slice(1)) {
        const [file, , games] = row.split('\t');
        if (total(file.slice(0, -4)) !== Number(games))
            differ.push(file.slice(0, -4));
    }
    assert.deepEqual(differ.sort(), withoutEvent);
});

for (const [name, games] of Object.entries(accepted)) {
    test(name, { skip }, async () => {
        const r = await read(name);
        assert.deepEqual(r.games.filter((g) => g.status !== 'accepted'), []);
        assert.equal(r.summary.games, games);
        assert.equal(r.code, 0);
        if (name !== 'lgbarn_nested-comment')
            assert.equal(r.summary.variations, bracketsOpened(name));
    });
}

for (const name of noGames) {
    test(name, { skip }, async () => {
        const r = await read(name);
        assert.deepEqual(r.lines.slice(0, -1).map((l) => [l.status, l.error.type]), [['error', 'no_games']]);
        assert.match(r.lines[0].error.detail, /line 1, column 1/);
        assert.deepEqual([r.summary.games, r.summary.failed, r.code], [0, 1, 1]);
    });
}

for (const [name, [games, types, place]] of Object.entries(refused)) {
    test(name, { skip }, async () => {
        const r = await read(name);
        assert.deepEqual(r.summary.refused_by_type, types);
        assert.equal(r.summary.accepted, games);
        assert.equal(r.code, 1);
        for (const { error } of r.games.filter((g) => g.status === 'refused'))
            assert.ok(error.line > 0 && error.column > 0 && error.ply >= 0 && error.detail !== '', JSON.stringify(error));
        const { error } = r.games.find((g) => g.status === 'refused');
        if (place)
            assert.deepEqual([error.line, error.column, error.ply], place);
    });
}
