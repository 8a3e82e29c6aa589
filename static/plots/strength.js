// Every rated player-year over time: its rating, open where it is beyond the calibrated range. Elo is
// in what is said of a year, not in the picture: its mark would read as a rating. A year is chosen by pointer or touch, or by the buttons
// below, which go through the ranking; a click opens its page.
import { ordinal } from '../js/ordinals.js';
import slug from '../js/slug.js';
import { hidden, yearTicks } from './common.js';

const CHARACTER = 6.8; // mean width in pixels
const HEIGHT = 16; // of a name, with room
const GAP = 8;
const MARGIN = { top: 54, left: 46 };
const LEGEND = 44; // of the legend, above the frame

const surname = (name) => name.replace(/,.*/, '');
const about = ({ player, year }) => `${surname(player.name)} ${year}`;

// As in the tables.
const span = ({ low, high }) => `${Math.round(low)} to ${Math.round(high)}`;

const value = ({ estimate }) => `${Math.round(estimate)}`;
const isBeyond = ({ rating }) => rating.extrapolated === true;

const told = (r) => `${r.player.name} ${r.year}\nRating ${value(r.rating)}, 95% interval ${span(r.rating.interval)}${isBeyond(r) ? ', beyond the calibrated range' : ''}\n` +
    `${r.elo === null ? 'Elo none' : `Elo ${r.elo}`}; ${r.rating.turns} moves\nRank ${ordinal(r.rank_low)} to ${ordinal(r.rank_high)}`;

// The first of the ranking, the best year of each decade, then the best of each player, as long as there is room. A name
// is moved sideways where it would leave the picture.
const named = (rows, x, y, left, right) => {
    const decades = new Map();
    const players = new Map();
    for (const r of rows) {
        const decade = Math.floor(r.year / 10);
        if (!decades.has(decade)) decades.set(decade, r);
        if (!players.has(r.player.id)) players.set(r.player.id, r);
    }
    const taken = [];
    const seen = new Set();
    for (const r of [rows[0], ...decades.values(), ...players.values()]) {
        if (seen.has(r.player.id)) continue;
        const half = (about(r).length * CHARACTER) / 2;
        const middle = Math.max(left + half, Math.min(right - half, x(r.year)));
        const box = { row: r, left: middle - half, right: middle + half, dx: middle - x(r.year), y: y(r.y) - 11 };
        const free = taken.every((o) => o.right + GAP < box.left || o.left > box.right + GAP || Math.abs(o.y - box.y) > HEIGHT);
        if (!free) continue;
        taken.push(box);
        seen.add(r.player.id);
    }
    return taken;
};

// What the marks and the axis mean, above the picture, from its left edge.
const legend = (Plot, any) => {
    const row = { frameAnchor: 'top-left', dy: -LEGEND, ...hidden };
    const parts = [['circle', 'A player’s year'], ...(any ? [['triangle', 'Beyond the calibrated range']] : [])];
    return [Plot.text([0], { ...row, dx: -MARGIN.left, dy: -23, text: () => '↑ Elo', textAnchor: 'start', lineAnchor: 'middle' }), ...parts.flatMap(([symbol, text], i) => {
        const dx = i * 114 - MARGIN.left + 8;
        return [
            Plot.dot([0], { ...row, dx, symbol, r: 3.6, stroke: 'var(--accent)', fill: symbol === 'circle' ? 'var(--accent)' : 'var(--paper)' }),
            Plot.text([0], { ...row, dx: dx + 9, text: () => text, textAnchor: 'start', lineAnchor: 'middle', fill: 'var(--ink)', className: 'legend-text' }),
        ];
    })];
};

const drawing = (Plot, rows, width) => {
    const beyond = rows.filter(isBeyond);
    const within = rows.filter((r) => !isBeyond(r));
    const years = rows.map(({ year }) => year);
    const ticks = { tickFormat: 'd', ticks: yearTicks(Math.min(...years), Math.max(...years), width < 500 ? 5 : 11) };
    const options = {
        width,
        height: width < 500 ? 320 : 430,
        marginTop: MARGIN.top,
        marginRight: 24,
        marginLeft: MARGIN.left,
        marginBottom: 32,
        style: { overflow: 'visible' },
        x: { label: null, tickFormat: 'd', inset: 8 },
        y: { label: null, grid: true, tickFormat: 'd', ticks: 8, nice: true, insetTop: 22 },
    };
    const points = { x: 'year', y: 'y' };
    const scales = Plot.plot({ ...options, marks: [Plot.dot(rows, points)] });
    const at = (name) => (v) => scales.scale(name).apply(v);
    const boxes = named(rows, at('x'), at('y'), MARGIN.left + 2, width - 4);
    const names = boxes.map(({ row }) => row);
    const label = { ...points, text: about, dy: -11, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 3, fontSize: 11, ...hidden };
    return Plot.plot({
        ...options,
        ariaLabel: 'Ratings of player-years over time',
        ariaDescription: names.map((r) => `${about(r)} ${value(r.rating)}`).join('; '),
        marks: [
            legend(Plot, beyond.length > 0),
            Plot.axisX({ anchor: 'top', ...ticks }),
            Plot.axisX({ anchor: 'bottom', ...ticks }),
            Plot.dot(within, { ...points, r: 2.8, fill: 'var(--accent)', fillOpacity: 0.5, ...hidden }),
            Plot.dot(beyond, { ...points, r: 3.4, symbol: 'triangle', stroke: 'var(--accent)', fill: 'var(--paper)', ...hidden }),
            Plot.dot(names, { ...points, r: 3.6, symbol: (r) => (isBeyond(r) ? 'triangle' : 'circle'),
                fill: (r) => (isBeyond(r) ? 'var(--paper)' : 'var(--accent)'), stroke: 'var(--accent)', ...hidden }),
            boxes.map(({ row, dx }, i) => Plot.text([row], { ...label, dx, fontWeight: i === 0 ? 700 : 400, className: 'year-name' })),
            Plot.tip(rows, Plot.pointer({ ...points, title: told, fill: 'var(--paper)', stroke: 'var(--soft)', maxRadius: 30 })),
            Plot.dot(rows, Plot.pointer({ ...points, r: 6, stroke: 'var(--focus)', strokeWidth: 2, maxRadius: 30, ...hidden })),
        ],
    });
};

const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
};

export default function strength(Plot, data, width) {
    const rows = (data.ranking ?? []).map((r) => ({ ...r, y: r.rating.estimate }))
        .filter((r) => Number.isFinite(r.y));
    if (rows.length < 2) return null;
    const plot = drawing(Plot, rows, width);
    const link = element('a', {});
    const address = (r) => `/players/${r.player.id}${slug(r.player.name)}/${r.year}`;
    let chosen = 0;

    const choose = (row) => {
        chosen = rows.indexOf(row);
        link.href = address(row);
        link.textContent = told(row).replaceAll('\n', '. ');
    };
    const step = (by) => {
        choose(rows[(chosen + by + rows.length) % rows.length]);
        const box = plot.getBoundingClientRect();
        const scale = box.width / width;
        plot.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse',
            clientX: box.left + scale * plot.scale('x').apply(rows[chosen].year),
            clientY: box.top + scale * plot.scale('y').apply(rows[chosen].y) }));
    };
    const button = (text, label, by) => {
        const made = element('button', { type: 'button', className: 'quiet', textContent: text, onclick: () => step(by) });
        made.setAttribute('aria-label', label);
        return made;
    };
    let touch = false;
    plot.addEventListener('pointerdown', (event) => { touch = event.pointerType === 'touch'; });
    plot.addEventListener('input', () => { if (plot.value) choose(plot.value); });
    plot.addEventListener('click', () => { if (plot.value && !touch) window.location.assign(address(plot.value)); });
    plot.style.cursor = 'pointer';
    choose(rows[0]);
    const line = element('p', { className: 'chosen-year' }, button('‹', 'The year ranked before', -1), button('›', 'The year ranked next', 1), link);
    link.setAttribute('aria-live', 'polite');
    return element('figure', {}, plot, line);
}
