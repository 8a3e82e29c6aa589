// Asks a service for the examples of server/resources.def and for every address of addresses.txt, in this order:
// {name, file, text} of each answer.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { json, jsonLine, outline, outlined, page, plain } from './text.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const reports = /^(\/api\/v1)?\/(royale|comparisons|reports\/[\w-]+)(\.\w+)?(\?|$)/;
/** Lists of the reports; and the page of a report is there at once and says that it is being
 * computed, where the API's address answers 202. Both are requested last. */
const tellOfReports = /^(\/api\/v1)?\/reports(\?|$)|^\/metrics/;
const AT_A_TIME = 4;
const LARGE = 300_000; // characters of JSON: of more an outline is stored

function expanded(text) {
    const at = /\{([^{}]*)\}/.exec(text);
    if (!at) return [text];
    const range = /^(\d+)\.\.(\d+)$/.exec(at[1]);
    const words = range ? Array.from({ length: range[2] - range[1] + 1 }, (_, i) => +range[1] + i)
        : at[1].split(',');
    const [before, after] = [text.slice(0, at.index), text.slice(at.index + at[0].length)];
    return words.flatMap((word) => expanded(before + word + after));
}

/** The resources of server/resources.def that answer GET: [{name, gets, pages, example}]. */
const described = readFileSync(path.join(here, '../../server/resources.def'), 'utf8').split(/^(?=resource )/m).slice(1).map((block) => {
    const all = (what) => [...block.matchAll(new RegExp(`^ {4}${what} (\\S+)`, 'gm'))].map(([, value]) => value);
    return { name: /^resource (\w+)/.exec(block)[1], gets: all('get'), pages: all('page'), example: all('example')[0] };
}).filter(({ gets }) => gets.length > 0);

/** What is asked of a resource by itself: its example, and those of its pages whose {…} the example has values of. */
function exampled({ gets: [pattern], pages, example }) {
    if (!example) return [];
    const { pathname, searchParams } = new URL(example, 'http://host');
    const values = Object.fromEntries(searchParams), pieces = pathname.split('/');
    pattern.split('/').forEach((piece, i) => { if (piece[0] === '{') values[piece.slice(1, -1)] = pieces[i]; });
    const filled = pages.map((page) => page.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
    return [example, ...filled.filter((page) => !page.includes('{'))];
}

/** The requests of a scene, by their names in the answers: {name, method, address, accept, body}. */
export function addresses(scene = 'standard') {
    const all = new Map();
    const add = (method, address, rest = '') => {
        const name = [method === 'GET' ? '' : method, address, rest].filter(Boolean).join(' ');
        const accept = /^Accept: (.*)/.exec(rest)?.[1];
        all.set(name, { name, method, address, accept, body: rest && !accept ? rest : undefined });
    };
    if (scene === 'standard') described.flatMap(exampled).forEach((address) => add('GET', address));
    let now;
    for (const line of readFileSync(path.join(here, 'addresses.txt'), 'utf8').split('\n').filter((l) => l && l[0] !== '#')) {
        const begun = /^==== scene (\w+)$/.exec(line);
        if (begun) now = begun[1];
        if (begun || now !== scene) continue;
        const [, method = 'GET', pattern, rest] = /^(?:([A-Z]+) )?(\S+)(?: (.*))?$/.exec(line);
        for (const address of expanded(pattern)) add(method, address, rest);
    }
    return [...all.values()];
}

/** Addresses for GET: [{name, path, page: whether it is one, matches(address)}]. */
export const resources = described.flatMap(({ name, gets, pages }) => [...gets, ...pages].map((pattern) => {
    const is = new RegExp(`^${pattern.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]*')}${pattern.includes('.') ? '' : '(\\.(csv|ndjson|json|pgn))?'}$`);
    return { name, path: pattern, page: pages.includes(pattern), matches: (address) => is.test(address.replace(/\?.*/, '')) };
})).sort((a, b) => a.path.split('{').length - b.path.split('{').length); // those with fewer parameters first

/** The file of its answer, without its ending. */
function fileOf({ method, address }) {
    if (method !== 'GET') return 'writes';
    const found = resources.find((r) => r.matches(address));
    return found ? found.name + (found.page ? '.page' : '') : 'none';
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
    const headers = { accept: accept ?? (api ? 'application/json, */*;q=0.5' : 'text/html,*/*;q=0.5') };
    if (body !== undefined) headers['content-type'] = 'application/json';
    for (let tries = 0; ; tries++) {
        const r = await fetch(base + address, { method, headers, body, redirect: 'manual' })
            .catch((cause) => { throw new Error(`${method} ${address}`, { cause }); });
        // 202: a report that is being computed; 503: too many costly answers at a time
        if ((r.status !== 202 && r.status !== 503) || tries > 1200) return r;
        await r.text();
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

async function answer(base, request) {
    const r = await ask(base, request), type = r.headers.get('content-type') ?? '';
    const head = [`${r.status} ${type}`, ...['location', 'allow', 'www-authenticate', 'link', 'content-disposition']
        .filter((name) => r.headers.has(name)).map((name) => `${name}: ${r.headers.get(name)}`)].join('\n');
    if (type.startsWith('text/event-stream'))
        return `${head}\n${(await firstEvent(r)).replace(/^id: .*\n?/gm, '').replace(/^data: (\{.*\})$/gm, (_, data) => `data: ${json(data)}`)}`;
    const text = await r.text();
    if (['/openapi.json', '/api/v1'].includes(request.address)) return `${head}\n${outline(text, 3)}`; // of the tables of the code
    if (/^application\/([\w.]+\+)?json/.test(type)) {
        const all = json(text);
        return `${head}\n${all.length > LARGE ? outline(all, 1) : all}`;
    }
    if (type.startsWith('application/x-ndjson')) return `${head}\n${text.split('\n').map((l) => l && jsonLine(l)).join('\n')}`;
    if (request.address === '/docs') return `${head}\n${outlined(plain(page(text)))}`;
    return `${head}\n${plain(type.startsWith('text/html') ? page(text) : text)}`;
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
    const lists = ['', '?judge=standard'].map((query) => `/api/v1/player-years.ndjson${query}`);
    for (const list of lists) await (await fetch(base + list)).text();
    const { players } = await (await fetch(`${base}/api/v1/players?limit=60`)).json();
    await each(players, async ({ id }) => {
        for (let tries = 0; tries < 100 && (await (await fetch(`${base}/api/v1/players/${id}`)).text()).includes('"pending":true'); tries++);
    });
}

/** The answers of the service at `base` to these requests. */
export async function take(base, requests) {
    const answers = new Map(requests.map(({ name }) => [name, undefined]));
    const one = async (request) => {
        answers.set(request.name, { name: request.name, file: fileOf(request), text: (await answer(base, request)).trimEnd() });
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
        if (isReport(r)) await ask(base, { method: 'GET', address: `/api/v1${r.address.replace(/^\/(?!reports)/, "/reports/")}` });
        await one(r);
    });
    for (const request of requests.filter(({ method }) => method !== 'GET')) await one(request);
    return [...answers.values()];
}
