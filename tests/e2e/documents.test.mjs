// Every command of the README and of docs/ that anybody can run as it is there, on what `make run` sets up: it works, and
// says what is shown. "…" in an answer stands for any text; a command that needs something of the reader's is not run, for
// one of the reasons below.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { environment, filledDatabase, root, serve } from './lib.mjs';

const cleanups = [];
const suite = { after: (f) => cleanups.unshift(f) };
const settings = { SCID_RATINGS_PATH: '' };
/** What a command needs that only its reader has. */
const reasons = [/\$[A-Za-z_{]|[A-Z]{2,}\.|\bNAME\b|\bTOKEN\b/, /weekend\.pgn|games\.pgn|my\.pgn|set\.ndjson/, /chess\.example/, /uploads\/17/, /\/(identity-changes|judges|analyses|doubtful)\b/, /-X (POST|PATCH|DELETE)/];
const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).filter((f) => f.endsWith('.md')).map((f) => `docs/${f}`)];
let site, url;

before(async () => {
    url = await filledDatabase(suite, 'as_make_run', (one) =>
        execFileSync('setup/prepare.sh', ['build/release/intrinsic'], { cwd: root, env: environment(one, settings), stdio: 'pipe' }));
    site = await serve(suite, url, { INTRINSIC_WORKERS: '0', ...settings });
});

after(async () => {
    for (const f of cleanups) await f();
});

/** Blocks of indented lines: [{line, text}]. */
function blocks(file) {
    const out = [];
    let open = null;
    readFileSync(path.join(root, file), 'utf8').split('\n').forEach((line, i) => {
        const indented = (open ? /^ {4,}\S/ : /^(?: {4}| {6})\S/).test(line);
        if (indented && open) open.text += `\n${line.trim()}`;
        else open = indented ? { line: i + 1, text: line.trim() } : null;
        if (open && !out.includes(open)) out.push(open);
    });
    return out;
}

/** Commands, each with the answer that the next block shows: [{where, command, shown}]. */
function commands(file) {
    const all = blocks(file);
    return all.flatMap(({ line, text }, i) => {
        if (!/^(curl|build\/release\/intrinsic rate) /.test(text)) return [];
        const next = all[i + 1], each = text.replaceAll('\\\n', ' ').split('\n').filter((one) => /^(curl|build)/.test(one));
        const follows = next && next.line === line + text.split('\n').length + 1 && !/^(curl|build|intrinsic)/.test(next.text);
        return each.map((command, k) => ({ where: `${file}:${line}`, command,
            shown: follows && k === each.length - 1 ? next.text : undefined }));
    });
}

const squeezed = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Whether a text is as shown, but for what "…" leaves out, and for line breaks. */
function assertShown(text, shown, where) {
    let at = 0;
    const said = text.replaceAll(/\s+/g, '');
    for (const [i, piece] of shown.split('…').map((one) => one.replaceAll(/\s+/g, '')).entries()) {
        const found = said.indexOf(piece, at);
        assert.ok(i === 0 ? found === 0 : found >= 0, `${where}: not in the answer, or not there: ${piece}\n${squeezed(text).slice(0, 3000)}`);
        at = found + piece.length;
    }
}

const shell = promisify(execFile);

for (const file of documents)
    for (const { where, command, shown } of commands(file).filter(({ command: one }) => !reasons.some((reason) => reason.test(one)))) {
        test(`${where}: ${command}`, async () => {
            const here = command.replaceAll('localhost:8080', site.base.replace('http://', '')).replaceAll(/\bcurl /g, 'curl -sS --fail-with-body ');
            const say = async () => (await shell('bash', ['-o', 'pipefail', '-c', here], { cwd: root, env: environment(url, settings), maxBuffer: 1 << 28 })
                .catch((e) => (/"status":4/.test(shown ?? '') ? e : Promise.reject(e)))).stdout; // a refusal is shown
            let said = await say();
            for (let i = 0; /"state":"(waiting|running|computing)"/.test(said) && i < 200; i++) { // a report is made
                await new Promise((done) => { setTimeout(done, 300); });
                said = await say();
            }
            if (shown) assertShown(said, shown, where);
        });
    }
