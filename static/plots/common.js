// Functions shared by several drawings.

// The page's own word for a key of the API: the text of its element with that data-key.
export const word = (key) =>
    document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.textContent ?? key.replaceAll('_', ' ');

export const hidden = { ariaHidden: 'true' }; // of a mark: the drawing as a whole is labelled

export const per = (share) => `${(100 * share).toFixed(1)}%`;

// Evaluations that a score curve is drawn at, in pawns, and the share of points it has at v.
export const steps = Array.from({ length: 121 }, (_, i) => (i - 60) / 10);
export const share = (a, b, v) => a + (1 - 2 * a) / (1 + Math.exp(-b * v));

// Arrowheads at the edge of the plot for intervals that are open or extend beyond it.
export const openEnds = (Plot, rows, [first, last], options) => [
    Plot.text(rows.filter(({ low }) => low === null || low < first), { x: first, text: () => '◀', ...options, ...hidden }),
    Plot.text(rows.filter(({ high }) => high === null || high > last), { x: last, text: () => '▶', ...options, ...hidden }),
];

// The text of an interval.
export const span = ({ low, high }) => (low === null ? `below ${Math.round(high)}`
    : high === null ? `above ${Math.round(low)}` : `${Math.round(low)} to ${Math.round(high)}`);

// Bars of intervals and their points; what is extrapolated beyond the calibrated range is dashed and open, as
// in the drawings of the server. The ends of a bar are x1 and x2 of `bar`; `dot` has a colour as its stroke.
export const intervals = (Plot, rows, bar, dot) => {
    const sure = rows.filter(({ extrapolated }) => !extrapolated), not = rows.filter(({ extrapolated }) => extrapolated);
    const within = (some) => some.filter(({ low }) => low !== undefined);
    return [
        Plot.ruleY(within(sure), { strokeWidth: 6, stroke: 'var(--bar)', ...bar, ...hidden }),
        Plot.ruleY(within(not), { stroke: dot.stroke, strokeWidth: 2, strokeDasharray: '4 3', ...bar, ...hidden }),
        Plot.dot(sure, { r: 5, fill: dot.stroke, ...dot }),
        Plot.dot(not, { r: 5, fill: 'var(--paper)', strokeWidth: 2, ...dot }),
    ];
};
