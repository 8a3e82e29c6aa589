// Log losses of predictors above the lowest: the JSON of /api/v1/comparisons.
import { forest, word } from './common.js';

export default function (Plot, data, width) {
    const rows = (data.common?.log_losses ?? []).map(({ predictor, difference, interval }) => ({
        name: word(predictor), value: difference ?? 0, low: interval?.low, high: interval?.high }));
    if (rows.length < 2) return null;
    return forest(Plot, rows, width, { label: 'Log loss above the lowest', nice: true },
        'Log loss of each predictor above the lowest', (x) => x.toFixed(4));
}
