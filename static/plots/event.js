// A tournament: rating, IPR and performance rating with their intervals and Elo, one row a player.
import { intervals as drawn, openEnds, span, surnames } from './common.js';

const WIDEST = 2400; // as the drawings of the server: what goes further is cut

const intervals = (players, name) => players
    .filter((p) => p[name]?.interval && typeof p[name].estimate === 'number')
    .map(({ player, [name]: { estimate, interval, extrapolated } }) => ({ player: player.name, estimate, low: interval.low,
        high: interval.high, extrapolated: extrapolated === true }));

const ends = ({ low, high }) => [low, high];

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
    const called = surnames(names);
    const [first, last] = domain([...bars.flatMap(ends), ...elo.map((d) => d.estimate)]);
    const shown = [['rating', 'var(--accent)', rating], ['IPR', 'var(--bar)', ipr], ['performance', 'var(--soft)', performance],
        ['Elo', 'var(--other)', elo]].filter(([, , rows]) => rows.length > 0);
    const mark = (rows, name, dy) => [
        drawn(Plot, rows, { x1: 'low', x2: 'high', y: 'player', stroke: () => name,
            strokeWidth: 3, strokeOpacity: 0.45, dy, clip: true },
        { x: 'estimate', y: 'player', stroke: () => name, r: 3.5, dy, clip: true,
            title: (d) => `${called(d.player)}: ${name} ${Math.round(d.estimate)}, ${span(d)}${d.extrapolated ? ', extrapolated' : ''}` }),
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
            tickFormat: (name) => (width < 500 && called(name).length > 18 ? `${called(name).slice(0, 17)}…` : called(name)) },
        color: { legend: true, domain: shown.map(([name]) => name), range: shown.map(([, colour]) => colour) },
        marks: [
            ...mark(rating, 'rating', -6),
            ...mark(ipr, 'IPR', 0),
            ...mark(performance, 'performance', 6),
            Plot.dot(elo, { x: 'estimate', y: 'player', fill: () => 'Elo', symbol: 'diamond', r: 4.5, clip: true,
                title: (d) => `${called(d.player)}: Elo ${Math.round(d.estimate)}` }),
        ],
    });
}
