// Games and a calibration for the tests, taken from what the product ships.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { intrinsic, root, sql } from './lib.mjs';

const samples = path.join(root, 'static/samples/world_championships_1886-1985.pgn.zst');
let text;

function allGames() {
    text ??= execFileSync('zstdcat', [samples], { encoding: 'latin1', maxBuffer: 1 << 26 });
    return text.split(/\n(?=\[Event )/);
}

/** Games of the shipped matches whose tags fit, as PGN. */
export function sampleGames(event, rounds) {
    return allGames().filter((g) => g.includes(`[Event "${event}"]`) && (!rounds ||
            rounds.some((r) => g.includes(`[Round "${r}"]`))))
        .map((g) => `${g.trim()}\n\n`).join('');
}

/** The first `n` shipped games of 18 to 24 moves: some dozens of turns each. */
export function shortGames(n) {
    const moves = (g) => Math.max(...[...g.matchAll(/(\d+)\./g)].map((m) => Number(m[1])));
    const body = (g) => g.slice(g.search(/\r?\n\r?\n/));
    const short = allGames().filter((g) => moves(body(g)) >= 18 && moves(body(g)) <= 24);
    return short.slice(0, n).map((g) => `${g.trim()}\n\n`).join('');
}

/** All shipped games of more than `n` moves, cut off there. */
export function gamesOf(n) {
    return allGames().flatMap((g) => {
        const [tags, moves] = g.trim().split(/\r?\n\r?\n/);
        const end = moves.search(new RegExp(`\\b${n + 1}\\.`));
        return end < 0 ? [] : [`${tags}\n\n${moves.slice(0, end)} ${tag(g, 'Result')}\n\n`];
    });
}

/** The value of a tag. */
export function tag(game, name) {
    return new RegExp(`\\[${name} "([^"]*)"`).exec(game)[1];
}

/** Three long games of Botvinnik and Tal, 1961: enough turns for a rating. */
export function threeGames() {
    return sampleGames('World Championship 24th', ['16', '17', '20']);
}

/** Defines the judge `faulty`, which is quick, but not too quick to be disturbed. */
export const defineFaulty = (url) => sql(url, `INSERT INTO judge_definition (name, program, multipv, depth, nodes,
    time_ms, hash_mb, threads, first_move, clear, tablebases, built_in, creator)
    VALUES ('faulty', 'stockfish', 6, 8, 0, 0, 16, 1, 9, 'position', false, false, 'test')`);

/** A record for the judge `quick`, made from the shipped figures of `standard` under another
 * name. Its ratings mean nothing; that a rating comes out with an interval is what is tested. */
export function quickCalibration(t) {
    const folder = mkdtempSync(path.join(tmpdir(), 'intrinsic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const figures = path.join(folder, 'quick.ndjson'), record = path.join(folder, 'quick.json');
    const shipped = execFileSync('zstdcat',
        [path.join(root, 'static/calibrations/standard.figures.ndjson.zst')],
        { encoding: 'utf8', maxBuffer: 1 << 28 });
    writeFileSync(figures, shipped.replaceAll('"name":"standard"', '"name":"quick"')
        .replaceAll('"depth":10', '"depth":8'));
    execFileSync(intrinsic, ['calibrate', `--from=${figures}`, `--record=${record}`],
        { env: { PATH: process.env.PATH } });
    return record;
}
