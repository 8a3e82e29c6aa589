// Compares the answers of a service with the golden ones: the answers of an earlier version to
// the addresses of addresses.txt, less the intended differences of differences.mjs.
//
//     tests/support/with_pg.sh node tests/golden/compare.mjs [--all] [--only=PATTERN] [BASE_URL]
//
// compares the present build on a database of its own, or a service that runs on such a one
// (tests/golden/scene.mjs); --only=PATTERN asks only for addresses like it (* is any text).
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses, parsed, take, written } from './take.mjs';
import { differences } from './differences.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const isPage = (answer) => answer.type.startsWith('text/html');

const matcher = (pattern) => {
    if (pattern === undefined) return () => true;
    const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    const is = new RegExp(`^${source}$`, 's');
    return (text) => is.test(text);
};

const kinds = ['renamed', 'removed', 'added', 'inserted', 'changed', 'figures', 'fewer', 'request', 'gone'];

/** The rules, ready for use; `used` counts what each applied to. */
export function readied(list = differences) {
    return list.map((rule) => {
        const of = kinds.filter((kind) => rule[kind] !== undefined);
        if (!rule.why || of.length !== 1)
            throw new Error(`differences.mjs: each rule has a why and one of ${kinds}: ${JSON.stringify(rule)}`);
        return { ...rule, kind: of[0], used: 0, onAddress: matcher(rule.address), onPath: matcher(rule.path) };
    });
}

export function golden() {
    const text = execFileSync('zstdcat', [path.join(here, 'answers.ndjson.zst')],
        { encoding: 'utf8', maxBuffer: 1 << 28 });
    return new Map(text.trim().split('\n').map((line) => {
        const { address, ...answer } = parsed(line);
        return [address, { ...answer, status: Number(answer.status.slice(1)) }];
    }));
}

/** The address of the present service for one of the file. */
export const translator = (rules) => (address) => rules
    .filter((rule) => rule.kind === 'request' && rule.onAddress(address))
    .reduce((now, rule) => { rule.used++; return rule.request(now); }, address);

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const member = (at, key) => (at ? `${at}.${key}` : key);

/** Differences of two values as {path, before, after}, with the rules for this address. */
function differ(before, after, at, rules, out) {
    const rule = (kind, where) => {
        const found = rules.find((r) => r.kind === kind && r.onPath(where.replace(/\[\d+\]/g, '[]')));
        if (found) found.used++;
        return found;
    };
    if (Array.isArray(before) && Array.isArray(after)) {
        const inserted = rule('inserted', at)?.inserted ?? (() => false);
        const kept = after.filter((value) => !inserted(value));
        for (let i = 0; i < Math.max(before.length, kept.length); i++)
            differ(before[i], kept[i], `${at}[${i}]`, rules, out);
        return;
    }
    if (isObject(before) && isObject(after)) {
        const met = new Set();
        for (const [key, value] of Object.entries(before)) {
            const where = member(at, key);
            const now = rule('renamed', where)?.renamed ?? key;
            met.add(now);
            if (!(now in after) && rule('removed', where)) continue;
            differ(value, after[now], where, rules, out);
        }
        for (const [key, value] of Object.entries(after))
            if (!met.has(key) && !rule('added', member(at, key)))
                out.push({ path: member(at, key), before: undefined, after: value });
        return;
    }
    if (written(before ?? null) === written(after ?? null) && (before === undefined) === (after === undefined)) return;
    const changed = rule('changed', at)?.changed;
    const wanted = typeof changed === 'function' ? changed(before) : undefined;
    if (changed !== true && (wanted === undefined || written(wanted) !== written(after ?? null)))
        out.push({ path: at, before, after });
}

/** Numbers with their units as a page shows them, and how often. Words beside them may change, and
 * so do days of this century, which are those of the import: all games are older. */
function figures(text) {
    const all = new Map();
    const number = /(?:(?<![\w.)])[-+−±])?\d+(?:[.,]\d+)*(?: ?(?:%|‰|[kMG]i?B\b|m?s\b|h\b|min\b))?/g;
    for (const [found] of text.replace(/\b20\d\d-\d\d-\d\d\b/g, '').matchAll(number)) {
        const figure = found.replace(' ', '').replace('−', '-');
        all.set(figure, (all.get(figure) ?? 0) + 1);
    }
    return all;
}

function comparePage(before, after, rules) {
    const out = [];
    const now = figures(after.text ?? '');
    for (const [figure, n] of figures(before.text)) {
        const shown = now.get(figure) ?? 0;
        if (shown >= n) continue;
        const rule = rules.find((r) => ['figures', ...(shown > 0 ? ['fewer'] : [])].includes(r.kind) &&
            r[r.kind].some((f) => (f instanceof RegExp ? f.test(figure) : f === figure)));
        if (rule) rule.used++;
        else out.push({ path: `the figure ${figure}`, before: `shown ${n} times`, after: `shown ${shown} times` });
    }
    const { text: _, ...rest } = before;
    const { text: __, ...restNow } = after;
    differ(rest, restNow, '', rules, out);
    return out;
}

/** What is wrong, as lines, of the answers whose golden one `pick`s. */
export function compare(before, after, rules, pick = () => true) {
    const out = [];
    for (const [address, was] of before) {
        const here = rules.filter((rule) => rule.onAddress(address));
        const gone = here.find((rule) => rule.kind === 'gone');
        if (gone) gone.used++;
        if (gone || !pick(was)) continue;
        const is = after.get(address);
        const found = [];
        if (!is) found.push({ path: 'not asked for: addresses.txt lacks it' });
        else if (isPage(was)) found.push(...comparePage(was, is, here));
        else differ(was, is, '', here, found);
        out.push(...found.map((d) => ({ address, ...d })));
    }
    return out;
}

const shown = (value) => {
    const text = value === undefined ? 'nothing' : written(value);
    return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

/** At most `most` of the differences, a line each; the same place of several addresses once. */
export function told(found, most = 40) {
    const groups = new Map();
    for (const d of found) {
        const key = [d.path.replace(/\[\d+\]/g, '[]'), d.before === undefined, d.after === undefined,
            /^(status|type|body\.(detail|title|type))$/.test(d.path) ? shown(d.after) : ''].join();
        if (groups.has(key)) groups.get(key).others.add(d.address);
        else groups.set(key, { ...d, others: new Set([d.address]) });
    }
    const all = [...groups.values()].map(({ address, path: at, before, after, others }) =>
        `${address}  ${at}: ${shown(before)} -> ${shown(after)}` +
        (others.size > 1 ? `  (and at ${others.size - 1} more addresses)` : ''));
    const rest = all.length - most;
    return [...all.slice(0, most), ...(rest > 0 ? [`and ${rest} more kinds of differences`] : [])].join('\n');
}

export const unused = (rules) => rules.filter((rule) => rule.used === 0).map((rule) => rule.why);

export { isPage };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const args = process.argv.slice(2);
    const only = matcher(args.find((a) => a.startsWith('--only='))?.slice(7));
    const ends = [];
    let base = args.find((a) => !a.startsWith('--'));
    if (!base) {
        const { freshDatabase } = await import('../e2e/lib.mjs');
        const { scene } = await import('./scene.mjs');
        const t = { after: (f) => ends.unshift(f) };
        base = (await scene(t, freshDatabase(t))).base;
    }
    const rules = readied();
    const requests = addresses().filter(({ name }) => only(name));
    const before = new Map([...golden()].filter(([address]) => only(address)));
    const found = compare(before, await take(base, requests, translator(rules)), rules);
    console.log(told(found, args.includes('--all') ? Infinity : 40) || 'no difference');
    for (const why of unused(rules)) console.log(`applies to nothing: ${why}`);
    for (const end of ends) await end();
    process.exitCode = found.length > 0 ? 1 : 0;
}
