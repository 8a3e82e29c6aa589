// PGN with one evaluation a move, as lichess exports it, from analysed games (NDJSON on standard input):
// the value of each position that was analysed, White's view. Games of the samples become files of our
// own making for tests.
//
//   node tests/support/strip_evals.mjs [--form=eval|chessbase|comment|own] [--gaps=N] <GAMES.ndjson >FILE.pgn
//
// --form: [%eval 0.23], [%eval 23,18], {+0.23/18 3}, or the same from the mover's view; --gaps: every
// N-th evaluation is missing.
import { readFileSync } from 'node:fs';

const option = (name, otherwise) =>
    process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const form = option('form', 'eval'), gaps = Number(option('gaps', 0));

/** A score of the interchange form, mover's view, as the text of a comment. */
function comment(score, white) {
    const mate = score?.mate, sign = white ? 1 : -1;
    if (form === 'eval')
        return mate !== undefined ? `[%eval #${sign * mate}]` : `[%eval ${(sign * score / 100).toFixed(2)}]`;
    const cp = mate !== undefined ? (mate > 0 ? 9999 : -9999) : score;
    if (form === 'chessbase')
        return `[%eval ${sign * cp},18]`;
    const v = (form === 'own' ? -cp : sign * cp) / 100; // after the move it is the other one's view
    return `${v > 0 ? '+' : v < 0 ? '-' : ''}${Math.abs(v).toFixed(2)}/18 3`;
}

export function strip(game) {
    const tags = Object.entries(game.tags).map(([k, v]) => `[${k} "${v.replace(/[\\"]/g, '\\$&')}"]\n`);
    const at = new Map(game.turns.map((t) => [t.ply, comment(t.scores[0].at(-1), t.mover === 'w')]));
    const moves = game.moves.split(' ').map((m, i) => {
        const text = at.get(i + 1);
        return text === undefined || (gaps > 0 && i % gaps === 0) ? m : `${m} { ${text} }`;
    });
    return `${tags.join('')}\n${moves.join('\n')}\n${game.result}\n\n`;
}

if (process.argv[1]?.endsWith('strip_evals.mjs'))
    for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean))
        process.stdout.write(strip(JSON.parse(line)));
