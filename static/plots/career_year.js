// One year of a player among all: the career in colour, the year's rating and interval in ink, with labels
// at the ends of the lines. The data are two sets: the career, and the year.
import { axes, marksOf, series, span, title } from './careers.js';
import { hidden } from './common.js';
import { spread } from './labels.js';

const LABEL = 15; // px, height of a label
const MARGIN = { top: 28, right: 96, bottom: 42, left: 48 };

// The end of each line, with its name; a year alone is not a line.
const end = (line) => line.findLast((p) => line.some((q) => q !== p && q.run === p.run)) ?? line.at(-1);

const ends = (career) => [['Strength', career.rating], ['Elo', career.elo], ['From results', career.results]]
    .filter(([, line]) => line.length > 0)
    .map(([text, line]) => ({ text, ...end(line) }));

// Labels of lines that end in the same year are kept apart.
const labels = (Plot, career, [bottom, top], height) => {
    const room = height - MARGIN.top - MARGIN.bottom;
    const px = (y) => MARGIN.top + room * (top - y) / (top - bottom);
    const back = (at) => top - (top - bottom) * (at - MARGIN.top) / room;
    const placed = Object.values(Object.groupBy(ends(career), ({ x }) => x)).flatMap((lines) => {
        const places = spread(lines.map(({ y }) => px(y)), LABEL, MARGIN.top, height - MARGIN.bottom);
        return lines.map((line, i) => ({ ...line, at: back(places[i]) }));
    });
    return Plot.text(placed, { x: 'x', y: 'at', text: 'text', fill: 'var(--accent)', stroke: 'var(--paper)', textAnchor: 'start',
        dx: 12, fontWeight: 600, className: 'end-label' });
};

export default function careerYear(Plot, data, width, figure) {
    const [career, year] = (data.sets ?? []).map((set) => ({ set, ...series(set, false, Number(figure.enough)) }));
    const at = year?.years[0] ?? year?.rating[0]; // by its own moves
    if (!career || !at || career.rating.length < 2) return null;
    const domain = span([career]);
    const height = Math.min(360, Math.max(280, width * 0.35));
    return Plot.plot({
        width, height, marginTop: MARGIN.top, marginRight: MARGIN.right, marginBottom: MARGIN.bottom, marginLeft: MARGIN.left,
        ariaLabel: 'The year in the career',
        ariaDescription: `${career.rating.length} years; ${title(at)}`,
        ...axes(false, domain),
        marks: [
            marksOf(Plot, career, 'var(--accent)', domain, {}),
            Plot.ruleX([at], { x: 'x', y1: ({ low }) => Math.max(low, domain[0]), y2: ({ high }) => Math.min(high, domain[1]), stroke: 'var(--ink)', strokeWidth: 2, ...hidden }),
            Plot.dot([at], { x: 'x', y: 'y', r: 6.5, stroke: 'var(--ink)', strokeWidth: 2, fill: at.beyond ? 'var(--paper)' : 'var(--ink)', ...hidden }),
            Plot.text([at], { x: 'x', frameAnchor: 'top', dy: -20, text: (p) => `${p.x}`, fill: 'var(--ink)', fontWeight: 700, fontSize: 13 }),
            labels(Plot, career, domain, height),
        ],
    });
}
