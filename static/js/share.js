// The bar under a figure (templates/partials/share.html): the drawing as SVG or PNG, and the figure's
// address. The picture is what the page shows: every drawing and every line of text of the figure, at
// its place, with the colours it has there.

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 16;
const SCALE = 2; // pixels of the PNG for one of the page
const INHERITED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray',
    'stroke-linecap', 'stroke-linejoin', 'visibility', 'font-family', 'font-size', 'font-weight',
    'font-variant-numeric', 'text-anchor', 'dominant-baseline', 'paint-order', 'image-rendering'];
const OWN = { display: 'inline', opacity: '1', 'mix-blend-mode': 'normal' };

const element = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
};

// A copy that needs no style sheet: each element has what differs from its parent.
const styled = (original) => {
    const copy = original.cloneNode(true);
    const copies = [copy, ...copy.querySelectorAll('*')];
    [original, ...original.querySelectorAll('*')].forEach((one, i) => {
        const { style } = copies[i];
        const computed = getComputedStyle(one), parent = i > 0 ? getComputedStyle(one.parentElement) : undefined;
        copies[i].removeAttribute('style');
        for (const name of [...INHERITED, ...Object.keys(OWN)]) copies[i].removeAttribute(name);
        for (const name of INHERITED)
            if (computed[name] !== parent?.[name]) style.setProperty(name, computed[name]);
        for (const [name, usual] of Object.entries(OWN))
            if (computed[name] !== usual) style.setProperty(name, computed[name]);
    });
    for (const sheet of copy.querySelectorAll('style, title')) sheet.remove();
    return copy;
};

const placed = (drawing, box) => {
    const { left, top, width, height } = drawing.getBoundingClientRect();
    const copy = styled(drawing);
    for (const [key, value] of Object.entries({ x: left - box.left, y: top - box.top, width, height, overflow: 'visible' }))
        copy.setAttribute(key, value);
    return copy;
};

// The lines of a piece of text, as the browser broke them.
const lines = (text, box) => {
    const range = document.createRange();
    const found = [];
    for (const word of text.data.matchAll(/\S+/g)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const { left, bottom, height, width } = range.getBoundingClientRect();
        const last = found.at(-1);
        if (width <= 1) continue; // not shown
        if (last?.bottom === bottom) last.words.push(word[0]);
        else found.push({ left, bottom, height, words: [word[0]] });
    }
    const { color, fontFamily, fontSize, fontWeight } = getComputedStyle(text.parentElement);
    return found.map(({ left, bottom, height, words }) => element('text', { x: left - box.left,
        y: bottom - box.top - 0.24 * height, fill: color, 'font-family': fontFamily, 'font-size': fontSize,
        'font-weight': fontWeight }, words.join(' ')));
};

const texts = (figure) => {
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT, (text) =>
        (text.parentElement.closest('svg, .share, .chosen-year, style, .tip, [hidden]') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
};

const address = (figure) => new URL(`#${figure.id}`,
    new URL(document.querySelector('.colophon .printed')?.textContent ?? '', location.href)).href;

const picture = (figure) => {
    const box = figure.getBoundingClientRect();
    const width = box.width + 2 * MARGIN, height = box.height + 2 * MARGIN;
    const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
    const out = element('svg', { xmlns: SVG, width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}` });
    const shown = [...figure.querySelectorAll('svg')].filter((svg) =>
        !svg.parentElement.closest('svg, .share') && svg.getBoundingClientRect().width > 0);
    out.append(element('rect', { x: -MARGIN, y: -MARGIN, width, height, fill: backgroundColor }),
        ...shown.map((svg) => placed(svg, box)), ...texts(figure).flatMap((text) => lines(text, box)),
        element('text', { x: 0, y: box.height, fill: color, 'fill-opacity': 0.75, 'font-family': fontFamily,
            'font-size': '11px' }, `Intrinsic, ${address(figure)}`));
    return { text: new XMLSerializer().serializeToString(out), width, height };
};

const save = (href, name) => {
    const link = document.createElement('a');
    link.href = href;
    link.download = name;
    link.click();
    if (href.startsWith('blob:')) window.setTimeout(() => URL.revokeObjectURL(href), 1000);
};

const blob = (text) => URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));

const raster = async ({ text, width, height }) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(SCALE * width);
    canvas.height = Math.ceil(SCALE * height);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png');
};

const nameOf = (figure) => [...new URL(address(figure)).pathname.split('/').filter((part) => part !== ''),
    figure.id.replace(/^figure-/, '')].join('-');

const actions = {
    svg: (figure) => save(blob(picture(figure).text), `${nameOf(figure)}.svg`),
    png: async (figure) => save(await raster(picture(figure)), `${nameOf(figure)}.png`),
    link: async (figure, button) => {
        const { textContent } = button;
        history.replaceState(null, '', `#${figure.id}`); // and where the clipboard is refused, it is in the bar
        try {
            await navigator.clipboard.writeText(address(figure));
            button.textContent = 'Copied';
        } catch {
            button.textContent = 'In the address bar';
        }
        window.setTimeout(() => { button.textContent = textContent; }, 2000);
    },
};

for (const bar of document.querySelectorAll('.share')) {
    const figure = bar.closest('figure');
    figure.id ||= `figure-${/([^/.]+)[^/]*$/.exec(figure.dataset.plot ?? '')?.[1] ?? 'drawing'}`;
    bar.addEventListener('click', ({ target }) => {
        const button = target.closest('button[data-share]');
        if (button) actions[button.dataset.share](figure, button);
    });
    for (const button of bar.querySelectorAll('button')) button.hidden = false;
}
