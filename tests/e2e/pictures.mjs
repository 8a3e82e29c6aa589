// Kept pictures of pages: half the size, 8 greys, as PNG that can be looked at; and whether a page still looks so.
// Two pictures are compared by squares of 16 pixels of the page, by the mean and the standard deviation of their greys
// (writing and lines are thin: they change the latter). A square may be found up to 10 pixels from where it was: that is
// what another version of a font or of the browser does. Where several adjacent squares are not found, a part of the page
// is missing, new or elsewhere.
import { deflateSync, inflateSync } from 'node:zlib';

const GREYS = 8, SQUARE = 8, MOVED = 5, ADJACENT = 6; // in pixels of the picture
const DIFFERENT = 16; // of 255
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

const paeth = (a, b, c) => {
    const p = a + b - c, [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};
const predictors = [() => 0, (a) => a, (a, b) => b, (a, b) => (a + b) >> 1, paeth];

/** Undoes the filters of PNG: rows of `bytes` bytes, `step` of them a pixel (1 where pixels are smaller). */
function unfiltered(packed, rows, bytes, step) {
    const out = Buffer.alloc(rows * bytes);
    for (let y = 0; y < rows; y++) {
        const predict = predictors[packed[y * (bytes + 1)]], at = y * bytes;
        for (let x = 0; x < bytes; x++) {
            const left = x >= step ? out[at + x - step] : 0, up = y > 0 ? out[at + x - bytes] : 0;
            const corner = x >= step && y > 0 ? out[at + x - bytes - step] : 0;
            out[at + x] = packed[y * (bytes + 1) + 1 + x] + predict(left, up, corner);
        }
    }
    return out;
}

/** The greys, 0 to 255, of a PNG: of a screenshot (8 bits of RGB or RGBA), or of a kept picture (4 bits of grey). */
export function decode(png) {
    const width = png.readUInt32BE(16), height = png.readUInt32BE(20), depth = png[24], type = png[25];
    const data = [];
    for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
        if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
            data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    const samples = { 0: 1, 2: 3, 6: 4 }[type], bytes = Math.ceil(width * samples * depth / 8);
    const raw = unfiltered(inflateSync(Buffer.concat(data)), height, bytes, Math.max(1, samples * depth / 8));
    const grey = depth === 4
        ? (x, y) => 17 * (x % 2 ? raw[y * bytes + (x >> 1)] & 15 : raw[y * bytes + (x >> 1)] >> 4)
        : (x, y) => {
            const at = y * bytes + x * samples;
            return 0.3 * raw[at] + 0.59 * raw[at + 1] + 0.11 * raw[at + 2];
        };
    const greys = new Float32Array(width * height);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) greys[y * width + x] = grey(x, y);
    return { width, height, greys };
}

/** Half the size. */
function halved({ width, height, greys }) {
    const w = width >> 1, h = height >> 1, small = new Float32Array(w * h);
    for (let y = 0; y < h; y++)
        for (let x = 0; x < w; x++) {
            const at = 2 * y * width + 2 * x;
            small[y * w + x] = (greys[at] + greys[at + 1] + greys[at + width] + greys[at + width + 1]) / 4;
        }
    return { width: w, height: h, greys: small };
}

const table = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
});
const crc = (data) => ~data.reduce((sum, byte) => table[(sum ^ byte) & 255] ^ (sum >>> 8), ~0) >>> 0;

const chunk = (name, data) => {
    const all = Buffer.alloc(data.length + 12);
    all.writeUInt32BE(data.length, 0);
    all.write(name, 4, 'latin1');
    data.copy(all, 8);
    all.writeUInt32BE(crc(all.subarray(4, 8 + data.length)), 8 + data.length);
    return all;
};

/** A screenshot as it is kept. */
export function kept(screenshot) {
    const { width, height, greys } = halved(decode(screenshot));
    const bytes = Math.ceil(width / 2), rows = Buffer.alloc(height * (bytes + 1)), head = Buffer.alloc(13);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const level = Math.round(Math.round(greys[y * width + x] / 255 * (GREYS - 1)) * 15 / (GREYS - 1));
            rows[y * (bytes + 1) + 1 + (x >> 1)] |= x % 2 ? level : level << 4;
        }
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([4, 0, 0, 0, 0], 8);
    return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })),
        chunk('IEND', Buffer.alloc(0))]);
}

/** Mean and standard deviation of the square at x, y of a picture, by the sums of greys and of their squares above and to the
 * left of each pixel. */
function squares({ width, height, greys }) {
    const w = width + 1, one = new Float64Array(w * (height + 1)), two = new Float64Array(w * (height + 1));
    for (const [sums, value] of [[one, (v) => v], [two, (v) => v * v]])
        for (let y = 0; y < height; y++)
            for (let x = 0; x < width; x++)
                sums[(y + 1) * w + x + 1] = value(greys[y * width + x]) + sums[y * w + x + 1] + sums[(y + 1) * w + x] - sums[y * w + x];
    const mean = (sums, x, y) => (sums[(y + SQUARE) * w + x + SQUARE] - sums[y * w + x + SQUARE] - sums[(y + SQUARE) * w + x] +
        sums[y * w + x]) / SQUARE / SQUARE;
    const at = (x, y) => {
        const m = mean(one, x, y);
        return [m, Math.sqrt(Math.max(0, mean(two, x, y) - m * m))];
    };
    return { width, height, at };
}

/** Whether the square of `a` at x, y is in `b`, there or near. */
function found(a, b, x, y) {
    const [mean, deviation] = a.at(x, y);
    for (let v = Math.max(0, y - MOVED); v <= Math.min(b.height - SQUARE, y + MOVED); v++)
        for (let u = Math.max(0, x - MOVED); u <= Math.min(b.width - SQUARE, x + MOVED); u++) {
            const [m, d] = b.at(u, v);
            if (Math.abs(m - mean) <= DIFFERENT && Math.abs(d - deviation) <= DIFFERENT) return true;
        }
    return false;
}

/** Takes a group of adjacent squares out of a set of their numbers and gives it. */
function group(all, width, first) {
    const some = [first];
    all.delete(first);
    for (const at of some)
        for (const next of [at - 1, at + 1, at - width, at + width])
            if (all.delete(next)) some.push(next);
    return some;
}

/** Where two kept pictures differ: the places, in pixels of the page, and sizes in squares of what is missing, new or
 * elsewhere. Empty: they look alike. */
export function differences(then, now) {
    const [a, b] = [then, now].map((png) => squares(decode(png)));
    const across = Math.floor(a.width / SQUARE), down = Math.floor(a.height / SQUARE);
    if (a.width !== b.width || a.height !== b.height) return [{ x: 0, y: 0, squares: across * down }];
    const odd = new Set();
    for (let y = 0; y < down; y++)
        for (let x = 0; x < across; x++)
            if (!found(a, b, x * SQUARE, y * SQUARE) || !found(b, a, x * SQUARE, y * SQUARE)) odd.add(y * across + x);
    const differ = [];
    for (const at of odd) {
        const some = group(odd, across, at);
        if (some.length >= ADJACENT)
            differ.push({ x: 2 * SQUARE * (at % across), y: 2 * SQUARE * Math.floor(at / across), squares: some.length });
    }
    return differ;
}
