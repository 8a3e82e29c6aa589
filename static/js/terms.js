// What an abbreviation, a mark or a "none" means (`abbr[title]` in main), by pointer, touch and keyboard, as tips.js
// does it for drawings: the browser's own tooltips come by pointer alone. The text becomes the description of the
// element, so a screen reader has it once; the box is for the eye. In a table only the first of each kind is a stop
// of the tab key, since many rows say the same; from it arrows go to the others.

const PAUSE_MS = 120; // to get from the term to its box, which can be read and selected

const main = document.getElementById('main');
const tip = document.createElement('div');
let shown = null;
let timer;

tip.className = 'tip of-term';
tip.hidden = true;
tip.setAttribute('aria-hidden', 'true');
document.body.append(tip);

const text = (term) => term.getAttribute('aria-description');

/** What the like of it have in common: the text without names and numbers. */
const kind = (term) => text(term).replace(/[\p{Lu}\d]\S*/gu, '').replace(/\s+/g, ' ');

const isSeen = (term) => (term.closest('th, td') ?? term).offsetWidth > 1; // heads of tables are hidden on phones

/** Gives each new term its description, and the first of its kind a stop of the tab key. */
const take = () => {
    for (const term of main.querySelectorAll('abbr[title]')) {
        term.setAttribute('aria-description', term.title);
        term.removeAttribute('title');
    }
    for (const place of [main, ...main.querySelectorAll('table')]) {
        const known = new Set();
        for (const term of place.querySelectorAll('abbr[aria-description]')) {
            if ((term.closest('table') ?? main) !== place || term.closest('a, button, summary')) continue;
            const first = !known.has(kind(term)) && (term.closest('details:not([open])') || isSeen(term));
            term.tabIndex = first ? 0 : -1;
            if (first) known.add(kind(term));
        }
    }
};

const hide = () => {
    window.clearTimeout(timer);
    shown = null;
    tip.hidden = true;
};

const show = (term) => {
    window.clearTimeout(timer);
    shown = term;
    tip.textContent = text(term);
    tip.hidden = false;
    const { left, top, bottom } = term.getBoundingClientRect();
    const room = document.documentElement.clientWidth - tip.offsetWidth - 4;
    const below = bottom + 6 + tip.offsetHeight <= window.innerHeight;
    tip.style.left = `${Math.max(4, Math.min(room, left))}px`;
    tip.style.top = `${below ? bottom + 6 : top - tip.offsetHeight - 6}px`;
};

/** The term that an event is of: also that inside a link which has the focus. */
const termOf = ({ target, type }) => target.closest('abbr[aria-description]') ??
    (type === 'focusin' && target.matches(':focus-visible') ? target.querySelector('a > abbr[aria-description]') : null);

main.addEventListener('pointerover', (event) => {
    const term = event.pointerType === 'mouse' ? termOf(event) : null;
    if (term) show(term);
});
main.addEventListener('focusin', (event) => {
    const term = termOf(event);
    if (term) show(term);
});
main.addEventListener('focusout', hide);
for (const element of [main, tip])
    element.addEventListener('pointerout', ({ pointerType, relatedTarget }) => {
        if (!shown || pointerType !== 'mouse' || shown.contains(relatedTarget)) return;
        window.clearTimeout(timer);
        timer = window.setTimeout(hide, PAUSE_MS);
    });
tip.addEventListener('pointerover', () => window.clearTimeout(timer));
document.addEventListener('click', (event) => { // a finger, and a pen
    if (tip.contains(event.target)) return;
    const term = event.target.closest('abbr[aria-description]');
    if (term) show(term);
    else if (shown) hide();
});
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape' && shown) hide(); });
main.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('abbr[tabindex]')) return;
    const all = [...(event.target.closest('table') ?? main).querySelectorAll('abbr[tabindex]')].filter(isSeen);
    event.preventDefault();
    event.stopPropagation(); // nor is a game stepped through
    all.at((all.indexOf(event.target) + by) % all.length)?.focus({ focusVisible: true });
});
window.addEventListener('scroll', () => { if (shown) hide(); }, { capture: true, passive: true });

take();
new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.querySelector?.('abbr[title]')))) take();
}).observe(main, { childList: true, subtree: true });
