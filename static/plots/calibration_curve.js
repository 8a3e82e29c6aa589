// What an evaluation is worth: fitted curves by range of ratings, points of all mileposts.
import { hidden, per, share, steps } from './common.js';

export default function curve(Plot, data, width) {
    const all = data.score_curve?.all;
    const curves = (data.score_curve?.bands ?? [])
        .filter((c) => typeof c.b === 'number')
        .map((c) => ({ ...c, name: `${c.low} to ${c.high}` }));
    if (typeof all?.b !== 'number' || all.points.length === 0) return null;
    const lines = curves.flatMap((c) => steps.map((v) => ({ name: c.name, v, score: share(c.a, c.b, v) })));
    const within = all.points.filter((p) => Math.abs(p.v) <= 6.6);
    return Plot.plot({
        width,
        height: Math.min(420, Math.max(280, width * 0.55)),
        marginLeft: 50,
        marginBottom: 42,
        ariaLabel: 'Share of points scored by evaluation',
        ariaDescription: curves.map((c) => `mileposts ${c.name}: A ${c.a.toFixed(3)}, B ${c.b.toFixed(2)}`).join('; '),
        x: { label: 'Evaluation (pawns, for the side to move)', grid: true },
        y: { label: 'Share of points (%)', percent: true, domain: [0, 100], grid: true },
        color: { legend: curves.length > 1, domain: curves.map((c) => c.name), scheme: 'viridis', label: 'Mileposts' },
        marks: [
            Plot.ruleX(within.filter((p) => p.interval), {
                x: 'v', y1: (p) => p.interval.low, y2: (p) => p.interval.high, stroke: 'currentColor', strokeOpacity: 0.5, ...hidden,
            }),
            Plot.dot(within, {
                x: 'v', y: 'score', r: 3, fill: 'currentColor',
                title: (p) => `${p.v.toFixed(2)} pawns: ${per(p.score)} of the points, ${p.positions} positions`,
            }),
            Plot.line(lines, { x: 'v', y: 'score', z: 'name', stroke: 'name', strokeWidth: 2, ...hidden }),
        ],
    });
}
