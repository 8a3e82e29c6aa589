// The strength of the players of the ranking over time, a line each, with their names at the peaks. A player is chosen
// by pointer or touch, or by the buttons below, which go through the ranking; a click opens the player's page.
import slug from '../js/slug.js';
import { hidden, yearTicks } from './common.js';

const CHARACTER = 6.8; // mean width in pixels
const HEIGHT = 16; // of a name, with room
const GAP = 8;
const [ABOVE, BELOW_POINT] = [-11, 14]; // of a name's middle from its point
const MARGIN = { top: 30, left: 46, right: 24, bottom: 32 };
const BELOW = 20; // Elo below the lowest interval of a peak: lines are cut there, since all begin as children

const surname = (name) => name.replace(/,.*/, '');
const rounded = (x) => `${Math.round(x)}`;
const span = ({ low, high }) => `${rounded(low)} to ${rounded(high)}`;
const years = ({ from, to }) => (from === to ? `${from}` : `${from}–${to}`);
const told = ({ name, peak }) => `${surname(name)}: ${rounded(peak.estimate)} at the peak, ${years(peak)}, 95% interval ${span(peak.interval)}`;

// The highest point of a line between the years of the peak.
const top = (r) => r.line.filter(({ year }) => year >= r.peak.from && year <= r.peak.to)
    .reduce((best, p) => (best && best.y >= p.y ? best : p), null) ?? r.line.at(-1);

// Names at the peaks, in the order of the ranking, where there is room; moved sideways where one would leave the picture.
const named = (rows, x, y, left, right) => {
    const taken = [];
    for (const r of rows) {
        const half = (surname(r.name).length * CHARACTER) / 2;
        const at = top(r);
        const middle = Math.max(left + half, Math.min(right - half, x(at.year)));
        const boxes = [ABOVE, BELOW_POINT].map((dy) => ({ row: r, at, left: middle - half, right: middle + half, dx: middle - x(at.year), dy, y: y(at.y) + dy }));
        const free = boxes.find((box) => taken.every((o) => o.right + GAP < box.left || o.left > box.right + GAP || Math.abs(o.y - box.y) > HEIGHT));
        if (free) taken.push(free);
    }
    return taken;
};

const drawing = (Plot, rows, width) => {
    const lowest = Math.min(...rows.map(({ peak }) => peak.interval.low)) - BELOW;
    const points = rows.flatMap((r) => r.line).filter(({ y }) => y >= lowest);
    const all = points.map(({ year }) => year);
    const ticks = { tickFormat: 'd', ticks: yearTicks(Math.min(...all), Math.max(...all), width < 500 ? 5 : 11) };
    const highest = Math.max(...points.map(({ y }) => y));
    const options = {
        width,
        height: width < 500 ? 300 : 400,
        marginTop: MARGIN.top, marginRight: MARGIN.right, marginLeft: MARGIN.left, marginBottom: MARGIN.bottom,
        style: { overflow: 'visible' },
        x: { label: null, tickFormat: 'd', inset: 8 },
        y: { label: 'Elo', grid: true, tickFormat: 'd', ticks: 8, domain: [lowest, Math.max(highest, ...rows.map(({ peak }) => peak.interval.high)) + 20] },
    };
    const at = { x: 'year', y: 'y' };
    const scales = Plot.plot({ ...options, marks: [Plot.dot(points, at)] });
    const of = (name) => (v) => scales.scale(name).apply(v);
    const boxes = named(rows, of('x'), of('y'), MARGIN.left + 2, width - 4);
    const label = { x: ({ at: p }) => p.year, y: ({ at: p }) => p.y, text: ({ row }) => surname(row.name), fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 3, fontSize: 11.5, ...hidden };
    const steps = (r) => r.line.filter(({ y }) => y >= lowest).flatMap((p, i, all) => (i > 0 ? [{ from: all[i - 1], to: p, pale: p.carried || all[i - 1].carried }] : []));
    const between = { x1: ({ from }) => from.year, x2: ({ to }) => to.year, y1: ({ from }) => from.y, y2: ({ to }) => to.y, stroke: 'var(--accent)', ...hidden };
    const lines = (some, style) => [Plot.link(some.flatMap(steps).filter(({ pale }) => !pale), { ...between, ...style }),
        Plot.link(some.flatMap(steps).filter(({ pale }) => pale), { ...between, strokeWidth: 1, strokeOpacity: 0.22 })];
    const reigns = rows.flatMap((r) => r.reigns.map(({ from, to }, i) => r.line
        .filter(({ year, y }) => y >= lowest && year >= from && year <= (to ?? year)).map((p) => ({ ...p, reign: `${r.id} ${i}` })))).flat();
    const bars = rows.map((r) => ({ ...top(r), low: r.peak.interval.low, high: r.peak.interval.high }));
    return Plot.plot({
        ...options,
        ariaLabel: 'Strength of players over time',
        ariaDescription: rows.map((r) => `${surname(r.name)} ${rounded(r.peak.estimate)}`).join('; '),
        marks: [
            Plot.axisX({ anchor: 'bottom', ...ticks }),
            Plot.line(reigns, { ...at, z: 'reign', stroke: 'var(--other)', strokeWidth: 7, strokeOpacity: 0.4, strokeLinecap: 'round', className: 'reign', ...hidden }),
            ...lines(rows.slice(1), { strokeWidth: 1.4, strokeOpacity: 0.45 }),
            ...lines(rows.slice(0, 1), { strokeWidth: 2.6 }),
            Plot.ruleX(bars, { x: 'year', y1: 'low', y2: 'high', stroke: 'var(--accent)', strokeWidth: 3, strokeOpacity: 0.22, className: 'peak-interval', ...hidden }),
            boxes.map((box) => Plot.dot([box.at], { ...at, r: 2.6, fill: 'var(--accent)', ...hidden })),
            boxes.map((box, i) => Plot.text([box], { ...label, dx: box.dx, dy: box.dy, fontWeight: i === 0 ? 700 : 400, className: 'year-name' })),
            Plot.tip(points, Plot.pointer({ ...at, title: ({ row, year, y, interval }) => `${surname(row.name)} ${year}\n${rounded(y)}, 95% interval ${span(interval)}`, fill: 'var(--paper)', stroke: 'var(--soft)', maxRadius: 30 })),
            Plot.dot(points, Plot.pointer({ ...at, r: 6, stroke: 'var(--focus)', strokeWidth: 2, maxRadius: 30, ...hidden })),
        ],
    });
};

const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
};

export default function strength(Plot, data, width) {
    const rows = (data.ranking ?? []).filter(({ path }) => path.length > 0);
    for (const r of rows) r.line = r.path.map((p) => ({ ...p, y: p.estimate, row: r }));
    if (rows.length < 2) return null;
    const plot = drawing(Plot, rows, width);
    const link = element('a', {});
    const address = (r) => `/players/${r.id}${slug(r.name)}`;
    let chosen = 0;

    const choose = (row) => {
        chosen = rows.indexOf(row);
        link.href = address(row);
        link.textContent = told(row);
    };
    const step = (by) => {
        choose(rows[(chosen + by + rows.length) % rows.length]);
        const box = plot.getBoundingClientRect();
        const scale = box.width / width;
        const at = top(rows[chosen]);
        plot.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse',
            clientX: box.left + scale * plot.scale('x').apply(at.year),
            clientY: box.top + scale * plot.scale('y').apply(at.y) }));
    };
    const button = (text, label, by) => {
        const made = element('button', { type: 'button', className: 'quiet', textContent: text, onclick: () => step(by) });
        made.setAttribute('aria-label', label);
        return made;
    };
    let touch = false;
    plot.addEventListener('pointerdown', (event) => { touch = event.pointerType === 'touch'; });
    plot.addEventListener('input', () => { if (plot.value) choose(plot.value.row); });
    plot.addEventListener('click', () => { if (plot.value && !touch) window.location.assign(address(plot.value.row)); });
    plot.style.cursor = 'pointer';
    choose(rows[0]);
    const line = element('p', { className: 'chosen-year' }, button('‹', 'The player ranked before', -1), button('›', 'The player ranked next', 1), link);
    link.setAttribute('aria-live', 'polite');
    return element('figure', {}, plot, line);
}
