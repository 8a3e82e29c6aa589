// Expected scores of matches beside the actual ones, a facet a predictor.
const NAMES = { markov: 'Markov', conformance: 'Conformance', covariance: 'Covariance', ipr: 'IPR', elo: 'Elo' };

export default function (Plot, data, width) {
    const rows = (data.matches ?? []).flatMap((match) =>
        Object.entries(match.predictions)
            .filter(([, p]) => p.expected !== null)
            .map(([name, p]) => ({
                predictor: NAMES[name] ?? name,
                match: `${match.first.name}, ${match.second.name} ${match.year}`,
                actual: match.score,
                expected: p.expected,
                low: p.interval?.low ?? p.expected,
                high: p.interval?.high ?? p.expected,
            })));
    if (rows.length === 0) return null;
    return Plot.plot({
        width,
        ariaLabel: 'Expected and actual scores of matches, by predictor',
        grid: true,
        x: { domain: [0, 1], percent: false, tickFormat: '.0%', label: 'Expected score' },
        y: { tickFormat: '.0%', label: 'Actual score' },
        fy: { label: null },
        marginRight: 90,
        marks: [
            Plot.line([[0, 0], [1, 1]], { clip: true, strokeOpacity: 0.4, strokeDasharray: '4 3' }),
            Plot.link(rows, { fy: 'predictor', x1: 'low', x2: 'high', y1: 'actual', y2: 'actual', strokeOpacity: 0.45 }),
            Plot.dot(rows, { fy: 'predictor', x: 'expected', y: 'actual', fill: 'currentColor', r: 3, title: 'match' }),
        ],
    });
}
