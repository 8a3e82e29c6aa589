// A service whose worker has another engine than the one that ratings are calibrated for: it rates as `intrinsic rate` does
// with that engine, names it, and shows the error. Games by several engines are in one rating, each once.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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


/** What each place says of each player is the rating of `rate`, with its error. */
async function rated(site, wanted, which) {
    const { players } = await site.json('/api/v1/players');
    assert.equal(players.length, Object.keys(wanted).length);
    for (const { id, name, turns } of players) {
        const want = wanted[name], { rating, turns: analysed } = await site.json(`/api/v1/players/${id}`);
        const same = (got, place) => {
            assert.equal(got.estimate?.toFixed(3), want.estimate.toFixed(3), `${which}: ${name}: ${place}`);
            assert.equal(width(got).toFixed(3), width(want).toFixed(3), `${which}: ${name}: ${place}`);
        };
        same(rating, 'the player');
        assert.equal(turns, analysed, `${which}: ${name}: the list of players`);
        assert.deepEqual(rating.equated, want.equated);
        assert.deepEqual([rating.games, rating.turns], [want.games, want.turns], `${which}: ${name}`);
        const [year] = (await site.json(`/api/v1/players/${id}`)).years;
        same(year.rating, 'the years');
        assert.equal(year.games_judged, want.games, JSON.stringify(year));
        const ratings = await site.json(`/api/v1/players/${id}/ratings?year=2024`);
        same(ratings.rating, 'the year');
        assert.equal(ratings.conformance.games, want.games, `${which}: ${JSON.stringify(ratings.conformance)}`);
        same((await site.json(`/api/v1/careers?set=${id}`)).sets[0].rating, 'the career');
        const { player_years: listed } = await site.json('/api/v1/player-years?judge=rating');
        same(listed.find(({ player }) => player.id === id).rating, 'the list');
        const moves = await site.json(`/api/v1/moves?player=${id}&limit=200`);
        same(moves.rating, 'the moves');
        assert.equal(moves.games, want.games);
        const event = await site.json(`/api/v1/events?player=${id}`);
        same((await site.json(`/api/v1/events/${event.events[0].id}/players/${id}`)).rating, 'the event');
        const upload = await site.json('/api/v1/uploads/1');
        same(upload.ratings.find(({ player }) => player.id === id).rating, 'the upload');
        for (const address of [`/players/${id}`, `/players/${id}/2024`]) {
            const text = page(await (await site.get(address)).text());
            assert.equal(/Analysed by Fairy-Stockfish 11\.1 LB 64( \(\d+ ?%? of what the rating rests on\))?, whose evaluations are brought to the scale of Stockfish 15\.1; the interval includes the error of that, \d+ Elo\./
                .test(text), want.equated !== undefined, `${which}: ${address}: ${text}`);
        }
    }
}

test('another engine rates in the service, together with 15.1, each game once', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-engine-')), url = freshDatabase(t);
    t.after(() => rmSync(folder, { recursive: true }));
    const file = (name) => path.join(folder, name);
    writeFileSync(file('three.pgn'), three);
    const by = (args, extra) => Object.fromEntries(JSON.parse(run(['rate', '--format=json', ...args], '', extra)).rows
        .map((row) => [row.player.name, row.rating]));
    const other = by([`--save=${file('fairy.ndjson')}`, file('three.pgn')], fairy), own = by([`--save=${file('own.ndjson')}`, file('three.pgn')]);
    const lines = (name) => readFileSync(file(name), 'utf8').trimEnd().split('\n');
    const one = lines('own.ndjson').find((line) => /"Adler/.test(line) && /"Brandt/.test(line));
    writeFileSync(file('one.ndjson'), `${one}\n`);
    writeFileSync(file('mixed.ndjson'), `${[one, ...lines('fairy.ndjson').filter((line) => !(/"Adler/.test(line) && /"Brandt/.test(line)))].join('\n')}\n`);
    const mixed = by([file('mixed.ndjson')]);
    assert.deepEqual(by([file('one.ndjson'), file('fairy.ndjson')]), mixed);

    run(['import', '--quiet', '--analyse', file('three.pgn')], url);
    const w = worker(t, url, { settings: fairy });
    await until('the games are analysed', () => sql(url, 'SELECT count(*) FROM job') === '0');
    assert.equal(await w.end('SIGTERM'), 0);
    const site = await serve(t, url);
    const remove = async () => {
        const [{ id }] = (await site.json('/api/v1/uploads')).uploads;
        const gone = await fetch(`${site.base}/api/v1/uploads/${id}`, { method: 'DELETE' });
        assert.equal(gone.status, 200, await gone.text());
    };
    await rated(site, other, 'Fairy');
    const { engine, known, standard_error: error, share } = other['Adler, Ann'].equated;
    assert.ok(engine.startsWith('Fairy-Stockfish 11.1') && known && error > 5 && share === undefined);

    run(['import', '--quiet', file('one.ndjson')], url);
    assert.equal(sql(url, "SELECT count(DISTINCT judge_id) FROM judged_side"), '2');
    await rated(site, mixed, 'both');
    const { equated } = mixed['Adler, Ann'];
    assert.ok(equated.share > .2 && equated.share < .8 && equated.standard_error < error, JSON.stringify(equated));
    assert.equal(mixed['Clement, Cy'].equated.share, undefined, 'whose games are by one');
    run(['migrate'], url);
    await rated(site, mixed, 'both, after an upgrade');
    await remove();
    await rated(site, other, 'Fairy alone again');
    run(['import', '--quiet', file('own.ndjson')], url);
    await rated(site, own, '15.1');
});
