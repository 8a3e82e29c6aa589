// What stands at the head of a printed page and the server does not know, or would keep in its cache too long: the
// whole address, and the day of printing.

const day = () => new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

const write = () => {
    for (const element of document.querySelectorAll('[data-address]'))
        element.textContent = new URL(element.textContent, window.location.href).href;
    for (const element of document.querySelectorAll('[data-date]')) element.textContent = `, printed on ${day()}`;
};

/** The pieces of a board by their squares: chessground moves them by pixels of the screen, which paper has not. */
const place = () => {
    for (const piece of document.querySelectorAll('cg-board > piece, cg-board > square')) {
        const { cgKey: key } = piece;
        const turned = piece.closest('.orientation-black') !== null;
        const file = key.charCodeAt(0) - 97, rank = Number(key[1]) - 1;
        piece.style.setProperty('--left', `${12.5 * (turned ? 7 - file : file)}%`);
        piece.style.setProperty('--top', `${12.5 * (turned ? rank : 7 - rank)}%`);
    }
};

write();
window.addEventListener('beforeprint', () => {
    write();
    place();
});
