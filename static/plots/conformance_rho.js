// Correlation of conformance with results by the loss, a line a form.
const NAMES = { ponderated: 'ponderated', raw: 'raw', guid_bratko: 'raw, up to 2 pawns' };

export default function (Plot, data, width) {
    const points = Object.entries(data.forms ?? {}).flatMap(([form, of]) =>
        of.curve.filter((p) => p.rho !== null).map((p) => ({ form: NAMES[form] ?? form, x: p.x, rho: p.rho })));
    const best = Object.entries(data.forms ?? {})
        .filter(([, of]) => of.best && of.best.rho.interval)
        .map(([form, of]) => ({ form: NAMES[form] ?? form, x: of.best.x, rho: of.best.rho.estimate, ...of.best.rho.interval }));
    if (points.length === 0) return null;
    return Plot.plot({
        width,
        ariaLabel: 'Correlation of conformance with results, by the loss in pawns',
        grid: true,
        x: { label: 'Loss x, pawns' },
        y: { label: 'ρ' },
        color: { legend: true },
        marks: [
            Plot.line(points, { x: 'x', y: 'rho', stroke: 'form' }),
            Plot.ruleX(best, { x: 'x', y1: 'low', y2: 'high', stroke: 'form', strokeWidth: 2 }),
            Plot.dot(best, { x: 'x', y: 'rho', fill: 'form' }),
        ],
    });
}
