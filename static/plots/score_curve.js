// Points scored by evaluation, binned points of all positions and fitted curves by rating: the JSON
// of /api/v1/reports/score_curve.
import { hidden, per, share, steps } from './common.js';

const name = ({ elo }) => (elo ? `${elo.low} to ${elo.high - 1}` : 'all');

export default function (Plot, data, width) {
    if (!data.all || data.all.bins.length === 0) return null;
    const fitted = [data.all, ...data.bands].filter(({ b }) => b.estimate !== null);
    const curves = fitted.flatMap((band) => {
        const [a, b] = [band.a.estimate, band.b.estimate];
        return steps.map((v) => ({ band: name(band), v, score: share(a, b, v) }));
    });
    return Plot.plot({
        width: Math.max(width, 320),
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Share of points scored by evaluation in pawns, by rating of the player to move',
        ariaDescription: fitted.map((c) => `${name(c)}: A ${c.a.estimate.toFixed(3)}, B ${c.b.estimate.toFixed(2)}`).join('; '),
        grid: true,
        x: { label: 'Evaluation (pawns)', domain: [-6, 6] },
        y: { label: 'Points scored (%)', percent: true, domain: [0, 100] },
        color: { legend: true, domain: fitted.map(name) },
        marks: [
            Plot.line(curves, { ...hidden, x: 'v', y: 'score', stroke: 'band' }),
            Plot.ruleX(data.all.bins.filter(({ interval }) => interval), { ...hidden, x: 'v', y1: ({ interval }) => interval.low, y2: ({ interval }) => interval.high, clip: true }),
            Plot.dot(data.all.bins, { ...hidden, x: 'v', y: 'score', fill: 'currentColor', r: 3, clip: true,
                title: ({ v, score, interval }) => `${v.toFixed(2)} pawns: ${per(score)} of the points` +
                    (interval ? ` (95% ${per(interval.low)} to ${per(interval.high)})` : '') }),
        ],
    });
}
