// How many of the moves lose at most so much.
import { hidden, per } from './common.js';

const SHOWN = 3; // pawns: what is lost beyond is rare

export default function losses(Plot, data, width) {
    const classes = (data.conformance?.distribution ?? [])
        .filter((c) => c.loss !== null && c.loss <= SHOWN);
    if (classes.length < 3) return null;
    return Plot.plot({
        width,
        height: 260,
        marginBottom: 42, // the title of the axis is below its ticks
        ariaLabel: 'Share of moves by the loss',
        ariaDescription: `From ${data.conformance.turns} moves`,
        x: { label: 'Loss, at most (pawns)', grid: true },
        y: { label: 'Share of moves (%)', domain: [0, 100], grid: true },
        marks: [
            Plot.ruleY([0]),
            Plot.line(classes, {
                x: 'loss', y: (c) => 100 * c.cumulative,
                curve: 'step-after', stroke: 'var(--accent)', strokeWidth: 2,
            }),
            Plot.dot(classes, {
                ...hidden, x: 'loss', y: (c) => 100 * c.cumulative, r: 2.5, fill: 'var(--accent)',
                title: (c) => `${per(c.cumulative)} of the moves lose ${c.loss > 0 ? `at most ${c.loss.toFixed(2)} pawns` : 'nothing'}`,
            }),
        ],
    });
}
