// Correlation of the covariance predictor with results by n0 and b: the JSON of
// /api/v1/reports/covariance.
import { hidden } from './common.js';

export default function (Plot, data, width) {
    const cells = (data.rho ?? []).flatMap((row, i) =>
        row.map((rho, k) => ({ n0: data.n0[i], b: data.b[k], rho })).filter((cell) => cell.rho !== null));
    if (cells.length === 0) return null;
    const best = data.best.estimate === null ? [] : [data.best];
    const half = (data.b[1] - data.b[0]) / 2;
    return Plot.plot({
        width: Math.max(width, 320),
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Correlation by the number of further pairs of moves n0 and the bound b',
        ariaDescription: best.map((p) => `highest ${p.estimate.toFixed(3)} at n0 ${p.n0} and b ${p.b.toFixed(1)}`).join(),
        x: { label: 'n0' },
        y: { label: 'b (pawns)' },
        color: { scheme: 'viridis', legend: true, label: 'ρ' },
        marks: [
            Plot.rect(cells, {
                ...hidden,
                x1: ({ n0 }) => n0 - 0.5,
                x2: ({ n0 }) => n0 + 0.5,
                y1: ({ b }) => b - half,
                y2: ({ b }) => b + half,
                fill: 'rho',
                inset: -0.25,
                title: ({ n0, b, rho }) => `n0 ${n0}, b ${b.toFixed(1)}: ρ ${rho.toFixed(3).replace('-', '−')}`,
            }),
            Plot.dot(best, { ...hidden, x: 'n0', y: 'b', stroke: 'black', strokeWidth: 2, r: 6, symbol: 'times' }),
        ],
    });
}
