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
