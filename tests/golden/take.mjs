// Asks a service for every address of addresses.txt and gives what it answered, one line of JSON an
// address, in the order of the file: sorted keys, numbers as they were sent, of a page its text.
//
//     tests/support/with_pg.sh node tests/golden/take.mjs | zstd -19 >answers.ndjson.zst
//
// in a built checkout of the earlier version, with this folder copied into it, makes the fixture;
// `take.mjs BASE_URL` asks a running service. tests/e2e/golden.test.mjs and compare.mjs compare.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What differs from one run to the next: members by name or value, text by pattern. */
const volatile = {
    members: new Set(['request_id', 'seconds', 'oldest', 'oldest_ready_seconds']),
    value: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    text: [
        [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?Z?( UTC)?/g, '<time>'],
        [/\bin (less than )?\d+(\.\d+)? s\b/g, 'in <seconds>'],
        [/^(intrinsic|process)_(http_|database_|reports|job_table_|oldest|process)?(.*) \S+$/gm,
            (line) => line.replace(/\S+$/, '<value>')],
        [/^# HELP .*\n/gm, ''],
    ],
};

const reports = /^(\/api\/v1)?\/(royale|comparisons|reports\/\w+)(\?|$)/;
/** Lists of the reports; and the page of a report is there at once and says that it is being
 * computed, where the API's address answers 202. Both are requested last. */
const tellOfReports = /^(\/api\/v1)?\/reports(\?|$)|^\/metrics/;
const AT_A_TIME = 4;

function expanded(text) {
    const at = /\{([^{}]*)\}/.exec(text);
    if (!at) return [text];
    const range = /^(\d+)\.\.(\d+)$/.exec(at[1]);
    const words = range ? Array.from({ length: range[2] - range[1] + 1 }, (_, i) => +range[1] + i)
        : at[1].split(',');
    const [before, after] = [text.slice(0, at.index), text.slice(at.index + at[0].length)];
    return words.flatMap((word) => expanded(before + word + after));
}

/** The addresses as they stand in answers: {name, method, address, accept, body}. */
export function addresses() {
    const file = path.join(path.dirname(fileURLToPath(import.meta.url)), 'addresses.txt');
    const all = new Map();
    for (const line of readFileSync(file, 'utf8').split('\n').filter((l) => l && l[0] !== '#')) {
        const [, method = 'GET', pattern, rest = ''] = /^(?:([A-Z]+) )?(\S+)(?: (.*))?$/.exec(line);
        const accept = /^Accept: (.*)/.exec(rest)?.[1];
        for (const address of expanded(pattern)) {
            const name = [method === 'GET' ? '' : method, address, rest].filter(Boolean).join(' ');
            all.set(name, { name, method, address, accept, body: rest && !accept ? rest : undefined });
        }
    }
    return [...all.values()];
}

/** JSON with every number as the text that was sent, behind a mark: 1.0 is not 1. */
export function parsed(text) {
    return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
        (m) => (m[0] === '"' ? m : `"\\u0001${m}"`)));
}

/** The reverse, with sorted keys. */
export function written(value) {
    if (typeof value === 'string' && value[0] === '\u0001') return value.slice(1);
    if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${written(value[k])}`).join(',')}}`;
}

function settled(value) {
    if (Array.isArray(value)) return value.map(settled);
    if (typeof value === 'string') return volatile.value.test(value) ? '<time>' : value;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) =>
        [k, volatile.members.has(k) && v !== null && typeof v !== 'object' ? '<volatile>' : settled(v)]));
}

const settledText = (text) => volatile.text.reduce((all, [what, by]) => all.replace(what, by), text);

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', thinsp: ' ', minus: '−',
    ndash: '–', times: '×' };

/** What is to be read in the main part of a page, a line a block, cells separated by " | ". */
function visible(html) {
    const title = /<title>([^]*?)<\/title>/.exec(html)?.[1] ?? '';
    const main = /<main[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? html;
    return `${title}\n${main}`
        .replace(/<!--[^]*?-->|<(script|style|svg|template)\b[^]*?<\/\1>/g, '')
        .replace(/\s+/g, ' ')
        .replace(/<input (?=[^>]*type="(?:number|text|search)")[^>]*value="([^"]*)"[^>]*>/g, ' [$1] ')
        .replace(/<\/(td|th)>\s*(?=<t[dh])/g, ' | ')
        .replace(/<\/?(p|div|h\d|ul|ol|li|tr|table|thead|tbody|section|dl|dt|option|select|form|figure|figcaption|summary|details|caption|br|pre|legend|fieldset)\b[^>]*>/g, '\n')
        .replace(/<\/?(dd|label|button|input)\b[^>]*>/g, ' ')
        .replace(/<[^>]*>/g, '')
        .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, ten, hex, name) => (ten || hex
            ? String.fromCodePoint(ten ? Number(ten) : parseInt(hex, 16)) : entities[name] ?? all))
        .replace(/[ \t\u00a0\u2009\u202f]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n').trim();
}

/** An event stream has no end: its first event. */
async function firstEvent(response) {
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (text.includes('\n\n')) break;
    }
    return text.slice(0, text.indexOf('\n\n'));
}

async function ask(base, { method, address, accept, body }) {
    const api = address.startsWith('/api/');
    const headers = { accept: accept ?? (api ? 'application/json' : 'text/html,*/*;q=0.5') };
    if (body !== undefined) headers['content-type'] = 'application/json';
    for (let tries = 0; ; tries++) {
        const r = await fetch(base + address, { method, headers, body, redirect: 'manual' });
        // 202: a report that is being computed; 503: too many costly answers at a time
        if ((r.status !== 202 && r.status !== 503) || tries > 600) return r;
        await r.text();
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

async function answer(base, request) {
    const r = await ask(base, request);
    const type = r.headers.get('content-type') ?? '';
    const out = { status: r.status, type };
    for (const name of ['location', 'allow', 'www-authenticate'])
        if (r.headers.has(name)) out[name] = r.headers.get(name);
    if (type.startsWith('text/event-stream')) {
        out.text = (await firstEvent(r)).replace(/^id: .*\n?/gm, '').replace(/^data: (\{.*\})$/gm,
            (_, data) => `data: ${written(settled(parsed(data)))}`);
        return out;
    }
    const text = await r.text();
    if (/^application\/(problem\+)?json/.test(type)) out.body = settled(parsed(text));
    else if (type.startsWith('text/html')) out.text = settledText(visible(text));
    else if (text) out.text = type.startsWith('text/plain') ? settledText(text) : text;
    return out;
}

/** `work` of each of `all`, AT_A_TIME together. */
async function each(all, work) {
    const rest = all.values();
    await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
        for (const one of rest) await work(one);
    }));
}

/** Lists show only ratings that were computed before: computes those of all players. */
async function warm(base) {
    const get = async (address) => (await fetch(base + address)).text();
    const { players } = JSON.parse(await get('/api/v1/players?limit=500'));
    await each(players, async ({ id }) => {
        while ((await get(`/api/v1/players/${id}/years`)).includes('"pending":true'));
    });
    for (let before = '', now; (now = await get('/')) !== before;) before = now;
}

/** The answers of the service at `base` by the names of the addresses. `translate` gives the
 * address by which the present service knows one of the file. */
export async function take(base, requests = addresses(), translate = (address) => address) {
    const answers = new Map(requests.map(({ name }) => [name, undefined]));
    const one = async (request) => {
        answers.set(request.name, await answer(base, { ...request, address: translate(request.address) }));
    };
    const reads = requests.filter(({ method }) => method === 'GET');
    const isReport = ({ address }) => reports.test(address);
    const isLast = ({ address }) => (reports.test(address) && !address.startsWith('/api/')) ||
        tellOfReports.test(address);
    await warm(base);
    // Reports have one thread; meanwhile everything else is requested.
    await Promise.all([each(reads.filter((r) => isReport(r) && !isLast(r)), one),
        each(reads.filter((r) => !isReport(r) && !isLast(r)), one)]);
    await each(reads.filter(isLast), async (r) => {
        if (isReport(r)) await ask(base, { method: 'GET', address: `/api/v1${translate(r.address)}` });
        await one(r);
    });
    for (const request of requests.filter(({ method }) => method !== 'GET')) await one(request);
    return answers;
}

export const lines = (answers) => [...answers]
    .map(([address, a]) => `${written({ address, ...a, status: `\u0001${a.status}` })}\n`).join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const ends = [];
    let base = process.argv[2];
    if (!base) {
        const { freshDatabase } = await import('../e2e/lib.mjs');
        const { scene } = await import('./scene.mjs');
        const t = { after: (f) => ends.unshift(f) };
        base = (await scene(t, freshDatabase(t))).base;
    }
    process.stdout.write(lines(await take(base)));
    for (const end of ends) await end();
}
