// Correlation of conformance with results by the loss, a line a form: the JSON of
// /api/v1/reports/conformance.
import { hidden, word } from './common.js';

export default function (Plot, data, width) {
    const forms = Object.entries(data.forms ?? {}).map(([name, form]) => ({ form: word(name), ...form }));
    const points = forms.flatMap(({ form, curve }) =>
        curve.filter((p) => p.rho !== null).map(({ x, rho }) => ({ form, x, rho })));
    const best = forms.filter(({ best: at }) => at?.rho.interval)
        .map(({ form, best: { x, rho } }) => ({ form, x, rho: rho.estimate, ...rho.interval }));
    if (points.length === 0) return null;
    return Plot.plot({
        width: Math.max(width, 320),
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Correlation of conformance with results, by the loss in pawns',
        ariaDescription: best.map((b) => `${b.form}: highest ${b.rho.toFixed(3)} at ${b.x.toFixed(2)}`).join('; '),
        grid: true,
        x: { label: 'Loss x (pawns)' },
        y: { label: 'ρ' },
        color: { legend: true, domain: forms.map(({ form }) => form) },
        marks: [
            Plot.line(points, { ...hidden, x: 'x', y: 'rho', stroke: 'form', strokeWidth: 2 }),
            Plot.ruleX(best, { ...hidden, x: 'x', y1: 'low', y2: 'high', stroke: 'form', strokeWidth: 2 }),
            Plot.dot(best, { ...hidden, x: 'x', y: 'rho', fill: 'form', r: 4,
                title: (b) => `${b.form}: highest at ${b.x.toFixed(2)} pawns, ρ ${b.rho.toFixed(3)} (95% ${b.low.toFixed(3)} to ${b.high.toFixed(3)})` }),
        ],
    });
}
