// Answers to the examples of server/resources.def, shortened: api/examples.json, which the
// documentation shows. `make examples` writes them anew; openapi.test.mjs compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib.mjs';

export const file = path.join(root, 'api/examples.json');

/** Numbers that differ from one run to the next, or whenever a method or the way of an import
 * changes. */
const volatile = new Set(['seconds', 'oldest_ready_seconds', 'seen_seconds', 'version', 'data']);
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Lists are cut, and times are always the same. */
export function short(value, key = '') {
    if (Array.isArray(value))
        return value.slice(0, value.some((v) => v !== null && typeof v === 'object' && !Array.isArray(v)) ? 1 : 3)
            .map((v) => short(v));
    if (typeof value === 'string' && stamp.test(value)) return '2026-01-01T12:00:00Z';
    if (typeof value === 'number' && volatile.has(key)) return 1;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, short(v, k)]));
}

/** The data of the first event of a stream. */
export async function firstEvent(response) {
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (/\ndata: .*\n\n/.test(text)) break;
    }
    return JSON.parse(/^data: (.*)$/m.exec(text)[1]);
}

function types(address, body) {
    if (body === undefined) return undefined;
    if (body.startsWith('{')) return 'application/json';
    return address.includes('/uploads') ? 'application/x-chess-pgn' : 'application/octet-stream';
}

/** Sends a request until there is an answer: {status, type, answer}; reports are computed first. */
export async function ask(base, method, address, body, accept = 'application/json, application/x-ndjson;q=0.1') {
    const headers = { accept };
    const type = types(address, body);
    if (type) headers['content-type'] = type;
    const sent = body?.startsWith('@') ? readFileSync(path.join(root, body.slice(1))) : body;
    for (let tries = 0; ; tries++) {
        const r = await fetch(base + address, { method, headers, body: sent });
        if (tries < 600 && (r.status === 503 || (r.status === 202 && method === 'GET'))) {
            await r.text();
            await new Promise((resolve) => setTimeout(resolve, 100));
            continue;
        }
        const [media] = (r.headers.get('content-type') ?? '').split(';');
        if (media === 'text/event-stream') return { status: r.status, type: media, answer: await firstEvent(r) };
        const text = await r.text();
        return { status: r.status, type: media, answer: /[/+]json$/.test(media) ? JSON.parse(text) : text };
    }
}

/** Asks for the examples in their order, those that only read first: {operation: {status, type,
 * answer}}. The service is that of tests/golden/scene.mjs, as it is after its start. */
export async function examples(base, pick = () => true) {
    const index = await (await fetch(`${base}/api/v1`)).json();
    const out = {};
    for (const reads of [true, false])
        for (const { name, method, example } of index.resources)
            if ((method === 'GET') === reads && pick(name))
                out[name] = await ask(base, method, example.path, example.body ?? undefined);
    return out;
}

/** The same as the file has it. */
export const shortened = (all) => Object.fromEntries(Object.entries(all)
    .map(([name, { status, answer }]) => [name, { status, answer: short(answer) }]));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { scene } = await import('../golden/scene.mjs');
    const ends = [];
    const t = { after: (f) => ends.unshift(f) };
    const { base } = await scene(t);
    const all = await examples(base);
    const lines = Object.entries(shortened(all)).map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`);
    writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
    for (const end of ends) await end();
    const failed = Object.entries(all).filter(([, { status }]) => status >= 300);
    for (const [name, { status, answer }] of failed) console.error(`${name}: ${status} ${answer.detail}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
}
