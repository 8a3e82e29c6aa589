// `intrinsic ratings`: what it takes over, what it says of lines that make no sense, how it ends,
// and what the API then answers.
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt, freshDatabase, root, run, serve } from '../e2e/lib.mjs';

const lists = path.join(root, 'tests/data/ratings/lists.ssp');

const game = (white, black, date, result, tags = '') => `[Event "Club"]\n[White "${white}"]\n[Black "${black}"]\n`
    + `[Date "${date}"]\n[Result "${result}"]\n${tags}\n1. e4 e5 2. Nf3 Nc6 ${result}\n\n`;

/** A file of the test's own; gone when it ends. */
function file(t, name, content) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-ratings-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const at = path.join(dir, name);
    writeFileSync(at, content);
    return at;
}

test('ratings: what is taken over, what is passed over, and what of it the API tells', async (t) => {
    const url = freshDatabase(t);
    run(['import', '--quiet', file(t, 'games.pgn',
        game('Adler, Vera', 'Falk, Kim', '1990.08.01', '1-0')
        + game('Falk, Kim', 'Adler, Vera', '1979.05.01', '1-0')
        + game('Adler, Vera', 'Xu, Y', '1990.??.??', '1/2-1/2', '[BlackElo "2420"]\n'))], url);
    const first = await attempt(['ratings', lists], url);
    assert.equal(first.code, 0);
    assert.match(first.stdout, /2 of 3 players found, 0 by FIDE id and 2 by name, with 9 ratings; 2 histories changed, 0 dropped/);
    const said = first.stderr.trim().split('\n');
    assert.equal(said.length, 9);
    assert.equal(said[0], `${lists}:28:9: '1978:1980:' has a value that is not a rating; skipped`);
    for (const line of said)
        assert.match(line, /lists\.ssp:\d+:\d+: '.+' .+; skipped$/);

    const again = await attempt(['ratings', '--quiet'], url, { SCID_RATINGS_PATH: lists });
    assert.deepEqual(again, { code: 0, stdout: '', stderr: '' });

    const s = await serve(t, url);
    const { players } = await s.json('/api/v1/players?q=adler');
    const id = players[0].id;
    for (const [query, names] of [['born_from=1900', ['Adler, Vera', 'Falk, Kim']], ['born_to=1965', ['Adler, Vera']], ['born_from=1966&born_to=1985&sort=-name', ['Falk, Kim']],
        ['born_from=1986', []], ['born_to=1965&q=falk', []], ['', ['Adler, Vera', 'Falk, Kim', 'Xu, Y']]])
        assert.deepEqual((await s.json(`/api/v1/players?${query}`)).players.map(({ name }) => name).sort(), names, query);
    assert.equal((await s.get('/api/v1/players?born_from=1985&born_to=1965')).status, 400);
    const year = await s.json(`/api/v1/elo?player=${id}&year=1990`);
    assert.deepEqual(year.history, [{ date: '1990-01', elo: 2420, source: 'rating list' },
        { date: '1990-07', elo: 2430, source: 'rating list' }]);
    assert.deepEqual(year.listed_as, { name: 'Adler, Vera', matched_by: 'name', file: 'lists.ssp' });
    assert.equal(year.elo.estimate, 2430);
    assert.equal(year.elo.standard_error, null);
    assert.equal(year.opponents.source, 'game tags');
    assert.equal(year.expected.games, 1);
    assert.equal(year.expected.estimate, 0.5);
    const early = await s.json(`/api/v1/elo?player=${id}&to=1980`);
    assert.equal(early.mean.estimate, null);
    assert.equal(early.opponents.mean, 2050);
    assert.equal(early.performance.estimate, null, 'a loss alone is a bound, no rating');
    assert.equal(early.performance.bounded, true);
    assert.equal(early.performance.interval.low, null);
    assert.ok(early.performance.interval.high >= 1250);
    for (const [query, status, says] of [['', 400, /player: expected a whole number/], ['?player=x', 400, /player: expected/],
        ['?player=999999', 404, /no such player/], [`?player=${id}&year=1990&to=1991`, 400, /year: expected only without from,to, got \\?"1990/],
        [`?player=${id}&from=1991&to=1990`, 400, /from: expected at most 1990, the value of to, got/],
        [`?player=${id}&year=1990&judge=quick`, 400, /no parameter "judge"/]]) {
        const r = await s.get(`/api/v1/elo${query}`);
        assert.equal(r.status, status, query);
        assert.match((await r.json()).detail, says);
    }
});

test('ratings: files that cannot be used, each told in one line', async (t) => {
    const url = freshDatabase(t);
    for (const [args, code, says] of [
        [[], 2, /no FILE, and SCID_RATINGS_PATH is not set/],
        [['a', 'b'], 2, /usage/],
        [['/nowhere/x.ssp'], 1, /\/nowhere\/x\.ssp: No such file/],
        [['README.md'], 2, /no section @PLAYER/],
        [[file(t, 'names.ssp', '@PLAYER\nTal, M\n')], 1, /contains no ratings/],
        [[file(t, 'cut.ssp', '@PLAYER\nTal, M\n  %Elo 1971:26')], 2, /line 3 breaks off/],
    ]) {
        const r = await attempt(['ratings', ...args], url, { SCID_RATINGS_PATH: '' });
        assert.equal(r.code, code, r.stderr);
        assert.match(r.stderr, says);
        assert.equal(r.stderr.trim().split('\n').length, 1, r.stderr);
    }
});

test("ratings: Debian's file and the shipped samples", async (t) => {
    const real = process.env.SCID_RATINGS_PATH || '/usr/share/scid/data/spelling.ssp';
    if (!existsSync(real) || !readFileSync(real, 'latin1').includes('\n   %Elo '))
        return t.skip(`${real} is not there or has no ratings (Debian package scid-rating-data)`);
    const url = freshDatabase(t);
    run(['import', path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst')], url);
    assert.match(run(['ratings', '--quiet', real], url), / \d+ histories changed, 0 dropped/);
    const s = await serve(t, url);
    const { players: [fischer] } = await s.json('/api/v1/players?q=fischer');
    const { history } = await s.json(`/api/v1/elo?player=${fischer.id}`);
    assert.deepEqual(history.find((h) => h.date.startsWith('1972')),
        { date: '1972-07', elo: 2785, source: 'rating list' });
    const before1870 = (await s.json('/api/v1/players?born_to=1870')).players.map(({ name }) => name);
    assert.ok(before1870.includes('Steinitz, Wilhelm') && !before1870.includes('Fischer, Robert J'), `${before1870}`);
});
