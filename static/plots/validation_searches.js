// What settings of the engine tell for their nodes: the JSON of /api/v1/validation.
import { hidden } from './common.js';

export default function (Plot, data, width) {
    const rows = (data.searches?.settings ?? []).map((s) => ({
        ...s, own: s.lines === 2 && s.depth === 10, low: s.sd - s.standard_error, high: s.sd + s.standard_error,
    }));
    if (rows.length === 0) return null;
    const title = (r) => `${r.lines} ${r.lines === 1 ? 'line' : 'lines'}, depth ${r.depth}: ${r.sd.toFixed(0)} ± ${r.standard_error.toFixed(0)}, ${Math.round(r.nodes / 100) / 10} thousand nodes a move`;
    const last = rows.filter(({ depth }) => depth === 12);
    return Plot.plot({
        width,
        height: Math.min(360, Math.max(260, width * 0.45)),
        marginLeft: 44,
        marginRight: 52,
        marginBottom: 42,
        ariaLabel: 'Standard deviation at 1,000 moves by nodes of a move',
        ariaDescription: rows.map(title).join('; '),
        x: { type: 'log', label: 'Nodes of a move (thousands)', transform: (v) => v / 1000, ticks: [5, 10, 20, 50, 100], tickFormat: 'd', grid: true },
        y: { label: 'Standard deviation at 1,000 moves (Elo)', zero: true, nice: true, grid: true },
        marks: [
            Plot.line(rows, { x: 'nodes', y: 'sd', z: 'lines', stroke: 'currentColor', strokeOpacity: 0.35, ...hidden }),
            Plot.ruleX(rows, { x: 'nodes', y1: 'low', y2: 'high', stroke: 'currentColor', strokeOpacity: 0.25, ...hidden }),
            Plot.dot(rows, { x: 'nodes', y: 'sd', r: 4, fill: ({ own }) => (own ? 'var(--accent)' : 'var(--paper)'), stroke: 'var(--accent)', title }),
            Plot.text(last, { x: 'nodes', y: 'sd', dx: 8, textAnchor: 'start', text: ({ lines }) => `${lines} ${lines === 1 ? 'line' : 'lines'}`, ...hidden }),
        ],
    });
}
