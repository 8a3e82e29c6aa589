// A tournament: rating, IPR and performance rating with their intervals and Elo, one row a player.
import { beyond, hidden, intervals as drawn, openEnds, span } from './common.js';

const WIDEST = 2400; // as the drawings of the server: what goes further is cut

// A rating that is only a bound stands there, open.
const intervals = (players, name) => players
    .filter((p) => p[name]?.interval && (typeof p[name].estimate === 'number' || p[name].bound))
    .map(({ player, [name]: { estimate, bound, interval, extrapolated, calibrated_range: range } }) => ({ player: player.name,
        estimate: estimate ?? bound.low ?? bound.high, low: interval.low, high: interval.high, range,
        extrapolated: extrapolated === true, bound: typeof estimate === 'number' ? null : bound }));

const value = ({ estimate, bound }) => (bound ? span(bound) : `${Math.round(estimate)}`);

const ends = ({ estimate, low, high, bound }) => [low ?? estimate, high ?? estimate,
    ...(bound ? [bound.low === null ? estimate - 100 : estimate + 100] : [])]; // beyond the range, where it is dashed

const domain = (values) => {
    const middle = values.reduce((a, b) => a + b, 0) / values.length;
    const low = Math.max(Math.min(...values), middle - WIDEST / 2);
    const high = Math.min(Math.max(...values), middle + WIDEST / 2);
    return [Math.floor(low / 100) * 100, Math.ceil(high / 100) * 100];
};

export default function event(Plot, data, width) {
    const players = (data.players ?? []).filter((p) => !data.only_player || p.player.id === data.only_player.id);
    const rating = intervals(players, 'rating');
    const ipr = intervals(players, 'ipr');
    const performance = intervals(players, 'performance');
    const bars = [...rating, ...ipr, ...performance];
    if (bars.length === 0) return null;
    const rated = new Set(bars.map((d) => d.player));
    const elo = players.filter((p) => rated.has(p.player.name) && typeof p.elo.estimate === 'number')
        .map((p) => ({ player: p.player.name, estimate: p.elo.estimate }));
    const names = players.map((p) => p.player.name).filter((name) => rated.has(name));
    const [first, last] = domain([...bars.flatMap(ends), ...elo.map((d) => d.estimate)]);
    const shown = [['rating', 'var(--accent)', rating], ['IPR', 'var(--bar)', ipr], ['performance', 'var(--soft)', performance],
        ['Elo', 'var(--other)', elo]].filter(([, , rows]) => rows.length > 0);
    const mark = (rows, name, dy) => [
        drawn(Plot, rows.filter(({ bound }) => !bound), { x1: (d) => d.low ?? d.range?.low ?? first, x2: (d) => d.high ?? d.range?.high ?? last, y: 'player', stroke: () => name,
            strokeWidth: 3, strokeOpacity: 0.45, dy, clip: true },
        { x: 'estimate', y: 'player', stroke: () => name, r: 3.5, dy, clip: true,
            title: (d) => `${d.player}: ${name} ${value(d)}, ${span(d)}${d.extrapolated ? ', extrapolated' : ''}` }),
        Plot.ruleY(rows.filter(({ bound }) => bound), { x1: (d) => d.low ?? d.range.low, x2: (d) => d.high ?? d.range.high, y: 'player',
            stroke: () => name, strokeWidth: 3, strokeOpacity: 0.45, dy, clip: true, ...hidden }),
        Plot.dot(rows.filter(({ bound }) => bound), { x: 'estimate', y: 'player', stroke: () => name, strokeWidth: 2, fill: 'var(--paper)',
            r: 3.5, dy, clip: true, title: (d) => `${d.player}: ${name} ${value(d)}, 95% interval ${span(d)}` }),
        beyond(Plot, rows, [first, last], { y: 'player', stroke: () => name, dy, clip: true }),
        openEnds(Plot, rows, [first, last], { y: 'player', fill: () => name, dy }),
    ];
    return Plot.plot({
        width,
        height: 60 + 26 * names.length,
        marginLeft: Math.min(190, 0.34 * width),
        marginBottom: 40,
        ariaLabel: 'Ratings of the players of the event',
        ariaDescription: 'Rating by the moves, IPR and performance rating with 95% intervals, and Elo; the table above has the figures.',
        x: { label: 'Elo', grid: true, tickFormat: 'd', domain: [first, last] },
        y: { label: null, domain: [...new Set(names)],
            tickFormat: (name) => (width < 500 && name.length > 18 ? `${name.slice(0, 17)}…` : name) },
        color: { legend: true, domain: shown.map(([name]) => name), range: shown.map(([, colour]) => colour) },
        marks: [
            ...mark(rating, 'rating', -6),
            ...mark(ipr, 'IPR', 0),
            ...mark(performance, 'performance', 6),
            Plot.dot(elo, { x: 'estimate', y: 'player', fill: () => 'Elo', symbol: 'diamond', r: 4.5, clip: true,
                title: (d) => `${d.player}: Elo ${Math.round(d.estimate)}` }),
        ],
    });
}
