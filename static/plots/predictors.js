// Log losses of predictors above that of Elo: the JSON of /api/v1/predictors.
import { forest } from './common.js';

export default function (Plot, data, width) {
    const table = data.tables?.find(({ name }) => name === 'any');
    if (!table) return null;
    const rows = table.predictors.map(({ title, predictor, difference, interval }) => ({
        name: title[0].toUpperCase() + title.slice(1), value: difference,
        ...(predictor !== data.recommended.with_elo.predictor && interval && { low: interval.low, high: interval.high }) }));
    rows.sort((a, b) => a.value - b.value);
    return forest(Plot, rows, width, { label: `Log loss above that of ${table.base}`, nice: true },
        `Log loss of each predictor above that of ${table.base}`, (x) => x.toFixed(4));
}
