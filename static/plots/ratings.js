// Ratings of one player-year that share the Elo scale, with their 95 % intervals.
import { openEnds } from './common.js';

export default function ratings(Plot, data, width) {
    const rows = [
        ['Rating by the moves', data.rating],
        ['IPR', data.ipr],
        ['Reference agent', data.bayes?.elo],
        ['Elo', data.elo],
        ['Performance', data.elo?.performance],
    ].filter(([, r]) => typeof r?.estimate === 'number')
        .map(([name, r]) => ({ name, x: r.estimate, low: r.interval?.low, high: r.interval?.high }));
    if (rows.length < 2) return null;
    const bars = rows.filter((r) => r.low !== undefined);
    const values = rows.flatMap((r) => [r.x, r.low, r.high]).filter((v) => typeof v === 'number');
    const domain = [Math.floor(Math.min(...values) / 100) * 100, Math.ceil(Math.max(...values) / 100) * 100];
    return Plot.plot({
        width,
        marginLeft: 140,
        height: 60 + 34 * rows.length,
        ariaLabel: 'Ratings on the Elo scale',
        ariaDescription: rows.map((r) => `${r.name} ${Math.round(r.x)}`).join(', '),
        x: { label: 'Elo', grid: true, domain, inset: 10, tickFormat: 'd' },
        y: { label: null, domain: rows.map((r) => r.name) },
        marks: [
            Plot.link(bars, {
                x1: (r) => r.low ?? domain[0], x2: (r) => r.high ?? domain[1], y1: 'name', y2: 'name',
                stroke: 'var(--bar)', strokeWidth: 8,
            }),
            openEnds(Plot, bars, domain, { y: 'name', fill: 'var(--bar)', fontSize: 22 }),
            Plot.dot(rows, { x: 'x', y: 'name', fill: 'var(--accent)', r: 5 }),
        ],
    });
}
