// Names of lines at their own ends, where no mark is in the way.

const GAP = 8; // px between the end of a line and its name
const HALF = 7.5; // of the height of a name, with room
const NUDGES = [0, -8, 8, -16, 16]; // px, up or down
const TICK = 6; // px, above the frame
const STEPS = 16; // at which a segment is looked at

/** The runs of years that follow each other: a year without a value breaks the line. */
export const runs = (points) => points.map((p, i) =>
    ({ ...p, run: points.slice(0, i + 1).filter((q, k) => k > 0 && q.x - points[k - 1].x > 1).length }));

/** px, about: names of sets are bold. */
export const textWidth = ({ text, own }) => text.length * (own ? 7.2 : 6.2);

// What a name must not cover: lines, points and single intervals; bands it may.
const segments = (all, { x, y, domain }) => all.flatMap((s) => {
    const inside = (v, otherwise) => Math.min(Math.max(v ?? otherwise, domain[0]), domain[1]);
    const step = (p, q) => [x(p.x), y(p.y), x(q.x), y(q.y)];
    const line = (points) => points.flatMap((p, i) => (points[i - 1]?.run === p.run ? [step(points[i - 1], p)] : []));
    const known = s.rating;
    const single = known.filter((p) => p.few || p.beyond);
    return [...line(runs(known)), ...known.map((p) => step(p, p)),
        ...line(s.elo), ...line(s.results),
        ...single.map((p) => [x(p.x), y(inside(p.low, domain[0])), x(p.x), y(inside(p.high, domain[1]))])];
});

const crosses = (box, [x1, y1, x2, y2]) => Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS).some((t) => {
    const [px, py] = [x1 + t * (x2 - x1), y1 + t * (y2 - y1)];
    return px > box.left - 2 && px < box.right + 2 && py > box.top && py < box.bottom;
});

const meets = (a, b) => a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;

const boxAt = (left, middle, width) => ({ left, middle, right: left + width, top: middle - HALF, bottom: middle + HALF });

// To the right of the end of its line; the name of a set also where its last years in a row end, and above its highest point.
const candidates = (p, { x, y }) => {
    const width = textWidth(p);
    const right = (q) => NUDGES.map((dy) => boxAt(x(q.x) + GAP, y(q.y) + dy, width));
    if (!p.own) return right(p);
    const enough = p.of.rating.filter(({ few }) => !few);
    const end = enough.findLast((q) => enough.some((other) => other !== q && other.run === q.run));
    const peak = enough.reduce((best, q) => (best && best.y >= q.y ? best : q), null);
    return [...right(p), ...(end ? right(end) : []),
        ...(peak ? [boxAt(x(peak.x) - width / 2, y(peak.y) - GAP - HALF, width)] : [])];
};

/**
 * The places of those of the names `ends` that have room: a map from the end to {left, middle} in pixels. `last`: ends
 * there have their names beside the frame; `box`: the picture.
 */
export function inPlace(all, ends, scales) {
    const marks = segments(all, scales);
    const placed = new Map();
    // Those of Elo and the strength from results first: they have one place, the name of a set several.
    for (const p of [...ends].sort((a, b) => Number(a.own) - Number(b.own))) {
        if (p.x === scales.last) continue;
        const place = candidates(p, scales).find((box) => box.right < scales.box.right && box.left > scales.box.left &&
            box.top >= scales.box.top - TICK && box.bottom <= scales.box.bottom &&
            !marks.some((one) => crosses(box, one)) && ![...placed.values()].some((other) => meets(box, other)));
        if (place) placed.set(p, place);
    }
    return placed;
}
