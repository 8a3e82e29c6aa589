// Where the expected points were lost: shares of the loss by what a single move lost.
import { per, hidden } from './common.js';

const name = ({ from, to }) => (to === null ? `${from.toFixed(2)} or more` : `${from.toFixed(2)} to ${to.toFixed(2)}`);

const told = ({ moves, share }) => `${per(share)}: ${moves} ${moves === 1 ? 'move' : 'moves'}`;

export default function points(Plot, data, width) {
    const bins = (data.bins ?? []).map((bin) => ({ ...bin, name: name(bin) }));
    if (!(data.all_points_lost > 0)) return null;
    const most = Math.max(...bins.map(({ share }) => share));
    return Plot.plot({
        width: Math.min(width, 704), height: 72 + 26 * bins.length, marginTop: 30, marginLeft: 96, marginRight: 110, marginBottom: 42,
        ariaLabel: 'Points lost, by what a move lost',
        ariaDescription: bins.map((bin) => `${bin.name} points: ${told(bin)}`).join('; '),
        x: { label: 'Share of all points lost (%)', domain: [0, 100 * most], grid: true },
        y: { label: 'Points lost by a move', labelAnchor: 'top', domain: bins.map((bin) => bin.name), tickSize: 0 },
        marks: [
            Plot.barX(bins, { x: (bin) => 100 * bin.share, y: 'name', fill: 'var(--bar)', insetTop: 3, insetBottom: 3, ...hidden }),
            Plot.text(bins, { x: (bin) => 100 * bin.share, y: 'name', text: told, textAnchor: 'start', dx: 6, fill: 'var(--ink)', ...hidden }),
        ],
    });
}
