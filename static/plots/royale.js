// Player-years of a battle royale: strengths with their 95 % intervals, or mean expected scores where
// no error is known, the best years of the players filled. Of a large field the first ones, since the
// table has all.
import { hidden, per } from './common.js';

const SHOWN = 25;

// "Capablanca 1921" of "Capablanca, Jose Raul 1921".
const surname = (name) => name.replace(/,.*(?= )/, '');

const title = (r) => `${surname(r.name)}: ${per(r.strength)}` +
    (r.low === undefined ? ', no interval is known' : `, 95% interval ${per(r.low)} to ${per(r.high)}`);

export default function royale(Plot, data, width) {
    const errors = data.order?.verdict !== 'no_errors';
    const shown = (data.ranking ?? []).filter((r) => !errors || r.strength !== null).slice(0, SHOWN);
    const rows = shown.map((r) => ({
        name: `${r.player.name} ${r.year}`,
        strength: errors ? r.strength : r.expected,
        low: r.interval?.low ?? undefined,
        high: r.interval?.high ?? undefined,
        best: r.best,
        address: `/players/${r.player.id}/${r.year}`,
        apart: errors && r.rank_low > shown[0].rank_high, // from the first one
    }));
    if (rows.length < 2) return null;
    return Plot.plot({
        width,
        height: 92 + 20 * rows.length,
        marginTop: 42, // the axis is also above, as the lower one is off many screens
        marginLeft: 140,
        marginRight: 16,
        marginBottom: 44,
        ariaLabel: 'Strengths of the player-years',
        ariaDescription: rows.slice(0, 10).map(title).join('; '),
        x: { label: errors ? 'Strength: expected score against the average (%)' : 'Mean expected score (%)',
            percent: true, grid: true, nice: true, axis: 'both' },
        y: { label: null, domain: rows.map((r) => r.name), tickFormat: surname },
        marks: [
            Plot.ruleX([0.5], { strokeDasharray: '3 3', strokeOpacity: 0.6, ...hidden }),
            Plot.link(rows.filter((r) => r.low !== undefined), {
                x1: 'low', x2: 'high', y1: 'name', y2: 'name', stroke: 'var(--bar)', strokeWidth: 6,
                strokeOpacity: (r) => (r.apart ? 0.4 : 1), ...hidden,
            }),
            Plot.dot(rows, {
                x: 'strength', y: 'name', r: 4, title, href: 'address', stroke: 'var(--accent)',
                fill: (r) => (r.best ? 'var(--accent)' : 'var(--paper)'), ...hidden,
            }),
        ],
    });
}
