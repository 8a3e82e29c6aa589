// Correlation of the indicators of complexity with the loss, a facet an indicator.
export default function (Plot, data, width) {
    if (!data.players) return null;
    const parts = [{ player: { name: 'All of these' }, ...data.all }, ...data.players];
    const rows = parts.flatMap((part) =>
        Object.entries(part.indicators)
            .filter(([, figure]) => figure.estimate !== null)
            .map(([indicator, figure]) => ({
                player: part.player.name,
                indicator: indicator.replaceAll('_', ' '),
                rho: figure.estimate,
                low: figure.interval?.low ?? figure.estimate,
                high: figure.interval?.high ?? figure.estimate,
            })));
    if (rows.length === 0) return null;
    return Plot.plot({
        width,
        ariaLabel: 'Correlation of indicators of complexity with the loss, by player',
        marginLeft: 150,
        grid: true,
        x: { label: 'ρ', ticks: 3 },
        y: { label: null, domain: parts.map((part) => part.player.name) },
        fx: { label: null },
        marks: [
            Plot.ruleX([0]),
            Plot.link(rows, { fx: 'indicator', x1: 'low', x2: 'high', y1: 'player', y2: 'player', strokeOpacity: 0.5 }),
            Plot.dot(rows, { fx: 'indicator', x: 'rho', y: 'player', fill: 'currentColor', r: 3 }),
        ],
    });
}
