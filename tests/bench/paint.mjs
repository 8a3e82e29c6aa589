// First contentful paint on loopback of the pages that are opened first, with the shipped samples and an empty cache of
// the browser: median, least and greatest of RUNS (9), beside a page of one line from the same service.
// `tests/support/with_pg.sh node tests/bench/paint.mjs`, on a quiet machine
import { close, context, launch, visit } from '../e2e/browser.mjs';
import { addresses, sampled } from '../e2e/sampled.mjs';

const RUNS = Number(process.env.RUNS ?? 9), MOST_MS = 500;
const pages = { start: '/', player: '/players/{player}', game: '/games/{game}', event: '/events/{event}', compare: '/compare' };
const cleanups = [];

async function paint(address) {
    const own = await context({ width: 1280 });
    const { page } = await visit(own, address);
    const at = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    const ms = await at.jsonValue();
    await own.close();
    return ms;
}

try {
    const site = await sampled({ after: (f) => cleanups.unshift(f) });
    const where = await addresses(site);
    await launch();
    for (const [name, address] of [['one line', '/health'], ...Object.entries(pages).map(([name, pattern]) => [name, where[pattern]])]) {
        const times = [];
        for (let i = 0; i <= RUNS; i++) times.push(await paint(site.base + address));
        const [first, ...others] = times, sorted = others.sort((a, b) => a - b), median = sorted[RUNS >> 1];
        console.log(`${name.padEnd(10)} ${median.toFixed(0).padStart(5)} ms (${sorted[0].toFixed(0)} to ${sorted.at(-1).toFixed(0)}), ` +
            `before it was computed ${first.toFixed(0)} ms`);
        if (median > MOST_MS) process.exitCode = 1;
    }
} finally {
    await close();
    for (const f of cleanups) await f();
}
