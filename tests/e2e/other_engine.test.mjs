// A service whose worker has another engine than the one that ratings are calibrated for: it rates as `intrinsic rate` does
// with that engine, names it, and shows the error. Evaluations of both are never in one number.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, run, serve, sql, until } from './lib.mjs';
import { worker } from './cluster.mjs';
import { page } from '../golden/text.mjs';

const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4';
const game = (white, black, text, result) => `[Event "Open"]\n[Date "2024.03.01"]\n[Round "${text.length}"]\n[White "${white}"]\n[Black "${black}"]\n`
    + `[WhiteElo "2100"]\n[BlackElo "1900"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;
const three = game('Adler, Ann', 'Brandt, Bo', moves, '1-0') + game('Brandt, Bo', 'Clement, Cy', `${moves} 13. cxd4`, '1/2-1/2')
    + game('Clement, Cy', 'Adler, Ann', `${moves} 13. cxd4 Nc6 14. Nb3 a5`, '0-1');
const fairy = { STOCKFISH_PATH: '/usr/games/fairy-stockfish' };
const width = ({ interval }) => interval.high - interval.low;

test('another engine rates in the service, and never together with 15.1', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-engine-')), url = freshDatabase(t);
    t.after(() => rmSync(folder, { recursive: true }));
    const [pgn, saved] = ['three.pgn', 'own.ndjson'].map((name) => path.join(folder, name));
    writeFileSync(pgn, three);
    const by = (args, extra) => Object.fromEntries(JSON.parse(run(['rate', '--format=json', ...args, pgn], '', extra)).rows
        .map((row) => [row.player.name, row.rating]));
    const other = by([], fairy), own = by([`--save=${saved}`]);

    run(['import', '--quiet', '--analyse', pgn], url);
    const w = worker(t, url, { settings: fairy });
    await until('the games are analysed', () => sql(url, 'SELECT count(*) FROM job') === '0');
    assert.equal(await w.end('SIGTERM'), 0);
    const site = await serve(t, url);
    const { players } = await site.json('/api/v1/players');
    assert.equal(players.length, 3);

    /** What each place says of each player is the rating of `rate`, with its error. */
    async function rated(wanted, equated) {
        for (const { id, name } of players) {
            const want = wanted[name], { rating } = await site.json(`/api/v1/players/${id}`);
            const same = (got, place) => {
                assert.equal(got.estimate.toFixed(3), want.estimate.toFixed(3), `${name}: ${place}`);
                assert.equal(width(got).toFixed(3), width(want).toFixed(3), `${name}: ${place}`);
            };
            same(rating, 'the player');
            assert.deepEqual(rating.equated, want.equated);
            assert.equal(rating.equated !== undefined, equated);
            same((await site.json(`/api/v1/players/${id}/years`)).years[0].rating, 'the years');
            same((await site.json(`/api/v1/players/${id}/ratings?year=2024`)).rating, 'the year');
            same((await site.json(`/api/v1/careers?set=${id}`)).sets[0].rating, 'the career');
            const { player_years: listed } = await site.json('/api/v1/player-years?judge=rating');
            same(listed.find(({ player }) => player.id === id).rating, 'the list');
            same((await site.json(`/api/v1/moves?player=${id}`)).rating, 'the moves');
            const event = await site.json(`/api/v1/events?player=${id}`);
            same((await site.json(`/api/v1/events/${event.events[0].id}/players/${id}`)).rating, 'the event');
            const upload = await site.json('/api/v1/uploads/1');
            same(upload.ratings.find(({ player }) => player.id === id).rating, 'the upload');
            for (const address of [`/players/${id}`, `/players/${id}/2024`]) {
                const text = page(await (await site.get(address)).text());
                assert.equal(/Analysed by Fairy-Stockfish 11\.1 LB 64, whose evaluations are brought to the scale of Stockfish 15\.1; the interval includes the error of that, \d+ Elo\./
                    .test(text), equated, `${address}: ${text}`);
            }
        }
    }
    await rated(other, true);
    const { engine, known, standard_error: error } = other['Adler, Ann'].equated;
    assert.ok(engine.startsWith('Fairy-Stockfish 11.1') && known && error > 5);

    run(['import', '--quiet', saved], url);
    assert.equal(sql(url, "SELECT count(DISTINCT judge_id) FROM judged_side"), '2');
    await rated(other, true);
    run(['migrate'], url);
    await rated(own, false);
});
