// Standard deviation at 1,000 moves of every estimator, by part: the JSON of /api/v1/validation.
import { hidden } from './common.js';

export default function (Plot, data, width) {
    const rows = data.parts.flatMap(({ part, estimators }) => estimators.map((e) => ({
        ...e, part, low: e.sd - 1.96 * e.standard_error, high: e.sd + 1.96 * e.standard_error,
    }))).filter(({ sd, standard_error }) => sd !== null && standard_error !== null);
    if (rows.length === 0) return null;
    const first = rows.filter(({ part }) => part === data.parts[0].part).sort((a, b) => a.sd - b.sd);
    const low = Math.min(...rows.map((r) => r.low));
    const title = (r) => `${r.estimator}, ${r.part.replace('_', '-')}: ${r.sd.toFixed(0)} (95% ${r.low.toFixed(0)} to ${r.high.toFixed(0)})`;
    const of = (name) => rows.filter(({ part }) => (part === 'blind') === (name === 'blind'));
    const marks = (some, dy, fill) => [
        Plot.ruleY(some, { y: 'estimator', x1: 'low', x2: 'high', dy, stroke: 'currentColor', strokeOpacity: 0.6, ...hidden }),
        Plot.dot(some, { y: 'estimator', x: 'sd', dy, r: 4, fill, stroke: 'var(--accent)', title }),
    ];
    return Plot.plot({
        width,
        height: 60 + 42 * first.length,
        marginLeft: 8,
        marginBottom: 42,
        marginRight: 16,
        ariaLabel: 'Standard deviation at 1,000 moves by estimator',
        ariaDescription: rows.map(title).join('; '),
        x: { label: 'Standard deviation at 1,000 moves (Elo)', grid: true, nice: true },
        y: { domain: first.map(({ estimator }) => estimator), axis: null, type: 'band', padding: 0 },
        marks: [
            Plot.text(first, { y: 'estimator', x: () => low, text: 'estimator', dy: -10, textAnchor: 'start', ...hidden }),
            ...marks(of('others'), 4, 'var(--accent)'),
            ...marks(of('blind'), 13, 'var(--paper)'),
        ],
    });
}
