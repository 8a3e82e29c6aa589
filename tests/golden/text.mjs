// Answers as text that git can compare: JSON a member a line with sorted keys and numbers as they were sent, CSV and
// PGN as they are, of a page what is to be read, with where its links lead.
import { createHash } from 'node:crypto';

/** What differs from one run to the next: members by name or value, text by pattern. */
const volatile = {
    members: new Set(['request_id', 'seconds', 'oldest', 'oldest_ready_seconds', 'seen_seconds']),
    value: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    text: [
        [/\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(\.\d+)?Z?( UTC)?/g, '<time>'],
        [/\b20(2[5-9]|[3-9]\d)-\d\d-\d\d\b/g, '<date>'], // games are older
        [/\bin (less than )?\d+(\.\d+)? s\b/g, 'in <seconds>'],
        [/\btook \d+(\.\d+)? s\b/g, 'took <seconds>'],
        [/\brequest [0-9a-f-]{16,}/g, 'request <id>'],
        [/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'http://<host>'],
        [/^(intrinsic|process)_(http_|database_|reports|job_table_|oldest|process)?(.*) \S+$/gm,
            (line) => line.replace(/\S+$/, '<value>')],
        [/^# HELP .*\n/gm, ''],
    ],
};

/** JSON with every number as the text that was sent, behind a mark: 1.0 is not 1. */
const parsed = (text) => JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
    (m) => (m[0] === '"' ? m : `"\\u0001${m}"`)));

/** The reverse, in one line, with sorted keys. */
function written(value) {
    if (typeof value === 'string' && value[0] === '\u0001') return value.slice(1);
    if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}: ${written(value[k])}`).join(', ')}}`;
}

const WIDTH = 150;

/** The same with a line for each member of what does not fit in one. */
function lines(value, depth = 0) {
    const one = written(value), pad = ' '.repeat(depth + 1);
    if (value === null || typeof value !== 'object' || one.length + depth <= WIDTH) return one;
    if (!Array.isArray(value))
        return `{\n${Object.keys(value).sort().map((k) => `${pad}${JSON.stringify(k)}: ${lines(value[k], depth + 1)}`).join(',\n')}\n${' '.repeat(depth)}}`;
    if (value.some((v) => v !== null && typeof v === 'object'))
        return `[\n${value.map((v) => pad + lines(v, depth + 1)).join(',\n')}\n${' '.repeat(depth)}]`;
    return `[\n${filled(value.map(written), pad)}\n${' '.repeat(depth)}]`;
}

/** Words, as many a line as there is room for. */
function filled(words, pad) {
    const out = [];
    for (const word of words)
        if (out.length > 0 && out.at(-1).length + word.length + 2 <= WIDTH) out[out.length - 1] += `, ${word}`;
        else out.push(pad + word);
    return out.join(',\n');
}

/** The version of a report is made of those of all shapes of figures. */
const isDigest = (name, value) => name === 'version' && /^\u0001\d{6,}$/.test(value);

function settled(value) {
    if (Array.isArray(value)) return value.map(settled);
    if (typeof value === 'string') return volatile.value.test(value) ? '<time>' : value;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) =>
        [k, (volatile.members.has(k) || isDigest(k, v)) && v !== null && typeof v !== 'object' ? '<volatile>' : settled(v)]));
}

export const json = (text) => lines(settled(parsed(text)));
export const jsonLine = (text) => written(settled(parsed(text)));
export const plain = (text) => volatile.text.reduce((all, [what, by]) => all.replace(what, by), text);

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', thinsp: ' ', minus: '−', ndash: '–', times: '×' };
const decoded = (text) => text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, ten, hex, name) => (ten || hex
    ? String.fromCodePoint(ten ? Number(ten) : parseInt(hex, 16)) : entities[name] ?? all));
const attribute = (tag, name) => new RegExp(`[\\s"]${name}="([^"]*)"`).exec(tag)?.[1];
const has = (tag, name) => new RegExp(`\\s${name}(?=[\\s>/=])`).test(tag);

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** What is long: of each member so many levels down a digest, unless it is short. */
export function outline(text, levels) {
    const short = (value, depth) => {
        if (value !== null && typeof value === 'object' && depth > 0)
            return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, short(v, depth - 1)]));
        return typeof value !== 'object' && String(value).length < 60 ? value : digest(written(value));
    };
    return lines(short(parsed(text), levels));
}

/** The same of /docs: each address and answer with a digest of what is below it. */
export const outlined = (text) => text.split(/^(?=(?:GET|POST|PATCH|PUT|DELETE) \/|Answer: )/m)
    .map((part) => `${part.split('\n')[0]} (${digest(part)})`).join('\n');

/** A drawing: its label and text, and a digest of the whole. */
function drawing(svg) {
    const texts = [...svg.matchAll(/<(?:text|title)\b[^>]*>([^<]*)/g)].map(([, text]) => text.trim()).filter(Boolean);
    return ` (drawing ${[digest(svg.replace(/\s+/g, ' ')), ...new Set([attribute(svg, 'aria-label'), ...texts].filter(Boolean))].join(': ')}) `;
}

/** A tag's words and destinations. */
function tagged(tag, name) {
    const words = ['title', 'aria-label', 'aria-description', 'alt', 'placeholder'].map((a) => attribute(tag, a)).filter(Boolean);
    const to = ['href', 'action', 'src', 'data-json', 'data-progress', 'data-events'].map((a) => attribute(tag, a)).filter(Boolean);
    const parts = [...words.map((w) => `(${w})`), ...to.map((a) => `<${a}>`)];
    if (name === 'option' || name === 'input') {
        const type = attribute(tag, 'type');
        if (attribute(tag, 'name')) parts.push(attribute(tag, 'name'));
        if (attribute(tag, 'value') !== undefined && (name === 'input')) parts.push(`[${attribute(tag, 'value')}]`);
        if (has(tag, 'selected') || has(tag, 'checked')) parts.push('*');
        if (type === 'hidden') parts.unshift('hidden');
    } else if (['select', 'button', 'textarea'].includes(name) && attribute(tag, 'name')) parts.push(attribute(tag, 'name'));
    if (name === 'details' && has(tag, 'open')) parts.push('open');
    return parts.length > 0 ? ` ${parts.join(' ')} ` : ' ';
}

const blocks = new Set(('p div h1 h2 h3 h4 ul ol li tr table thead tbody section dl dt option select form figure figcaption '
    + 'summary details caption br pre legend fieldset header footer nav main title meta link body input noscript').split(' '));

/** A line that holds a whole document, as an example of the API does, is cut. */
const cut = (line) => (line.length <= 3000 ? line : `${line.slice(0, 300)}… (${digest(line)})`);

/** What is to be read on a page between its masthead and its footer, whose links are, too: a line a block, cells
 * separated by " | ". */
export function page(html) {
    const head = new Set(['description', 'og:description'].flatMap((name) =>
        new RegExp(`<meta [^>]*="${name}"[^>]*>`).exec(html)?.[0] ?? []).map((m) => attribute(m, 'content')));
    const alternate = /<link rel="alternate"[^>]*>/.exec(html)?.[0];
    const title = /<title>([^]*?)<\/title>/.exec(html)?.[1] ?? '';
    const body = html.replace(/^[^]*<\/header>/, '').replace(/<footer[^]*?<p class="links">/, '<p>')
        .replace(/<!--[^]*?-->|<(script|style|template)\b[^]*?<\/\1>/g, '')
        .replace(/<svg\b(?:(?!<svg\b)[^])*?<\/svg>/g, drawing).replace(/<svg\b[^]*?<\/svg>/g, drawing)
        .replace(/\s+/g, ' ').replace(/<\/(td|th)>\s*(?=<t[dh])/g, ' | ')
        .replace(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi, (tag, end, name) =>
            (blocks.has(name) ? '\n' : '') + (end ? '' : tagged(tag, name)));
    return decoded([title, ...head, alternate ? `JSON <${attribute(alternate, 'href')}>` : '', body].join('\n'))
        .replace(/[ \t\u00a0\u2009\u202f]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n').replace(/ ([.,;:)])/g, '$1').trim().split('\n').map(cut).join('\n');
}
