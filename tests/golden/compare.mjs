// Compares the answers of a service with the golden ones, the text in answers/.
//
//     tests/support/with_pg.sh node tests/golden/compare.mjs [--only=PATTERN] [--scene=NAME] [BASE_URL]
//
// takes those of the present build on a database of its own, or of a service that runs on such a one;
// --only asks only for addresses like PATTERN (* is any text). --write writes the folder anew: `make golden`.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from './rate.mjs';
import { addresses, take } from './take.mjs';

export const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'answers');
export const scenes = ['standard', 'rating'];
const MARK = '=== ';
/** An answer that is the same as an earlier one of its scene is stored as the address of that. */
const SAME = 'the same as ';

/** {file: text}: each answer below its name. */
function files(answers) {
    const out = {}, seen = new Map();
    for (const { name, file, text } of answers) {
        const first = text.length > 200 ? seen.get(text) : undefined;
        if (!first) seen.set(text, name);
        out[file] = `${out[file] ?? ''}${MARK}${name}\n${first ? SAME + first : text}\n\n`;
    }
    return out;
}

/** The stored answers of a scene: Map of text by name. */
export function golden(scene) {
    const out = new Map(), at = path.join(folder, scene);
    for (const file of existsSync(at) ? readdirSync(at) : [])
        for (const block of readFileSync(path.join(at, file), 'utf8').split(new RegExp(`^${MARK}`, 'm')).slice(1)) {
            const end = block.indexOf('\n');
            out.set(block.slice(0, end), block.slice(end + 1).trimEnd());
        }
    for (const [name, text] of out)
        if (text.startsWith(SAME)) out.set(name, out.get(text.slice(SAME.length)));
    return out;
}

export function write(scene, answers) {
    const at = path.join(folder, scene);
    rmSync(at, { recursive: true, force: true });
    mkdirSync(at, { recursive: true });
    for (const [file, text] of Object.entries(files(answers))) writeFileSync(path.join(at, `${file}.txt`), text);
}

/** Lines that differ, as `diff -u` prints them. */
function changed(before, after) {
    const dir = mkdtempSync(path.join(tmpdir(), 'golden-')), names = ['before', 'after'].map((n) => path.join(dir, n));
    [before, after].forEach((text, i) => writeFileSync(names[i], `${text}\n`));
    const { stdout } = spawnSync('diff', ['-U', '2', ...names], { encoding: 'utf8', maxBuffer: 1 << 28 });
    rmSync(dir, { recursive: true });
    return stdout.split('\n').slice(2).join('\n').trimEnd();
}

/** [{name, lines}] of what is not as it was. */
export function differences(before, answers) {
    return answers.filter(({ name, text }) => before.get(name) !== text)
        .map(({ name, text }) => ({ name, lines: before.has(name) ? changed(before.get(name), text) : 'is not in the golden answers' }));
}

/** As text: the same change of several addresses once. */
export function shown(found, most = 30) {
    const groups = new Map();
    for (const { name, lines } of found) {
        const key = lines.replace(/^(@@.*| .*)\n?/gm, '');
        if (groups.has(key)) groups.get(key).others.push(name);
        else groups.set(key, { name, lines, others: [] });
    }
    const all = [...groups.values()].map(({ name, lines, others }) => {
        const rows = lines.split('\n');
        return [`=== ${name}`, ...(others.length > 0 ? [`(and ${others.length} more: ${others.slice(0, 3).join('  ')})`] : []),
            ...rows.slice(0, 40).map((l) => l.slice(0, 240)), ...(rows.length > 40 ? [`and ${rows.length - 40} more lines`] : [])].join('\n');
    });
    return [...all.slice(0, most), ...(all.length > most ? [`and ${all.length - most} more differences`] : []),
        ...(found.length > 0 ? [`${found.length} answers differ: \`make golden\`, then \`git diff tests/golden\`, to review them`] : [])].join('\n\n');
}

/** Takes the answers of each scene whose requests `only` picks, for `use(scene, answers)`. */
export async function takeAll(t, use, only = () => true) {
    const scene = await import('./scene.mjs');
    const picked = scenes.map((name) => addresses(name).filter((r) => only(r.name)));
    await use('rate', commands().filter(({ name }) => only(name)));
    if (picked.every((requests) => requests.length === 0)) return;
    const { base, url } = await scene.scene(t);
    // Refused writes, too, take numbers that players would have.
    const first = addresses('standard').filter((r) => only(r.name) || (picked[1].length > 0 && r.method !== 'GET'));
    if (first.length > 0) await use('standard', (await take(base, first)).filter(({ name }) => only(name)));
    if (picked[1].length === 0) return;
    await scene.rated(t, url);
    await use('rating', await take(base, picked[1]));
}

function matcher(pattern) {
    const is = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
    return (text) => is.test(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const args = process.argv.slice(2);
    const option = (name) => args.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3);
    const only = option('only') ? matcher(option('only')) : () => true;
    const base = args.find((a) => !a.startsWith('--'));
    const ends = [], found = [];
    const use = (scene, answers) => {
        if (args.includes('--write')) write(scene, answers);
        else found.push(...differences(golden(scene), answers));
    };
    const began = Date.now();
    if (base) {
        const name = option('scene') ?? 'standard';
        use(name, await take(base, addresses(name).filter((r) => only(r.name))));
    } else await takeAll({ after: (f) => ends.unshift(f) }, use, only);
    for (const end of ends) await end();
    const seconds = Math.round((Date.now() - began) / 1000);
    if (args.includes('--write')) console.log(`${execFileSync('du', ['-sh', folder], { encoding: 'utf8' }).trim()}, ${seconds} s`);
    else console.log(shown(found) || `no difference (${seconds} s)`);
    process.exitCode = found.length > 0 ? 1 : 0;
}
