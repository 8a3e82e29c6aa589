// Correlation of the indicators of complexity with the loss, a facet an indicator: the JSON of
// /api/v1/reports/complexity.
import { hidden, word } from './common.js';

export default function (Plot, data, width) {
    if (!data.players) return null;
    const parts = [{ player: { name: 'All of these' }, ...data.all }, ...data.players];
    const rows = parts.flatMap(({ player, indicators }) =>
        Object.entries(indicators)
            .filter(([, figure]) => figure.estimate !== null)
            .map(([indicator, { estimate, interval }]) => ({
                player: player.name,
                indicator: word(indicator),
                rho: estimate,
                low: interval?.low ?? estimate,
                high: interval?.high ?? estimate,
            })));
    if (rows.length === 0) return null;
    const narrow = width < 600; // facets below each other there
    const facet = narrow ? 'fy' : 'fx';
    const count = new Set(rows.map(({ indicator }) => indicator)).size;
    return Plot.plot({
        width: Math.max(width, 320),
        height: 60 + 20 * parts.length * (narrow ? count : 1),
        marginLeft: 160,
        marginRight: narrow ? 70 : 20,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Correlation of indicators of complexity with the loss, by player',
        ariaDescription: rows.filter(({ player }) => player === parts[0].player.name)
            .map((r) => `${r.indicator}: ${r.rho.toFixed(3)}, ${r.low.toFixed(3)} to ${r.high.toFixed(3)}`).join('; '),
        grid: true,
        x: { domain: [-0.4, 0.8], ticks: narrow ? 5 : 3, label: 'ρ' },
        y: { label: null, domain: parts.map(({ player }) => player.name) },
        [facet]: { label: null, domain: [...new Set(rows.map(({ indicator }) => indicator))] },
        marks: [
            Plot.ruleX([0], hidden),
            Plot.ruleY(rows, { ...hidden, [facet]: 'indicator', x1: 'low', x2: 'high', y: 'player', stroke: 'var(--bar)', strokeWidth: 3, clip: true }),
            Plot.dot(rows, { ...hidden, [facet]: 'indicator', x: 'rho', y: 'player', fill: 'var(--accent)', r: 3,
                title: (r) => `${r.player}, ${r.indicator}: ρ ${r.rho.toFixed(3)} (95% ${r.low.toFixed(3)} to ${r.high.toFixed(3)})` }),
        ],
    });
}
