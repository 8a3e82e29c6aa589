// Expected scores of matches beside the actual ones, with the intervals of scores of so many games, a
// facet a predictor: the JSON of /api/v1/comparisons.
import { hidden, per, word } from './common.js';

export default function (Plot, data, width) {
    const rows = (data.matches ?? []).flatMap((match) =>
        Object.entries(match.predictions)
            .filter(([, p]) => p.expected !== null)
            .map(([name, p]) => ({
                predictor: word(name),
                match: `${match.first.name} – ${match.second.name} ${match.year}`,
                actual: match.score,
                expected: p.expected,
                low: p.match?.interval.low ?? p.expected,
                high: p.match?.interval.high ?? p.expected,
            })));
    if (rows.length === 0) return null;
    const predictors = [...new Set(rows.map((r) => r.predictor))];
    const highest = Math.max(0.6, ...rows.map((r) => r.actual));
    const title = (r) => `${r.match}: expected ${per(r.expected)} (95% of such matches ${per(r.low)} to ${per(r.high)}), scored ${per(r.actual)}`;
    return Plot.plot({
        width: Math.max(width, 320),
        height: 60 + 130 * predictors.length,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Expected and actual scores of matches, by predictor',
        grid: true,
        x: { domain: [0, 100], percent: true, label: 'Expected score (%)' },
        y: { domain: [45, Math.ceil(20 * highest) * 5], percent: true, ticks: 3, label: 'Actual score (%)' },
        fy: { domain: predictors, label: null, padding: 0.22 },
        marginRight: 120,
        marks: [
            Plot.line([[0, 0], [1, 1]], { ...hidden, clip: true, strokeOpacity: 0.5, strokeDasharray: '4 3' }),
            Plot.ruleY(rows, { ...hidden, fy: 'predictor', x1: 'low', x2: 'high', y: 'actual', stroke: 'var(--bar)', strokeWidth: 3 }),
            Plot.dot(rows, { ...hidden, fy: 'predictor', x: 'expected', y: 'actual', fill: 'var(--accent)', r: 4, title }),
        ],
    });
}
