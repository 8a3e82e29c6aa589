// Points scored by evaluation: binned points of all positions, fitted curves by rating.
const at = (band, v) => band.a.estimate + (1 - 2 * band.a.estimate) / (1 + Math.exp(-band.b.estimate * v));
const name = (band) => (band.elo ? `${band.elo.low} to ${band.elo.high - 1}` : 'all');

export default function (Plot, data, width) {
    if (!data.all) return null;
    const bins = data.all.bins;
    const fitted = [data.all, ...data.bands].filter((band) => band.b.estimate !== null);
    const curves = fitted.flatMap((band) =>
        Array.from({ length: 121 }, (_, i) => (i - 60) / 10).map((v) => ({ band: name(band), v, score: at(band, v) })));
    if (bins.length === 0) return null;
    return Plot.plot({
        width,
        ariaLabel: 'Share of points scored by evaluation in pawns',
        grid: true,
        x: { label: 'Evaluation, pawns', domain: [-6, 6] },
        y: { label: 'Points scored', tickFormat: '.0%', domain: [0, 1] },
        color: { legend: true, label: 'Elo' },
        marks: [
            Plot.line(curves, { x: 'v', y: 'score', stroke: 'band' }),
            Plot.ruleX(bins, { x: 'v', y1: (b) => b.interval.low, y2: (b) => b.interval.high, clip: true }),
            Plot.dot(bins, { x: 'v', y: 'score', fill: 'currentColor', r: 3, clip: true }),
        ],
    });
}
