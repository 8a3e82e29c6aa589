// Correlation of the covariance predictor with results by n0 and b.
export default function (Plot, data, width) {
    const cells = (data.rho ?? []).flatMap((row, i) =>
        row.map((rho, k) => ({ n0: data.n0[i], b: data.b[k], rho })).filter((cell) => cell.rho !== null));
    if (cells.length === 0) return null;
    const best = data.best && data.best.estimate !== null ? [data.best] : [];
    const step = data.b.length > 1 ? data.b[1] - data.b[0] : 0.2;
    return Plot.plot({
        width,
        ariaLabel: 'Correlation by the number of further moves n0 and the bound b',
        x: { label: 'n0' },
        y: { label: 'b, pawns' },
        color: { scheme: 'viridis', legend: true, label: 'ρ' },
        marks: [
            Plot.rect(cells, {
                x1: (c) => c.n0 - 0.5, x2: (c) => c.n0 + 0.5,
                y1: (c) => c.b - step / 2, y2: (c) => c.b + step / 2,
                fill: 'rho', inset: -0.25,
            }),
            Plot.dot(best, { x: 'n0', y: 'b', stroke: 'white', strokeWidth: 2, r: 6, symbol: 'times' }),
        ],
    });
}
