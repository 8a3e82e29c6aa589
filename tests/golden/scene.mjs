// The databases of the golden answers: what setup/prepare.sh makes of games with evaluations by `standard`, and after
// it what the samples lack; then the same with those by `rating`, champions, and an event of our own making. Every step
// runs alone and in this order, so that ids are the same every time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt, environment, filledDatabase, fitted, intrinsic, root, run, serve, sql } from '../e2e/lib.mjs';
import { evaluated } from './rate.mjs';

const here = path.join(root, 'tests/golden');
const judged = path.join(root, 'static/samples/judged');

/** Settings of the person who runs the tests must not show in an answer. */
export const settings = { SCID_RATINGS_PATH: '', STOCKFISH_PATH: '', SYZYGY_PATH: '' };

/** The samples of then, and what is queued by the default of then; what is served is so by today's. */
const queued = { ...settings, INTRINSIC_JUDGE: 'standard', SAMPLES: 'standard' };

const sample = (name) => execFileSync('zstdcat',
    [path.join(judged, readdirSync(judged).find((f) => f.includes(name)))],
    { encoding: 'utf8', maxBuffer: 1 << 28 });

/** Evaluations of the samples under another judge's name, and as if of blitz games. */
function other() {
    const second = sample('1972_fischer').replaceAll('"name":"standard","engine":"Stockfish 15.1"',
        '"name":"second","engine":"Stockfish 14"');
    const blitz = sample('1961_botvinnik').trim().split('\n').slice(0, 12).map((line) => line
        .replace(/"Event":"[^"]*"/, '"Event":"Blitz match"').replace(/"Date":"1961/, '"Date":"1962')
        .replace('"ECO"', '"TimeControl":"300","ECO"').replace(/,"EventDate":"[^"]*"/, '')).join('\n');
    return { 'second.ndjson': second, 'blitz.ndjson': `${blitz}\n` };
}

const steps = [
    ['POST', '/api/v1/identity-changes', { kind: 'merge', player: 30, other: 10 }],
    ['POST', '/api/v1/identity-changes', { kind: 'merge', player: 33, other: 9 }],
    ['POST', '/api/v1/identity-changes', { kind: 'undo', change: 2 }],
    ['POST', '/api/v1/identity-changes', { kind: 'distinct', player: 1, other: 28 }],
    ['POST', '/api/v1/identity-changes', { kind: 'split', player: 6, name: 'Botvinnik, M', from: 1948, to: 1948 }],
    ['POST', '/api/v1/judges', { name: 'mine', program: 'stockfish', multipv: 4, depth: 12 }],
    ['PATCH', '/api/v1/analyses', { game: 515, action: 'pause' }],
    ['PATCH', '/api/v1/analyses', { game: 517, priority: 2 }],
];

async function send(base, method, address, body) {
    const r = await fetch(base + address, { method, body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' } });
    if (!r.ok) throw new Error(`${method} ${address}: ${r.status} ${await r.text()}`);
}

async function fill(url) {
    const ends = [], t = { after: (f) => ends.unshift(f) };
    execFileSync(path.join(root, 'setup/prepare.sh'), [intrinsic], { cwd: root, stdio: 'ignore',
        env: environment(url, queued) });
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(other())) {
        writeFileSync(path.join(folder, name), text);
        run(['import', '--quiet', path.join(folder, name)], url, settings);
    }
    await attempt(['import', '--quiet', path.join(here, 'more.pgn')], url, settings); // refuses two
    const known = run(['export', '--format=pgn', '--event=World Championship 28th'], url, settings);
    writeFileSync(path.join(folder, 'known.pgn'), known.replaceAll('2785', '2790').split('\n[Event ')
        .slice(0, 4).join('\n[Event '));
    run(['import', '--quiet', path.join(folder, 'known.pgn')], url, settings);
    run(['ratings', '--quiet', path.join(here, 'lists.ssp')], url, settings);
    const site = await serve(t, url, settings);
    for (const step of steps) await send(site.base, ...step);
    await fitted(url);
    for (const end of ends) await end();
}

/** A database of one's own, `url`, and the service of it. */
export async function scene(t) {
    const url = await filledDatabase(t, 'scene', fill);
    return { url, ...await serve(t, url, settings) };
}

const names = ['Adler, Ann', 'Brandt, Bo', 'Conti, Carla', 'Duval, Denis', 'Egger, Eva', 'Fiala, Filip'];

/** A tournament of six with Elo in its tags, everybody twice against everybody, of moves of the samples; the last game
 * is not analysed. The second half is said to be rapid. */
function tournament() {
    const games = execFileSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')],
        { encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n').slice(0, 30).map((line) => JSON.parse(line));
    const pairs = names.flatMap((_, i) => names.flatMap((__, k) => (i === k ? [] : [[i, k]])));
    return games.map((game, n) => {
        const [white, black] = pairs[n], rapid = n >= 15;
        const tags = { Event: rapid ? 'Relabelled rapid' : 'Relabelled Open', Site: 'Ulm', Date: `2021.0${rapid ? 5 : 4}.${10 + n % 15}`,
            Round: String(1 + (n % 15) % 5), White: names[white], Black: names[black], WhiteElo: String(2600 - 90 * white),
            BlackElo: String(2600 - 90 * black), TimeControl: rapid ? '900+10' : '5400+30', Result: game.result };
        return JSON.stringify({ ...game, tags, turns: n === 14 ? [] : game.turns });
    }).join('\n');
}

/** The same games once more with evaluations and clocks, as lichess exports them, under other names. */
const clocked = () => evaluated('"World Championship 23th"')
    .replace(/\[Event "[^"]*"\]/g, '[Event "Club league"]').replaceAll('[Date "1960', '[Date "2020')
    .replaceAll('Botvinnik, Mikhail M', 'Gruber, Gerd').replaceAll('Tal, Mikhail N', 'Holm, Hanne')
    .replace(/\[%eval [^\]]*\]/g, (text, at) => `${text} [%clk 0:${10 + at % 49}:${10 + at % 50}]`);

/** Adds the rest to the database of `scene`. */
export async function rated(t, url) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries({ 'tournament.ndjson': `${tournament()}\n`, 'clocked.pgn': clocked() }))
        writeFileSync(path.join(folder, name), text);
    for (const file of ['static/samples/rating.ndjson.zst', ...[2, 3].map((n) => `static/champions/rating.${n}.ndjson.zst`),
        path.join(folder, 'tournament.ndjson'), path.join(folder, 'clocked.pgn')])
        run(['import', '--quiet', file], url, settings);
    await fitted(url);
    sql(url, 'DELETE FROM report'); // no report of the data before
}
