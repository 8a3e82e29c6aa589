// What a drawing says of its points, by pointer, touch and keyboard: every mark with a title has it in a
// box beside it. The drawing is one stop of the tab key; arrows go from point to point. The browser's own
// tooltips, which neither a finger nor a key can reach, are taken away. A mark with an address (`href`) leads
// there by a click, by Enter, and by a second touch: an image has no links in it.

const REACH = 28; // pixels from a point that still mean it

const centre = (mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
};

const take = (drawing) => [...drawing.querySelectorAll('title')]
    .filter((title) => title.parentElement !== drawing)
    .map((title) => {
        const mark = title.parentElement;
        const link = mark.closest('a');
        const address = link?.getAttribute('href') ?? link?.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
        title.remove();
        link?.replaceWith(mark);
        return { mark, address, text: title.textContent };
    });

const make = (figure) => {
    const tip = document.createElement('div');
    tip.className = 'tip';
    tip.hidden = true;
    tip.setAttribute('role', 'status');
    figure.append(tip);
    return tip;
};

// From a point its centre, from a bar or cell its edge: inside it is 0.
const distanceTo = (mark, x, y) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    if (mark.tagName === 'rect') return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
};

const nearest = (points, x, y) => points.reduce((best, { mark }, i) => {
    const distance = distanceTo(mark, x, y);
    return distance < best.distance ? { i, distance } : best;
}, { i: -1, distance: REACH }).i;

/** The points of a drawing within its figure; to be called each time it is drawn. */
export default function tips(figure, drawing) {
    const points = take(drawing);
    figure.querySelector('.tip')?.remove();
    if (points.length === 0) return;
    const tip = make(figure);
    let shown = -1;

    const show = (i) => {
        points[shown]?.mark.classList.remove('told');
        shown = i;
        tip.hidden = i < 0;
        if (i < 0) return;
        const { mark, text } = points[i];
        const box = figure.getBoundingClientRect(), { x, y } = centre(mark);
        mark.classList.add('told');
        tip.textContent = text;
        const room = box.width - tip.offsetWidth;
        tip.style.left = `${Math.max(0, Math.min(room, x - box.left - tip.offsetWidth / 2))}px`;
        const above = y - box.top - tip.offsetHeight - 12;
        tip.style.top = `${above < 0 ? y - box.top + 14 : above}px`;
    };

    // From left to right, then down: a list of rows is read by rows, since equal rows have equal x or y.
    const step = (by) => show(shown < 0 ? (by > 0 ? 0 : points.length - 1) : (shown + by + points.length) % points.length);
    const keys = { ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
        Home: () => show(0), End: () => show(points.length - 1), Escape: () => show(-1) };

    const go = (i) => { if (points[i]?.address) window.location.assign(points[i].address); };
    const leads = points.some(({ address }) => address);
    if (leads) {
        keys.Enter = () => go(shown);
        drawing.classList.add('leads');
        let touched = -1; // the point that was shown before a finger came down
        drawing.addEventListener('pointerdown', ({ pointerType }) => { touched = pointerType === 'touch' ? shown : -2; }, { capture: true });
        drawing.addEventListener('click', ({ clientX, clientY }) => {
            const i = nearest(points, clientX, clientY);
            if (touched === -2 || touched === i) go(i);
        });
    }
    drawing.setAttribute('tabindex', '0');
    drawing.setAttribute('aria-keyshortcuts', `ArrowLeft ArrowRight Home End Escape${leads ? ' Enter' : ''}`);
    drawing.addEventListener('keydown', (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
        event.preventDefault();
        keys[event.key]();
    });
    for (const kind of ['pointermove', 'pointerdown'])
        drawing.addEventListener(kind, ({ clientX, clientY }) => show(nearest(points, clientX, clientY)));
    drawing.addEventListener('pointerleave', ({ pointerType }) => { if (pointerType === 'mouse') show(-1); });
    drawing.addEventListener('blur', () => show(-1));
}
