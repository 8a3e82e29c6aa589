// Our scores against those that a paper printed, with intervals, a facet a method; of the tables of
// best years the mean scores of the players: the JSON of /api/v1/papers/{paper}/{table}.
import { hidden, per } from './common.js';

const row = (name, method, { printed, ours, interval }) => ({
    name, method, printed, ours, low: interval?.low ?? ours, high: interval?.high ?? ours,
});

const points = (data) => (data.standings
    ? data.standings.rows.map((s) => row(`${s.side.name} ${s.side.year}`, data.columns[0].title, s))
    : data.rows.flatMap(({ first, second, year, cells }) => cells.map((c, i) =>
        row(`${first.name} – ${second.name} ${year}`, data.columns[i].title, c))))
    .filter(({ printed, ours }) => printed !== null && ours !== null);

export default function (Plot, data, width) {
    const rows = points(data);
    if (rows.length === 0) return null;
    const methods = [...new Set(rows.map((r) => r.method))];
    const ends = rows.flatMap((r) => [r.low, r.high, r.printed]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const title = (r) => `${r.name}: paper ${per(r.printed)}, ours ${per(r.ours)} (95% ${per(r.low)} to ${per(r.high)})`;
    return Plot.plot({
        width: Math.max(width, 320),
        height: 60 + 230 * methods.length,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Our scores against those of the paper',
        grid: true,
        marginRight: 90,
        x: { percent: true, nice: true, label: 'Paper (%)' },
        y: { percent: true, nice: true, label: 'Ours (%)' },
        fy: { domain: methods, label: null },
        marks: [
            Plot.line([[low, low], [high, high]], { ...hidden, strokeOpacity: 0.5, strokeDasharray: '4 3' }),
            Plot.ruleX(rows, { ...hidden, fy: 'method', x: 'printed', y1: 'low', y2: 'high', stroke: 'var(--bar)', strokeWidth: 3 }),
            Plot.dot(rows, { ...hidden, fy: 'method', x: 'printed', y: 'ours', fill: 'var(--accent)', r: 4, title }),
        ],
    });
}
