// A calibration: Elo of the mileposts against their mean error on the reference set, and the line.
import { hidden } from './common.js';

export default function calibration(Plot, data, width) {
    const z = 1.959964;
    const point = (m) => {
        const se = m.fits?.[data.method.fit]?.ae_ref_se;
        return {
            elo: m.elo, ae: m.ae_ref, period: m.period,
            low: se ? m.ae_ref - z * se : undefined, high: se ? m.ae_ref + z * se : undefined,
        };
    };
    const points = data.mileposts.map(point);
    const others = (data.other_periods ?? []).map(point);
    if (points.length < 3) return null;
    const all = [...points, ...others];
    const ends = [Math.min(...all.map((p) => p.low ?? p.ae)), Math.max(...all.map((p) => p.high ?? p.ae))];
    const on = (ae) => ({ ae, elo: data.a - data.b * ae });
    const inside = [data.elo_range.high, data.elo_range.low].map((elo) => (data.a - elo) / data.b);
    const title = (p) => `${p.period ? `${p.period}, ` : ''}Elo ${Math.round(p.elo)}, mean error ${p.ae.toFixed(4)}` +
        (p.low === undefined ? '' : ` (95% ${p.low.toFixed(4)} to ${p.high.toFixed(4)})`);
    return Plot.plot({
        width,
        height: Math.min(420, Math.max(280, width * 0.55)),
        marginLeft: 56,
        marginBottom: 42,
        ariaLabel: 'Elo by mean error',
        ariaDescription: `Elo = ${data.a.toFixed(1)} minus ${data.b.toFixed(1)} times the mean error. ` +
            points.map(title).join('; '),
        x: { label: 'Mean error on the reference set (scaled pawns)', grid: true },
        y: { label: 'Elo', grid: true, tickFormat: 'd' },
        marks: [
            Plot.areaY(data.band ?? [], {
                x: 'ae_ref', y1: (b) => b.interval.low, y2: (b) => b.interval.high, fill: 'var(--bar)', fillOpacity: 0.35, ...hidden,
            }),
            Plot.line(inside.map(on), { x: 'ae', y: 'elo', stroke: 'var(--accent)', strokeWidth: 2, ...hidden }),
            ends.map((end, i) => Plot.line([end, inside[i]].map(on), {
                x: 'ae', y: 'elo', stroke: 'var(--accent)', strokeWidth: 2, strokeDasharray: '2 4', ...hidden,
            })),
            Plot.ruleY(points.filter((p) => p.low !== undefined), {
                y: 'elo', x1: 'low', x2: 'high', stroke: 'currentColor', strokeOpacity: 0.6, ...hidden,
            }),
            Plot.dot(others, {
                x: 'ae', y: 'elo', r: 4, symbol: 'diamond', stroke: 'currentColor', fill: 'var(--paper)', title,
            }),
            Plot.dot(points, { x: 'ae', y: 'elo', r: 4, fill: 'currentColor', title }),
        ],
    });
}
