// How often the 95 % interval holds, by games of a set and part: the JSON of /api/v1/validation.
import { hidden, per } from './common.js';

export default function (Plot, data, width) {
    const rows = data.parts.flatMap(({ part, sets }) => sets
        .filter(({ chosen, of, coverage }) => chosen && of !== 'player' && coverage !== null)
        .map((s) => {
            const chance = 1.96 * Math.sqrt(0.95 * 0.05 / s.sets);
            return { ...s, part, x: s.games * (part === 'blind' ? 1.06 : 0.94),
                low: 0.95 - chance, high: Math.min(0.95 + chance, 1) };
        }));
    if (rows.length === 0) return null;
    const title = (r) => `${r.games} ${r.games === 1 ? 'game' : 'games'}, ${r.part.replace('_', '-')}: ${per(r.coverage)} of ${Math.round(r.sets)} sets`;
    const lowest = Math.min(0.85, ...rows.map((r) => Math.min(r.low, r.coverage)));
    const of = (blind) => rows.filter(({ part }) => (part === 'blind') === blind);
    return Plot.plot({
        width,
        height: Math.min(320, Math.max(240, width * 0.4)),
        marginLeft: 50,
        marginBottom: 42,
        ariaLabel: 'Share of sets whose Elo is in the 95% interval, by games of a set',
        ariaDescription: rows.map(title).join('; '),
        x: { type: 'log', label: 'Games of a set', ticks: [...new Set(rows.map((r) => r.games))], tickFormat: 'd', inset: 12 },
        y: { label: 'Sets in the interval (%)', percent: true, domain: [Math.floor(20 * lowest) * 5, 100], grid: true },
        marks: [
            Plot.ruleY([0.95], { stroke: 'currentColor', strokeDasharray: '4 3', ...hidden }),
            Plot.ruleX(rows, { x: 'x', y1: 'low', y2: 'high', stroke: 'var(--bar)', strokeWidth: 5, ...hidden }),
            Plot.dot(of(false), { x: 'x', y: 'coverage', r: 4, fill: 'var(--accent)', title }),
            Plot.dot(of(true), { x: 'x', y: 'coverage', r: 4, fill: 'var(--paper)', stroke: 'var(--accent)', strokeWidth: 1.5, title }),
        ],
    });
}
