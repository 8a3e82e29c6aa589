// Standard deviation of engine settings by nodes, from the JSON of /api/v1/validation.
import { hidden } from './common.js';

export default function (Plot, data, width) {
    const rows = (data.searches?.settings ?? []).map((s) => ({
        ...s, own: s.lines === 2 && s.depth === 10, low: s.sd - s.standard_error, high: s.sd + s.standard_error,
    }));
    if (rows.length === 0) return null;
    const title = (r) => `${r.lines} ${r.lines === 1 ? 'line' : 'lines'}, depth ${r.depth}: ${r.sd.toFixed(0)} ± ${r.standard_error.toFixed(0)}, ${Math.round(r.nodes / 100) / 10} thousand nodes per move`;
    const named = ({ lines }) => (lines === 1 ? '1 line' : `${lines} lines`);
    const first = rows.filter(({ lines }) => lines === rows[0].lines);
    return Plot.plot({
        width,
        height: Math.min(400, Math.max(320, width * 0.45)),
        marginLeft: 44,
        marginRight: 16,
        marginBottom: 42,
        ariaLabel: 'Standard deviation at 1,000 moves by nodes per move',
        ariaDescription: rows.map(title).join('; '),
        x: { type: 'log', insetLeft: 26, insetRight: 8, label: 'Nodes per move (thousands)', transform: (v) => v / 1000, ticks: [5, 10, 20, 50, 100], tickFormat: 'd', grid: true },
        r: { type: 'identity' },
        y: { label: 'Standard deviation at 1,000 moves (Elo)', zero: true, nice: true, grid: true },
        color: { legend: true, domain: [...new Set(rows.map(named))], range: ['var(--accent)', 'var(--other)', 'var(--soft)', 'var(--bar)'] },
        marks: [
            Plot.ruleX(rows, { x: 'nodes', y1: 'low', y2: 'high', stroke: named, strokeOpacity: 0.4, ...hidden }),
            Plot.line(rows, { x: 'nodes', y: 'sd', stroke: named, strokeWidth: 2, ...hidden }),
            Plot.dot(rows, { x: 'nodes', y: 'sd', r: ({ own }) => (own ? 7 : 4), fill: named, stroke: 'var(--paper)', title }),
            Plot.text(first, { x: 'nodes', y: 'low', dy: 11, text: ({ depth }) => `${depth === first[0].depth ? 'depth ' : ''}${depth}`, stroke: 'var(--paper)', fill: 'currentColor', ...hidden }),
        ],
    });
}
