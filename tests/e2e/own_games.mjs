// Files of our own making, in the form of sites, clubs and federations.
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from './lib.mjs';
import { strip } from '../support/strip_evals.mjs';

/** Games of the samples as one account's, with their analysis, in the form of a site. */
export function lines(form) {
    return spawnSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')], { maxBuffer: 1 << 28 })
        .stdout.toString().split('\n').filter((line) => line.includes('"1972.')).slice(0, 20).map((line) => JSON.parse(line))
        .map((game, i) => ({ ...game, tags: form(game, i) }));
}

/** The same as PGN, with evaluations after every move. */
export const games = (form) => lines(form).map((game) => strip(game)).join('');

export const forms = {
    lichess: (game, i) => ({ Event: 'Rated rapid game', Site: `https://lichess.org/abcd${String(i).padStart(4, '0')}`, Date: `2026.${10 + i % 2}.0${1 + i % 9}`,
        White: i % 2 ? `Rival${i}` : 'anna', Black: i % 2 ? 'anna' : `Rival${i}`, Result: game.result, WhiteElo: '1804', BlackElo: '1804',
        TimeControl: '600+0', ECO: game.tags.ECO }),
    chess_com: (game, i) => ({ Event: 'Live Chess', Site: 'Chess.com', Date: `2026.11.0${1 + i % 9}`, White: i % 2 ? `Rival${i}` : 'bert',
        Black: i % 2 ? 'bert' : `Rival${i}`, Result: game.result, WhiteElo: '1500', BlackElo: '1510', TimeControl: '600', ECO: game.tags.ECO }),
    club: (game, i) => ({ Event: 'Club championship', Date: `2026.0${1 + i % 9}.??`, Round: String(i + 1), White: i % 2 ? `Foe, F${i}` : 'Clara, Cox',
        Black: i % 2 ? 'Clara, Cox' : `Foe, F${i}`, Result: game.result }),
    federation: (game, i) => ({ Event: 'National League', Site: 'Bern', Date: '2026.05.01', Round: String(i + 1), White: i % 2 ? `Foe, G${i}` : 'Dora, Day',
        Black: i % 2 ? 'Dora, Day' : `Foe, G${i}`, Result: game.result, WhiteElo: '2105', BlackElo: '2105', [i % 2 ? 'BlackFideId' : 'WhiteFideId']: '1234567', ECO: game.tags.ECO }),
};
