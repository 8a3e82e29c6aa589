// Correlation of conformance with results by the loss, a line a form: the JSON of
// /api/v1/reports/conformance.
import { spread } from './labels.js';
import { hidden, word } from './common.js';

const HEIGHT = 400;

export default function (Plot, data, width) {
    const forms = Object.entries(data.forms ?? {}).map(([name, form]) => ({ form: word(name), ...form }));
    const points = forms.flatMap(({ form, curve }) =>
        curve.filter((p) => p.rho !== null).map(({ x, rho }) => ({ form, x, rho })));
    const best = forms.filter(({ best: at }) => at?.rho.interval)
        .map(({ form, best: { x, rho } }) => ({ form, x, rho: rho.estimate, ...rho.interval }));
    if (points.length === 0) return null;
    const ends = forms.map(({ form }) => points.findLast((p) => p.form === form)).filter(Boolean);
    const [low, high] = [Math.min(0, ...points.map(({ rho }) => rho)), Math.max(...points.map(({ rho }) => rho), ...best.map((b) => b.high))];
    const [top, bottom] = [20, HEIGHT - 42];
    const y = (rho) => bottom - ((rho - low) / (high - low)) * (bottom - top);
    const at = spread(ends.map(({ rho }) => y(rho)), 16, top, bottom);
    return Plot.plot({
        width: Math.max(width, 320),
        height: HEIGHT,
        marginTop: top,
        marginRight: 130,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Correlation of conformance with results, by the loss in pawns',
        ariaDescription: best.map((b) => `${b.form}: highest ${b.rho.toFixed(3)} at ${b.x.toFixed(2)}`).join('; '),
        grid: true,
        x: { label: 'Loss x (pawns)' },
        y: { label: 'ρ', domain: [low, high] },
        color: { domain: forms.map(({ form }) => form), range: ['var(--accent)', 'var(--other)', 'var(--soft)'] },
        marks: [
            Plot.ruleX([0.3], { ...hidden, strokeDasharray: '3 3', strokeOpacity: 0.6 }),
            ...ends.map((end, i) => Plot.text([end], { ...hidden, x: 'x', y: 'rho', text: 'form', fill: 'form', dx: 8,
                dy: at[i] - y(end.rho), textAnchor: 'start' })),
            Plot.line(points, { ...hidden, x: 'x', y: 'rho', stroke: 'form', strokeWidth: 2 }),
            Plot.ruleX(best, { ...hidden, x: 'x', y1: 'low', y2: 'high', stroke: 'form', strokeWidth: 2 }),
            Plot.dot(best, { ...hidden, x: 'x', y: 'rho', fill: 'form', r: 4,
                title: (b) => `${b.form}: highest at ${b.x.toFixed(2)} pawns, ρ ${b.rho.toFixed(3)} (95% ${b.low.toFixed(3)} to ${b.high.toFixed(3)})` }),
        ],
    });
}
