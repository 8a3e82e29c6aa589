// Correlation with the loss of the indicator of complexity where it is largest, by player: the JSON of
// /api/v1/reports/complexity.
import { forest, surnames, word } from './common.js';

export default function (Plot, data, width) {
    const known = Object.entries(data.all?.indicators ?? {}).filter(([, { estimate }]) => estimate !== null);
    if (known.length === 0) return null;
    const [key] = known.reduce((a, b) => (Math.abs(b[1].estimate) > Math.abs(a[1].estimate) ? b : a));
    const of = (name, { estimate, interval }) => ({ name, value: estimate, low: interval?.low, high: interval?.high });
    const called = surnames(data.players.map(({ player }) => player.name));
    const players = data.players.filter(({ indicators }) => indicators[key].estimate !== null)
        .map(({ player, indicators }) => of(called(player.name), indicators[key]))
        .sort((a, b) => b.value - a.value);
    const indicator = word(key);
    return forest(Plot, [of('All of these', data.all.indicators[key]), ...players], width,
        { label: `ρ of ${indicator} with the loss`, nice: true },
        `Correlation of ${indicator} with the loss, by player`, (x) => x.toFixed(2));
}
