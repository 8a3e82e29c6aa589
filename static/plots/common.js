// What several drawings share.

// Predictors by their names in the API, in the order of the pages.
export const names = { markov: 'Markov', covariance: 'Covariance', conformance: 'Conformance', ipr: 'IPR', elo: 'Elo' };

export const hidden = { ariaHidden: 'true' }; // of a mark: the drawing as a whole is labelled

export const per = (share) => `${(100 * share).toFixed(1)}%`;

// Evaluations that a score curve is drawn at, in pawns, and the share of points it has at v.
export const steps = Array.from({ length: 121 }, (_, i) => (i - 60) / 10);
export const share = (a, b, v) => a + (1 - 2 * a) / (1 + Math.exp(-b * v));
