// Points scored by evaluation, binned points of all positions and fitted curves by rating: the JSON
// of /api/v1/reports/score_curve.
import { hidden, per, share, steps } from './common.js';

const name = ({ elo }) => (elo ? `${elo.low} to ${elo.high - 1}` : 'all');

export default function (Plot, data, width) {
    if (!data.all || data.all.bins.length === 0) return null;
    const fitted = [data.all, ...data.bands].filter(({ b }) => b.estimate !== null);
    // Each curve in parts: dashed beyond the evaluations that it is fitted to.
    const curves = fitted.flatMap((band) => {
        const [a, b] = [band.a.estimate, band.b.estimate];
        const [first, last] = [band.bins[0].v, band.bins.at(-1).v];
        const inside = steps.filter((v) => v > first && v < last);
        const part = (values, key, beyond) => values.map((v) => ({ band: name(band), part: `${name(band)} ${key}`, beyond, v, score: share(a, b, v) }));
        return [...part([...steps.filter((v) => v < first), first], 'below', true),
            ...part([first, ...inside, last], 'within', false),
            ...part([last, ...steps.filter((v) => v > last)], 'above', true)];
    });
    return Plot.plot({
        width: Math.max(width, 320),
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Share of points scored by evaluation in pawns, by rating of the player to move',
        ariaDescription: fitted.map((c) => `${name(c)}: A ${c.a.estimate.toFixed(3)}, B ${c.b.estimate.toFixed(2)}`).join('; '),
        grid: true,
        x: { label: 'Evaluation (pawns)', domain: [-6, 6] },
        y: { label: 'Points scored (%)', percent: true, domain: [0, 100] },
        color: { legend: fitted.length > 1, domain: fitted.map(name) },
        marks: [
            ...[false, true].map((beyond) => Plot.line(curves.filter((p) => p.beyond === beyond), { ...hidden, x: 'v', y: 'score', z: 'part',
                stroke: 'band', ...(beyond && { strokeDasharray: '4 3' }) })),
            Plot.ruleX(data.all.bins.filter(({ interval }) => interval), { ...hidden, x: 'v', y1: ({ interval }) => interval.low, y2: ({ interval }) => interval.high, clip: true }),
            Plot.dot(data.all.bins, { ...hidden, x: 'v', y: 'score', fill: 'currentColor', r: 3, clip: true,
                title: ({ v, score, interval }) => `${v.toFixed(2)} pawns: ${per(score)} of the points` +
                    (interval ? ` (95% ${per(interval.low)} to ${per(interval.high)})` : '') }),
        ],
    });
}
