// Ratings of one player-year that share the Elo scale, with their 95 % intervals.
import { beyond, intervals, openEnds, span } from './common.js';

// `rows` of the figure names them: "ipr=IPR;bayes.elo=Reference agent;".
export default function ratings(Plot, data, width, figure) {
    const rows = figure.rows.split(';').slice(0, -1).map((row) => row.split('=')).map(([path, name]) =>
        [name, path.split('.').reduce((at, key) => at?.[key], data)]).filter(([, r]) => typeof r?.estimate === 'number' || r?.bound)
        .map(([name, r]) => ({ name, bound: typeof r.estimate === 'number' ? null : r.bound,
            x: r.estimate ?? r.bound.low ?? r.bound.high, low: r.interval?.low, high: r.interval?.high,
            extrapolated: r.extrapolated === true || typeof r.estimate !== 'number', range: r.calibrated_range }));
    // A rating that is only a bound stands there, open.
    const value = (r) => (r.bound ? span(r.bound) : `${Math.round(r.x)}`);
    if (rows.length < 2) return null;
    const bars = rows.filter((r) => r.low !== undefined);
    const values = rows.flatMap((r) => [r.x, r.low, r.high]).filter((v) => typeof v === 'number');
    const domain = [Math.floor(Math.min(...values) / 100) * 100, Math.ceil(Math.max(...values) / 100) * 100];
    const title = (r) => `${r.name}: ${value(r)}${r.low === undefined ? '' : `, 95% interval ${span(r)}`}` +
        (r.extrapolated && !r.bound ? ', extrapolated beyond the calibrated range' : '');
    return Plot.plot({
        width,
        marginLeft: 140,
        height: 60 + 34 * rows.length,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Ratings on the Elo scale',
        ariaDescription: rows.map((r) => `${r.name} ${value(r)}`).join(', '),
        x: { label: 'Elo', grid: true, domain, inset: 10, tickFormat: 'd' },
        y: { label: null, domain: rows.map((r) => r.name) },
        marks: [
            openEnds(Plot, bars, domain, { y: 'name', fill: 'var(--bar)', fontSize: 22 }),
            intervals(Plot, rows, { x1: (r) => r.low ?? r.range?.low ?? domain[0], x2: (r) => r.high ?? r.range?.high ?? domain[1], y: 'name' },
                { x: 'x', y: 'name', stroke: 'var(--accent)', title }),
            beyond(Plot, bars, domain, { y: 'name', stroke: 'var(--accent)', strokeWidth: 2 }),
        ],
    });
}
