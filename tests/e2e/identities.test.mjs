// Twenty champions under the names of many collections become twenty persons: by one command and
// few decisions, and without a wrong merge.
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { attempt, freshDatabase, root, run, serve, shared, sql } from './lib.mjs';

const spellings = '/usr/share/scid/data/spelling.ssp';
const folder = shared('data/champions');
const skip = !folder ? 'no champions\' games' : !existsSync(spellings) && 'no scid-spell-data';

/** champion → how often each name of his occurs; two players of one game and a namesake are others. */
function variants() {
    const lines = readFileSync(path.join(folder, 'NAME_VARIANTS.tsv'), 'utf8').trim().split('\n');
    const own = (name) => !name.includes(':') && name !== 'Anand,Vignesh';
    return new Map(lines.map((line) => line.split('\t')).map(([champion, all]) =>
        [champion, all.split('; ').map((one) => one.slice(0, one.lastIndexOf(' '))).filter(own)]));
}

/** name in the games → the players who have it. */
function holders(url) {
    const found = new Map();
    for (const line of sql(url, `WITH RECURSIVE person (id, now) AS (SELECT id, id FROM player WHERE merged_into IS NULL
            UNION ALL SELECT player.id, now FROM player JOIN person ON merged_into = person.id)
        SELECT DISTINCT tags ->> 'White', now FROM game JOIN person ON person.id = white_id
        UNION SELECT tags ->> 'Black', now FROM game JOIN person ON person.id = black_id`).split('\n')) {
        const [name, player] = line.split('\t');
        found.set(name, [...found.get(name) ?? [], player]);
    }
    return found;
}

test('twenty champions, one command, at most ten decisions, nobody else\'s games', { skip }, (t) => {
    const url = freshDatabase(t), scid = { SCID_RATINGS_PATH: spellings };
    const files = readdirSync(folder).filter((f) => f.endsWith('.pgn.zst')).map((f) => path.join(folder, f));
    try {
        run(['import', '--quiet', ...files], url, scid);
    } catch (e) { // a game of Kramnik against himself is rejected
        assert.equal(e.status, 1, e.stderr);
    }
    const persons = () => {
        const held = holders(url);
        return [...variants()].map(([champion, names]) =>
            [champion, new Set(names.flatMap((name) => held.get(name) ?? []))]);
    };
    const count = (of) => of.reduce((n, [, players]) => n + players.size, 0);
    const before = count(persons());
    assert.ok(before >= 40, `${before} persons`);
    run(['identities', '--apply'], url, scid);
    const after = persons();
    assert.ok(count(after) - after.length <= 10, JSON.stringify(after.map(([name, { size }]) => [name, size])));

    // Whose name is none of a champion's has none of a champion's persons.
    const known = new Map([...variants()].flatMap(([champion, names]) => names.map((name) => [name, champion])));
    const champions = new Map();
    for (const [name, players] of holders(url))
        for (const player of players)
            champions.set(player, [...champions.get(player) ?? [], [known.get(name), name]]);
    for (const names of champions.values()) {
        const [some] = names.filter(([champion]) => champion);
        for (const [champion, name] of some ? names : [])
            assert.equal(champion, some[0], `${name} is the person of ${some[1]}`);
    }
});

test('a FIDE id that another name has makes nobody another player', async (t) => {
    const url = freshDatabase(t), s = await serve(t, url), file = path.join(root, 'tests/data/cases/fide_id_of_the_opponent.pgn');
    const game = (white, whiteId, black, blackId, moves) => `[Event "Club Open"]\n[Date "2024.03.03"]\n[White "${white}"]\n[Black "${black}"]\n[Result "1-0"]\n`
        + `[WhiteFideId "${whiteId}"]\n[BlackFideId "${blackId}"]\n\n${moves} 1-0\n\n`;
    const upload = async (pgn) => {
        const { id } = await (await s.post(pgn, '?analyse=false')).json();
        return s.json(`/api/v1/uploads/${id}`);
    };
    const players = () => sql(url, 'SELECT name, coalesce(fide_id, 0), (SELECT count(*) FROM game WHERE white_id = player.id OR black_id = player.id) FROM player WHERE id > 0 AND name <> \'?\' ORDER BY name, 2')
        .split('\n').map((line) => line.replace(/\t/g, ' '));
    const first = await upload(readFileSync(file, 'utf8'));
    assert.deepEqual([first.imported, first.rejected], [2, 0]);
    assert.deepEqual(first.errors.map(({ game: n, type, detail }) => [n, type, detail]),
        [[2, 'fide_id_set_aside', 'The game is kept without WhiteFideId, which another name has.']]);
    assert.deepEqual(players(), ['Ahlborn, Nora 990001101 1', 'Castello, Luis 0 1', 'Castello, Luis 990001102 1', 'Zimmers, Paul 0 1']);
    // Again: the same games. One id for everybody; other spellings of one name; a name changed by marriage.
    assert.equal((await upload(readFileSync(file, 'utf8') + game('Zeller, Zoe', 990001101, 'Ahlborn, N', 990001101, '1. c4'))).duplicate, 2);
    await upload(game('Ahlborn, N.', 990001101, 'Castelo, L', 990001102, '1. d4 d5') + game('Ahlborn-Meyer, Nora', 990001101, 'Kastello, Luis', 990001102, '1. d4 f5')
        + game('\u0410\u043b\u044c\u0431\u043e\u0440\u043d, \u041d', 990001101, 'Luis Castello', 990001102, '1. d4 Nf6'));
    assert.deepEqual(players(), ['Ahlborn, N 0 1', 'Ahlborn, Nora 990001101 4', 'Castello, Luis 0 1', 'Castello, Luis 990001102 4', 'Zeller, Zoe 0 1', 'Zimmers, Paul 0 1']);
    const rated = await attempt(['rate', '--format=csv', '--evals=only', file], '');
    assert.match(rated.stderr, /1 FIDE ids set aside/);
});
