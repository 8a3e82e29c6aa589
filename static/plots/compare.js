// Expected scores of two player-years from the ratings and every predictor, with 95 % intervals,
// from the JSON of /api/v1/predictions.
import { per, surnames, word } from './common.js';

const side = ({ player, year }) => `${surnames([player.name])(player.name)}${year ? ` ${year}` : ', career'}`;

export default function (Plot, data, width) {
    const { chances, by_moves, predictions, white } = data.prediction ?? data;
    const both = chances.strength === 'rating' ? { chances } : { chances, by_moves };
    const rows = Object.entries({ ...both, ...predictions })
        .filter(([, p]) => p.expected !== null)
        .map(([key, p]) => ({
            name: word(key),
            expected: p.expected,
            low: p.interval?.low,
            high: p.interval?.high,
            white: p.as_white?.expected,
            black: p.as_black?.expected,
        }));
    if (rows.length === 0) return null;
    const bars = rows.filter((r) => r.low !== undefined);
    const title = (r) => `${r.name}: ${per(r.expected)}` +
        (r.low === undefined ? ', no interval' : `, 95% interval ${per(r.low)} to ${per(r.high)}`) +
        `\nwith White ${per(r.white)}, with Black ${per(r.black)}`;
    return Plot.plot({
        width,
        height: 70 + 38 * rows.length,
        marginLeft: Math.max(96, 12 + 6.2 * Math.max(...rows.map((r) => r.name.length))),
        marginRight: 20,
        marginBottom: 46,
        ariaLabel: 'Expected scores by predictor',
        ariaDescription: rows.map(title).join('; ').replaceAll('\n', ', '),
        x: { domain: [0, 100], percent: true, grid: true, label: `Expected score of ${side(white)} (%)` },
        y: { domain: rows.map((r) => r.name), label: null, padding: 0.4 },
        marks: [
            Plot.ruleX([0.5], { strokeDasharray: '3 3', strokeOpacity: 0.6 }),
            Plot.barX(bars, { x1: 'low', x2: 'high', y: 'name', fill: 'var(--bar)', insetTop: 4, insetBottom: 4 }),
            Plot.tickX(rows, { x: 'expected', y: 'name', stroke: 'var(--accent)', strokeWidth: 3 }),
            Plot.dot(rows, { x: 'white', y: 'name', r: 4, dy: -5, fill: 'var(--paper)', stroke: 'currentColor', title }),
            Plot.dot(rows, { x: 'black', y: 'name', r: 4, dy: 5, fill: 'currentColor', title }),
        ],
    });
}
