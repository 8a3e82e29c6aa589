// Ratings of one player-year that share the Elo scale, with their 95 % intervals.
export default function ratings(Plot, data, width) {
    const rows = [
        ['Rating by the moves', data.rating],
        ['IPR', data.ipr],
        ['Reference agent', data.bayes?.elo],
        ['Elo', data.elo],
        ['Performance', data.elo?.performance],
    ].filter(([, r]) => typeof r?.estimate === 'number')
        .map(([name, r]) => ({ name, x: r.estimate, low: r.interval?.low ?? r.calibrated_range?.low,
            high: r.interval?.high ?? r.calibrated_range?.high }));
    if (rows.length < 2) return null;
    return Plot.plot({
        width,
        marginLeft: 140,
        height: 60 + 34 * rows.length,
        ariaLabel: 'Ratings on the Elo scale',
        ariaDescription: rows.map((r) => `${r.name} ${Math.round(r.x)}`).join(', '),
        x: { label: 'Elo', grid: true, nice: true, tickFormat: 'd' },
        y: { label: null, domain: rows.map((r) => r.name) },
        marks: [
            Plot.link(rows.filter((r) => r.low), {
                x1: 'low', x2: 'high', y1: 'name', y2: 'name',
                stroke: 'var(--bar)', strokeWidth: 8,
            }),
            Plot.dot(rows, { x: 'x', y: 'name', fill: 'var(--accent)', r: 5 }),
        ],
    });
}
