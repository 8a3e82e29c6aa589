// What `intrinsic rate` writes of files whose evaluations need no engine, in all its forms.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environment, intrinsic, root } from '../e2e/lib.mjs';
import { json } from './text.mjs';

const analysed = 'static/samples/rating.ndjson.zst', champions = 'static/champions/rating.2.ndjson.zst';

/** Games of the samples whose lines have `text`, with one evaluation a move as lichess exports them. */
export function evaluated(text, ...options) {
    const lines = execFileSync('zstd', ['-dcq', path.join(root, analysed)], { encoding: 'utf8', maxBuffer: 1 << 28 })
        .split('\n').filter((line) => line.includes(text)).join('\n');
    return execFileSync('node', ['tests/support/strip_evals.mjs', ...options],
        { cwd: root, input: lines, encoding: 'utf8', maxBuffer: 1 << 28 });
}

const runs = [
    ...['player', 'event', 'year', 'game'].flatMap((by) => ['table', 'csv', 'json', 'ndjson'].map((format) =>
        [`--by=${by}`, `--format=${format}`, '--player=fischer', 'evals.pgn'])),
    ['evals.pgn', '--by=year'], ['gaps.pgn'], ['chessbase.pgn'], ['own.pgn', '--format=csv'], ['evals.pgn', 'gaps.pgn', '--by=event'],
    ['--by=event', analysed], ['--by=year', '--format=csv', analysed], ['--by=player', '--format=json', '--player=kasparov', analysed],
    ['--by=player', '--format=ndjson', '--player=Tal', analysed], ['--by=game', '--player=bronstein', analysed], ['--by=game', '--player=kasparov', analysed],
    ['--by=year', '--player=anand', champions], ['--by=player', '--format=csv', '--player=anand', champions],
    ['--by=player', '--player=nobody', analysed], ['--by=month', '--player=spassky', analysed],
    ['--since=1970', '--player=spassky', analysed], ['--time=classical', 'evals.pgn'], ['--rated-only', 'evals.pgn'],
    ['--by=week', analysed], ['--time=rapd', analysed], ['--since=1970-13', analysed], ['--format=xml', analysed], ['nothing.pgn'],
    ['none.pgn'], ['--depth=99', analysed], ['--judge=nobody', analysed],
];

/** [{name, file, text}] of each. */
export function commands() {
    const dir = mkdtempSync(path.join(tmpdir(), 'golden-rate-'));
    const files = { 'evals.pgn': evaluated('"World Championship 28th"'), 'none.pgn': '[White "?"]\n',
        'gaps.pgn': evaluated('"World Championship 24th"', '--gaps=40'),
        'chessbase.pgn': evaluated('"World Championship 19th"', '--form=chessbase'),
        'own.pgn': evaluated('"World Championship 25th"', '--form=own') };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
    const out = runs.map((args) => {
        const { status, stdout, stderr } = spawnSync(intrinsic, ['rate', '--quiet',
            ...args.map((a) => (a in files ? path.join(dir, a) : a))],
        { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, env: environment('', { STOCKFISH_PATH: '/nonexistent' }) });
        const output = stdout && args.includes('--format=json') ? json(stdout) : stdout;
        const text = [`exit ${status}`, output, ...(stderr ? [`stderr: ${stderr}`] : [])].join('\n');
        return { name: `intrinsic rate ${args.join(' ')}`, file: 'rate', text: text.replaceAll(`${dir}/`, '').trimEnd() };
    });
    rmSync(dir, { recursive: true });
    return out;
}
