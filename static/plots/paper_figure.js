// A figure of a paper: lines or points with intervals, bars, or a heat map, one panel or several;
// what the paper prints is hollow: the JSON of /api/v1/papers/{paper}/figures/{figure}.
import { hidden } from './common.js';

const percent = ({ unit }) => unit === 'share';
const label = ({ name, unit }) => (percent({ unit }) ? `${name} (%)` : unit === 'pawns' ? `${name} (pawns)` : name);
const written = (v, { unit }) => {
    if (!Number.isFinite(v)) return 'none'; // a correlation that is not defined
    const fixed = percent({ unit }) ? `${(100 * v).toFixed(1)}%` : String(Number(v.toPrecision(unit === 'year' ? 4 : 3)));
    return fixed.replace('-', '−');
};
const axis = (a) => ({ label: label(a), percent: percent(a), ...(a.unit === 'year' ? { tickFormat: 'd' } : {}) });

// A matrix has its first row at the top, and its cells have their numbers; of another heat map the
// second axis rises, and the colours reach from its least value to its greatest.
function heat(Plot, data, width) {
    const cells = data.series.flatMap(({ points }) => points);
    const matrix = data.value.unit === 'probability';
    const side = Math.min(width, 640);
    const place = (a, of) => {
        const domain = [...new Set(cells.map((cell) => cell[of]))];
        const every = Math.ceil(30 * domain.length / side); // labels that do not overlap
        return {
            ...axis(a), domain, ticks: domain.filter((_, i) => i % every === 0),
            tickFormat: (v) => v.toFixed(domain.every(Number.isInteger) ? 0 : 1).replace('-', '−'),
        };
    };
    return {
        width: side,
        height: side,
        marginLeft: 70,
        marginBottom: 45,
        x: place(data.x, 'x'),
        y: { ...place(data.y, 'y'), reverse: !matrix },
        color: { scheme: 'blues', legend: true, label: data.value.name, ...(matrix ? { domain: [0, 1] } : {}) },
        marks: [
            Plot.cell(cells, {
                ...hidden, x: 'x', y: 'y', fill: 'value', inset: matrix ? 0.5 : 0,
                title: ({ x, y, value }) => `${data.x.name} ${written(x, data.x)}, ${data.y.name} ${written(y, data.y)}: ${written(value, data.value)}`,
            }),
            Plot.text(cells.filter(({ value }) => matrix && value >= 0.005), {
                ...hidden, x: 'x', y: 'y', fontSize: 10, text: ({ value }) => value.toFixed(2).replace('-', '−'),
                fill: ({ value }) => (value > 0.5 ? 'white' : 'black'),
            }),
        ],
    };
}

// The points with a gap wherever a line would go over more than five years without one.
const gapped = (points, x) => points.flatMap((p, i) =>
    (x.unit === 'year' && i > 0 && points[i - 1].name === p.name && p.x - points[i - 1].x > 5 ? [{ ...p, y: NaN }, p] : [p]));

function lines(Plot, data, width) {
    const names = [...new Set(data.series.filter(({ points }) => points.length).map(({ name }) => name))];
    const all = data.series.flatMap(({ name, panel, printed, points }) =>
        points.map((p) => ({ name, panel, printed, ...p, low: p.interval?.low, high: p.interval?.high })));
    const ours = all.filter(({ printed }) => !printed), theirs = all.filter(({ printed }) => printed);
    const title = (p) => `${p.panel ? `${p.panel}, ` : ''}${p.name}${p.printed ? ', as printed' : ''}\n` +
        `${data.x.name} ${written(p.x, data.x)}: ${data.y.name} ${written(p.y, data.y)}` +
        (p.low === undefined ? '' : `\n95% interval ${written(p.low, data.y)} to ${written(p.high, data.y)}`);
    const place = { ...hidden, x: 'x', y: 'y', clip: data.y.max !== undefined, ...(all.some(({ panel }) => panel) ? { fy: 'panel' } : {}) };
    const bars = data.kind === 'bars';
    const many = names.length > 10; // more than there are colours
    const half = bars && ours.length > 1 ? 0.4 * Math.abs(ours[1].x - ours[0].x) : 0;
    return {
        width: Math.max(width, 320),
        height: place.fy ? 640 : 420,
        marginRight: place.fy ? 110 : 20,
        marginBottom: 42,
        grid: true,
        x: axis(data.x),
        y: { ...axis(data.y), ...(data.y.max ? { domain: [0, (percent(data.y) ? 100 : 1) * data.y.max] } : {}) },
        fy: { label: null, domain: [...new Set(all.map(({ panel }) => panel))] },
        color: { legend: names.length > 1 && !many, domain: names, scheme: 'tableau10' },
        marks: [
            bars ? Plot.rectY(ours, { ...place, x: undefined, x1: (p) => p.x - half, x2: (p) => p.x + half, fill: 'name', fillOpacity: 0.5, title }) : null,
            Plot.ruleX(ours.filter(({ low }) => low !== undefined), { ...place, y: undefined, y1: 'low', y2: 'high', stroke: 'name', strokeOpacity: 0.4 }),
            data.kind === 'line' ? Plot.line(gapped(ours, data.x), { ...place, z: 'name', stroke: 'name' }) : null,
            many ? Plot.text(ours, Plot.selectMaxY({ ...place, z: 'name', text: 'name', fill: 'name', dy: -10, stroke: 'var(--paper)' })) : null,
            bars ? null : Plot.dot(ours, { ...place, fill: 'name', r: ({ low }) => (low === undefined ? 1.5 : 2.5), title }),
            data.kind === 'line' ? Plot.line(theirs, { ...place, z: 'name', stroke: 'name', strokeDasharray: '4 3' }) : null,
            Plot.dot(theirs, { ...place, stroke: 'name', r: 5, strokeWidth: 2, title }),
        ],
    };
}

export default function (Plot, data, width) {
    if (!data.series.some(({ printed, points }) => !printed && points.length)) return null;
    return Plot.plot({ ariaLabel: data.title, ...(data.kind === 'heat' ? heat : lines)(Plot, data, width) });
}
