// Functions shared by several drawings.

// The page's own word for a key of the API: the text of its element with that data-key.
export const word = (key) =>
    document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.textContent ?? key.replaceAll('_', ' ');

export const hidden = { ariaHidden: 'true' }; // of a mark: the drawing as a whole is labelled

/** How a chart calls each of these: by the surname, where no other has it. */
export const surnames = (names) => {
    const of = (name) => name.replace(/,.*/, '');
    return (name) => (new Set(names.filter((other) => of(other) === of(name))).size > 1 ? name : of(name));
};

export const per = (share) => `${(100 * share).toFixed(1)}%`;

// Whole years, or ages, of an axis: multiples of 1, 2, 5, 10 and so on, no more than `most`.
export const yearTicks = (first, last, most) => {
    const step = [1, 2, 5, 10, 20, 50].find((by) => Math.floor(last / by) - Math.ceil(first / by) + 1 <= most) ?? 100;
    const from = Math.ceil(first / step);
    return Array.from({ length: Math.max(0, Math.floor(last / step) - from + 1) }, (_, i) => (from + i) * step);
};

// Evaluations that a score curve is drawn at, in pawns, and the share of points it has at v.
export const steps = Array.from({ length: 121 }, (_, i) => (i - 60) / 10);
export const share = (a, b, v) => a + (1 - 2 * a) / (1 + Math.exp(-b * v));

// Arrowheads at the edge of the plot for intervals that are open or extend beyond it.
export const openEnds = (Plot, rows, [first, last], options) => [
    Plot.text(rows.filter(({ low }) => low === null || low < first), { x: first, text: () => '◀', ...options, ...hidden }),
    Plot.text(rows.filter(({ high }) => high === null || high > last), { x: last, text: () => '▶', ...options, ...hidden }),
];

// An interval that is open is dashed outside the calibrated range ("range"), as in the drawings of the server.
export const beyond = (Plot, rows, [first, last], options) => {
    const dashed = { strokeDasharray: '4 3', ...options, ...hidden };
    return [
        Plot.ruleY(rows.filter(({ low, range }) => low === null && range?.low > first), { x1: first, x2: (r) => r.range.low, ...dashed }),
        Plot.ruleY(rows.filter(({ high, range }) => high === null && range?.high < last), { x1: (r) => r.range.high, x2: last, ...dashed }),
    ];
};

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

// A row with an interval for each of `rows` ({ name, value, low, high }, the ends undefined where they are
// not known), in their order, with a line at 0. `axis` has the label of x and more options of it.
export const forest = (Plot, rows, width, axis, ariaLabel, text) => {
    const narrow = width < 500;
    const title = (r) => `${r.name}: ${text(r.value)}` +
        (r.low === undefined ? '' : `, 95% interval ${text(r.low)} to ${text(r.high)}`);
    return Plot.plot({
        width: Math.max(width, 320),
        height: 64 + 26 * rows.length,
        marginLeft: Math.min(narrow ? 176 : 240, 24 + 7 * Math.max(...rows.map(({ name }) => name.length))),
        marginRight: 24,
        marginBottom: 44, // the title of the axis is below its ticks
        ariaLabel,
        ariaDescription: rows.map(title).join('; '),
        x: { grid: true, ...(narrow && { ticks: 4 }), ...axis },
        y: { label: null, domain: rows.map(({ name }) => name), tickSize: 0 },
        marks: [
            Plot.ruleX([0], { strokeDasharray: '3 3', strokeOpacity: 0.6, ...hidden }),
            Plot.ruleY(rows.filter(({ low }) => low !== undefined), {
                x1: 'low', x2: 'high', y: 'name', stroke: 'var(--bar)', strokeWidth: 6, ...hidden }),
            Plot.dot(rows, { x: 'value', y: 'name', r: 5, fill: 'var(--accent)', title, ...hidden }),
        ],
    });
};
