// Draws the figures of a page, <figure data-plot="/static/plots/royale.js"
// data-json="/api/v1/reports/royale">: the module makes a drawing of the JSON. All that is drawn is in the
// page's tables, too: a figure with nothing to draw, or that cannot be drawn, is not shown.

import tips from './tips.js';

const script = (src) => new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = src;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${src} cannot be loaded`));
    document.head.append(element);
});

// What several figures request, once; what failed is requested again.
const kept = new Map();
const once = (address, get) => {
    if (!kept.has(address))
        kept.set(address, get(address).catch((reason) => {
            kept.delete(address);
            throw reason;
        }));
    return kept.get(address);
};

const load = () => once('/static/vendor/plot.umd.min.js', (address) =>
    script('/static/vendor/d3.min.js').then(() => script(address)).then(() => window.Plot));

const ask = async (address) => {
    const response = await fetch(address, { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.text();
};

// Each figure has an object of its own, which it may change.
const read = async (address) => JSON.parse(await once(address, ask));

// The drawing as a whole is an image with its own name, and its caption where it is not described
// otherwise; names of its groups mean nothing then. With a legend it is a figure around that image.
const describe = (drawing, figure) => {
    const image = drawing.matches('svg') ? drawing : drawing.querySelector(':scope > svg[aria-label]');
    image.setAttribute('role', 'img');
    if (!image.getAttribute('aria-description'))
        image.setAttribute('aria-description', figure.querySelector('figcaption').textContent);
    for (const group of drawing.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
    return image;
};

const show = (figure, make) => {
    const room = figure.parentElement.clientWidth;
    if (room === 0) return; // hidden at present; it is drawn when it is shown
    const drawing = make(room);
    const first = !figure.classList.contains('drawn');
    figure.querySelector('svg, figure')?.remove();
    figure.classList.toggle('drawn', Boolean(drawing));
    figure.classList.toggle('nothing', !drawing);
    if (!drawing) return;
    figure.prepend(drawing);
    tips(figure, describe(drawing, figure));
    if (first && location.hash === `#${figure.id}`) figure.scrollIntoView(); // it was not there before
};

const draw = async (figure) => {
    const { plot, json } = figure.dataset;
    const [Plot, module, data] = await Promise.all(
        [load(), import(plot), read(json)]);
    const make = (width) => module.default(Plot, data, width, figure.dataset);
    let width = 0;
    figure.addEventListener('redraw', () => show(figure, make)); // what it shows was chosen otherwise
    new ResizeObserver(([{ contentRect }]) => {
        const now = Math.round(contentRect.width);
        if (now === width) return;
        width = now;
        show(figure, make);
    }).observe(figure.parentElement);
};

// A figure that cannot be drawn is tried again when the network is back.
const attempt = (figure) => draw(figure).catch((reason) => {
    figure.classList.add('nothing');
    console.warn(`no plot ${figure.dataset.plot}:`, reason);
    window.addEventListener('online', () => attempt(figure), { once: true });
});

for (const figure of document.querySelectorAll('figure[data-plot]')) attempt(figure);
