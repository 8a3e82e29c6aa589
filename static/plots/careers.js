// Careers: strength by the moves over years or ages, with 95 % bands; of all games of a player it is the path
// through all years, with each year by its own moves as a point, of a part of them the rating of each year. Elo
// is dotted and the strength from results in short dashes beside it. Up to five sets share a picture; more of
// them, or a narrow screen, have a picture each on the same axes. Of three to five sets Elo and the
// strength from results are drawn on request only.
//
// Labels: in a shared picture each line has its name at its own end, where no mark is in the way (own.js), else to
// the right of the frame at the height of its end, with a grey dotted line to it; names that would overlap are moved
// apart as little as needed (labels.js). Small pictures have no room for names of Elo and the strength from results: a key above
// them has their lines. Years are at the top and at the bottom.
import { cut, spread } from './labels.js';
import { hidden, yearTicks } from './common.js';
import { inPlace, runs, textWidth } from './own.js';

const TOGETHER = 5;
const BESIDE = 2; // sets, of those that can share a picture, whose Elo and strength from results are drawn unasked
const NARROW = 560; // px
const LABEL = 16; // px, height of a label
const EDGE = 250; // Elo: a band further than this from all points is cut

const number = (x) => typeof x === 'number';
const round = (x) => Math.round(x).toLocaleString('en-US', { useGrouping: false });

/** `enough`: moves without which a year has no rating of its own (data-enough of the figure). */
export const series = (set, ages, enough) => {
    const rows = set.years.map((y) => ({ ...y, x: ages ? y.age : y.year })).filter(({ x }) => number(x));
    const of = (value) => runs(rows.map((r) => ({ ...value(r), x: r.x, year: r.year })).filter(({ y }) => number(y)))
        .map((p) => ({ ...p, set: set.label, key: set.set, address: `/players/${set.player.id}/${p.year}` }));
    const rated = of(({ rating: r }) => ({ y: r?.estimate, low: r?.interval?.low ?? null, high: r?.interval?.high ?? null,
            moves: r?.turns, few: r?.turns < enough, beyond: r?.extrapolated === true }));
    const path = (set.path ?? []).map((p) => ({ set: set.label, key: set.set, address: `/players/${set.player.id}/${p.year}`, run: 0,
        x: ages ? p.year - set.born : p.year, year: p.year, y: p.estimate, low: p.interval.low, high: p.interval.high, carried: p.carried }));
    return {
        rating: path.length > 0 ? path : rated,
        years: path.length > 0 ? rated : [],
        elo: of(({ elo }) => ({ y: elo })),
        results: of(({ results_strength: r }) => ({ y: r?.unscaled ? undefined : r?.estimate })),
    };
};

export const title = (p) => `${p.set} ${p.x}: ${round(p.y)}` +
    (p.low !== null && p.high !== null ? `, 95% interval ${round(p.low)} to ${round(p.high)}` : '') +
    (p.beyond ? ', beyond the calibrated range' : '') +
    (p.moves ? `, ${p.moves} moves${p.few ? ': too few for a rating of its own' : ''}` : '');

export const span = (all) => {
    const values = all.flatMap((s) => [...s.rating, ...s.elo, ...s.results].map(({ y }) => y));
    const bands = all.flatMap((s) => s.rating.flatMap(({ low, high, y }) =>
        [Math.max(low ?? y, y - EDGE), Math.min(high ?? y, y + EDGE)]));
    const step = 100;
    return [Math.floor(Math.min(...values, ...bands) / step) * step, Math.ceil(Math.max(...values, ...bands) / step) * step];
};

// From a year to the next one, where one of them is beyond the calibrated range, or has few moves.
const steps = ({ rating: known }) => {
    return known.slice(1).map((p, i) => ({ from: known[i], to: p }))
        .filter(({ from, to }) => to.x - from.x <= 1 && [from, to].some(({ beyond, few }) => beyond || few))
        .map(({ from, to }) => ({ x1: from.x, y1: from.y, x2: to.x, y2: to.y, beyond: Boolean(from.beyond || to.beyond) }));
};

// The marks of one set: outside the calibrated range dashed and open, as on the page of a year; years of few moves open, with thin
// lines. `facet` is its picture, where each has one; `light`: bands and single intervals are pale, so that lines can be followed
// through those of others.
export const marksOf = (Plot, s, colour, [low, high], facet, { light = false } = {}) => {
    const inside = (y) => Math.min(Math.max(y, low), high);
    const ends = (p) => ({ ...p, low: inside(p.low), high: inside(p.high) });
    // The line and the band of each stretch of years; carried ones reach to their neighbours.
    const stretches = s.rating.some(({ carried }) => carried !== undefined) ? s.rating.map((p, i) => ({ p, before: s.rating[i - 1] })) : [];
    const pale = stretches.filter(({ p, before }) => before && (p.carried || before.carried))
        .flatMap(({ p, before }, i) => [{ ...before, run: i }, { ...p, run: i }]);
    const far = s.rating.filter((p) => p.beyond && !p.few);
    const few = s.rating.filter((p) => p.few), enough = runs(s.rating.filter((p) => !p.few && !p.beyond && !p.carried));
    const joined = steps(s);
    const band = enough.map(ends);
    const alone = band.filter((p) => band.filter((q) => q.run === p.run).length === 1);
    const common = { ...facet, ...hidden };
    const dashed = { stroke: colour, strokeDasharray: '4 3', ...common };
    return [
        Plot.areaY(band, { x: 'x', y1: 'low', y2: 'high', z: 'run', fill: colour, fillOpacity: light ? 0.08 : 0.16, ...common }),
        Plot.areaY(pale.map(ends), { x: 'x', y1: 'low', y2: 'high', z: 'run', fill: colour, fillOpacity: light ? 0.03 : 0.06, ...common }),
        Plot.line(pale, { x: 'x', y: 'y', z: 'run', stroke: colour, strokeWidth: 1.2, strokeOpacity: 0.45, className: 'carried', ...common }),
        Plot.ruleX(alone, { x: 'x', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: light ? 0.18 : 0.3, strokeWidth: 4, ...common }),
        Plot.ruleX(far.map(ends), { x: 'x', y1: 'low', y2: 'high', strokeOpacity: 0.6, strokeWidth: 1.5, ...dashed }),
        Plot.ruleX(few.map(ends), { x: 'x', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: light ? 0.3 : 0.65, strokeWidth: 1, className: 'few-interval', ...common }),
        Plot.link(joined.filter(({ beyond }) => beyond), { x1: 'x1', y1: 'y1', x2: 'x2', y2: 'y2', strokeWidth: 1.8, ...dashed }),
        Plot.link(joined.filter(({ beyond }) => !beyond), { x1: 'x1', y1: 'y1', x2: 'x2', y2: 'y2', stroke: colour, strokeWidth: 0.8, ...common }),
        Plot.line(s.results, { x: 'x', y: 'y', z: 'run', stroke: colour, ...KEYS.results, ...common }),
        Plot.line(s.elo, { x: 'x', y: 'y', z: 'run', stroke: colour, ...KEYS.elo, ...common }),
        Plot.line(enough, { x: 'x', y: 'y', z: 'run', stroke: colour, strokeWidth: 2.2, ...common }),
        Plot.dot(s.years.filter((p) => !p.few), { x: 'x', y: (p) => inside(p.y), fill: colour, fillOpacity: 0.45, r: 1.8, title, href: 'address', className: 'year', ...common }),
        Plot.dot(s.years.length > 0 ? [] : enough, { x: 'x', y: 'y', fill: colour, r: 2.6, title, href: 'address', ...common }),
        Plot.dot(few, { x: 'x', y: 'y', stroke: colour, strokeWidth: 1.2, fill: 'var(--paper)', r: 3, title, href: 'address', className: 'few', ...common }),
        Plot.dot(far, { x: 'x', y: 'y', stroke: colour, fill: 'var(--paper)', r: 3.4, strokeDasharray: '2 1.5', title, href: 'address', ...common }),
    ];
};

const describe = (all) => all.map(({ set, rating }) =>
    (rating.length === 0 ? `${set.label}: no rating` : `${set.label}: ${rating.length} years rated, ${rating[0].x} to ${rating.at(-1).x}`)).join('; ');

const INSET = 8; // px

export const axes = (ages, domain) => ({
    x: { label: ages ? 'Age' : 'Year', tickFormat: 'd', inset: INSET, nice: false },
    y: { label: 'Elo', domain, grid: true, tickFormat: 'd' },
});

// Years, or ages, above the picture, where they are seen first, and below it.
const yearAxes = (Plot, ages, options = {}, above = {}) => [
    Plot.axisX({ anchor: 'top', label: null, tickFormat: 'd', ...options, ...above }),
    Plot.axisX({ anchor: 'bottom', label: ages ? 'Age' : 'Year', tickFormat: 'd', ...options }),
];

// The end of a line; a year alone is none.
const endOf = (line) => line.findLast((p) => line.some((q) => q !== p && q.run === p.run)) ?? line.at(-1);

const LINES = [['Elo', 'elo'], ['from results', 'results']];

const KEYS = { elo: { strokeWidth: 1.8, strokeDasharray: '0.1 4', strokeLinecap: 'round' },
    results: { strokeWidth: 1.2, strokeDasharray: '5 3', strokeOpacity: 0.75 } };
const SAMPLE = 26; // px, of a line in the key
const KEY = 8; // px, that the key adds to the height

// The lines that small pictures have, each with its name, in a row above all of them.
const keyOf = (all, left) => {
    const shown = LINES.filter(([, key]) => all.some((s) => s[key].length > 0));
    let at = left;
    return shown.map(([text, key]) => {
        const place = { text, key, from: at, name: at + SAMPLE + 6 };
        at = place.name + textWidth({ text }) + 20;
        return place;
    });
};

// Draws it in a picture: a mark would be in each of its parts.
const drawKey = (picture, shown, top) => {
    const create = (name, attributes, text = '') => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = text;
        return element;
    };
    const group = create('g', { class: 'line-key', 'aria-hidden': 'true' });
    for (const { text, key, from, name } of shown) {
        const dashes = Object.fromEntries(Object.entries(KEYS[key]).map(([k, v]) => [k.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`), v]));
        group.append(create('path', { d: `M${from},${top}h${SAMPLE}`, fill: 'none', stroke: 'var(--accent)', ...dashes }),
            create('text', { x: name, y: top, dy: '0.35em', 'text-anchor': 'start', 'font-size': 11.5, fill: 'var(--accent)', class: 'line-label' }, text));
    }
    picture.append(group);
    return picture;
};

// All lines of a shared picture with their names.
const named = (all) => all.filter((s) => s.rating.length + s.elo.length > 0).flatMap((s) => [
    { text: cut(s.set.label, 26), own: true, of: s, ...[s.rating, s.elo].find((l) => l.length > 0).at(-1) },
    ...LINES.filter(([, key]) => s[key].length > 0).map(([text, key]) => ({ text, own: false, of: s, ...endOf(s[key]) })),
]);

const strengthOf = ({ of: { set: { rating: r } } }) => r?.estimate ?? -Infinity;

// Names of sets that would overlap to the right of the frame are in the order of the sets' ratings, as in the sentence
// above the picture: neighbours closer than a label exchange the heights that they want.
const ranked = (labels) => {
    const order = labels.filter(({ own }) => own).sort((a, b) => a.want - b.want);
    const groups = [];
    for (const one of order) {
        if (groups.length > 0 && one.want - groups.at(-1).at(-1).want < LABEL) groups.at(-1).push(one);
        else groups.push([one]);
    }
    for (const group of groups) {
        const heights = group.map(({ want }) => want);
        [...group].sort((a, b) => strengthOf(b) - strengthOf(a)).forEach((one, i) => { one.want = heights[i]; });
    }
    return labels;
};

const BESIDE_FRAME = 12; // px between the frame and a label

// Where names stand, in pixels of a picture whose right margin is `right`.
const placeNames = (all, ends, frame, right) => {
    const { top, bottom, left, height, width, years, domain } = frame;
    const x = (value) => left + INSET + (width - left - right - 2 * INSET) * (value - years[0]) / (years[1] - years[0]);
    const y = (value) => top + (height - top - bottom) * (domain[1] - value) / (domain[1] - domain[0]);
    const own = inPlace(all, ends, { x, y, last: years[1], domain, box: { left, right: width - 4, top, bottom: height - bottom } });
    const column = () => {
        const beside = ranked(ends.filter((p) => !own.has(p)).map((p) => ({ ...p, end: p, want: y(p.y) })));
        return [beside, spread(beside.map(({ want }) => want), LABEL, top - LABEL / 2, height - bottom + LABEL / 2)];
    };
    let [beside, places] = column();
    // A name in place that reaches to those beside the frame, and meets one, joins them.
    const joins = ([, box]) => box.right > x(years[1]) + BESIDE_FRAME - 4 && places.some((at) => Math.abs(at - box.middle) < LABEL);
    for (let one = [...own].find(joins); one; one = [...own].find(joins)) {
        own.delete(one[0]);
        [beside, places] = column();
    }
    const names = ends.map((p) => {
        const i = beside.findIndex(({ end }) => end === p);
        return own.has(p) ? { ...p, ...own.get(p) } : { ...p, left: x(years[1]) + BESIDE_FRAME, middle: places[i], leader: true };
    });
    const back = ({ left: l, middle }) => ({ x: years[0] + (l - x(years[0])) / (x(years[1]) - x(years[0])) * (years[1] - years[0]),
        y: domain[1] - (middle - top) / (height - top - bottom) * (domain[1] - domain[0]) });
    return names.map((p) => ({ text: p.text, own: p.own, colour: p.of.colour, width: textWidth(p), aside: Boolean(p.leader),
        from: p, joined: Boolean(p.leader) && (p.x < years[1] || Math.abs(p.middle - y(p.y)) > LABEL / 2), to: years[1], at: back(p) }));
};

const spanOf = (all) => {
    const xs = all.flatMap((s) => [...s.rating, ...s.elo, ...s.results].map(({ x }) => x));
    return [Math.min(...xs), Math.max(...xs)];
};

const rightOf = (names) => 30 + Math.max(0, ...names.filter(({ aside }) => aside).map(({ width }) => width));

const together = (Plot, all, { width, ages, domain }) => {
    const height = Math.min(520, Math.max(320, width * 0.5));
    const margin = { top: 40, bottom: 44, left: 48 };
    const ends = named(all);
    const [first, last] = spanOf(all);
    const years = first < last ? [first, last] : [first - 1, last + 1];
    const frame = { ...margin, height, width, years, domain };
    const widest = 30 + Math.max(...ends.map(textWidth));
    const wide = placeNames(all, ends, frame, widest);
    // A narrower margin, where names have found a place of their own.
    const narrow = placeNames(all, ends, frame, rightOf(wide));
    const [names, right] = rightOf(narrow) <= rightOf(wide) ? [narrow, rightOf(wide)] : [wide, widest];
    const text = { x: (p) => p.at.x, y: (p) => p.at.y, text: 'text', fill: 'colour', textAnchor: 'start' };
    return Plot.plot({
        width, height, marginRight: right, marginTop: margin.top, marginBottom: margin.bottom, marginLeft: margin.left,
        ariaLabel: 'Careers', ariaDescription: describe(all),
        ...axes(ages, domain),
        x: { ...axes(ages, domain).x, domain: years },
        marks: [
            ...yearAxes(Plot, ages, { ticks: yearTicks(...years, Math.floor(width / 70)) }),
            ...all.flatMap((s) => marksOf(Plot, s, s.colour, domain, {}, { light: all.length > 1 })),
            Plot.link(names.filter(({ joined }) => joined), { x1: (p) => p.from.x, y1: (p) => p.from.y, x2: 'to', y2: (p) => p.at.y,
                stroke: 'var(--soft)', strokeOpacity: 0.8, strokeWidth: 1, strokeDasharray: '1 3', className: 'leader', ...hidden }),
            Plot.text(names.filter(({ own }) => own), { ...text, fontWeight: 600, fontSize: 12.5, className: 'end-label' }),
            Plot.text(names.filter(({ own }) => !own), { ...text, fontSize: 11.5, className: 'line-label' }),
        ],
        color: { type: 'identity' },
    });
};

// A picture each, on the same axes, with the name above.
const apart = (Plot, all, { width, ages, domain }) => {
    const columns = Math.max(1, Math.min(all.length, Math.floor(width / 240)));
    const rows = Math.ceil(all.length / columns);
    const placed = all.map((s, i) => ({ ...s, place: { column: i % columns, row: Math.floor(i / columns) } }));
    const facet = (s) => ({ fx: () => s.place.column, fy: () => s.place.row });
    const room = Math.floor((width - 60) / columns / 7);
    const key = keyOf(all, 56);
    const above = key.length > 0 ? KEY : 0;
    const picture = Plot.plot({
        width, height: 68 + above + rows * 170, marginLeft: 48, marginBottom: 40, marginTop: 44 + above, marginRight: 12,
        ariaLabel: 'Careers', ariaDescription: describe(all),
        ...axes(ages, domain),
        fx: { axis: null, padding: 0.06 }, fy: { axis: null, padding: 0.2 },
        marks: [
            Plot.frame({ stroke: 'var(--grid)', ...hidden }),
            ...yearAxes(Plot, ages, { ticks: yearTicks(...spanOf(all), Math.max(2, Math.floor(width / columns / 70))) }, { tickSize: 0, tickPadding: 22 }),
            ...placed.flatMap((s) => marksOf(Plot, s, 'var(--accent)', domain, facet(s))),
            Plot.text(placed, { fx: (s) => s.place.column, fy: (s) => s.place.row, frameAnchor: 'top-left', dy: -16,
                text: (s) => cut(s.set.label, room), fill: 'var(--ink)', fontWeight: 600, fontSize: 12.5, className: 'end-label' }),
        ],
    });
    return key.length > 0 ? drawKey(picture, key, KEY) : picture;
};

export default function careers(Plot, data, width, figure) {
    const ages = data.by === 'age';
    const read = (data.sets ?? []).map((set, i) => ({ set, ...series(set, ages, Number(figure.enough)), colour: `var(--set-${i + 1})` }));
    if (!read.some((s) => s.rating.length > 0)) return null;
    const each = read.length > TOGETHER || (read.length > 1 && width < NARROW);
    const beside = read.length <= BESIDE || read.length > TOGETHER || figure.beside === 'yes';
    const all = beside ? read : read.map((s) => ({ ...s, elo: [], results: [] }));
    const shown = { width, ages, domain: span(all) };
    return each ? apart(Plot, all, shown) : together(Plot, all, shown);
}
