// The board of a game's page, by chessground. The page has each move's position, what is said of it,
// and the engine's lines; this shows the one that is chosen: by the list, the graph, the keys, the
// address (#23: after 23 half-moves). Without chessground every link leads to the page of its ply.

const style = (href) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    document.head.append(link);
};

const squares = (uci) => (uci.length >= 4 ? [uci.slice(0, 2), uci.slice(2, 4)] : undefined);

const start = (Chessground, game) => {
    const panels = [...game.querySelectorAll('.ply')];
    const last = panels.length - 1;
    const board = document.getElementById('board');
    const now = document.getElementById('now');
    const graph = document.getElementById('graph');
    let ply = panels.findIndex((panel) => !panel.hidden);

    const seat = document.createElement('div');
    seat.style.height = '100%';
    board.replaceChildren(seat);
    board.setAttribute('role', 'img');
    const ground = Chessground(seat, { viewOnly: true, coordinates: true, animation: { duration: 120 },
        drawable: { enabled: false, visible: true } });
    // An arrow keeps the proportions that the board had when it was drawn, which may be before its layout.
    new ResizeObserver(() => ground.redrawAll()).observe(seat);

    const place = ({ fen, uci, better, reply, check }) => {
        ground.set({ fen, lastMove: squares(uci), check: check === 'true',
            turnColor: fen.includes(' w ') ? 'white' : 'black' });
        const [orig, dest] = squares(better || reply || '') ?? [];
        ground.setAutoShapes(orig ? [{ orig, dest, brush: better ? 'green' : 'blue' }] : []);
    };

    const release = () => {
        for (const line of game.querySelectorAll('.line[aria-pressed="true"]')) line.setAttribute('aria-pressed', 'false');
    };

    const mark = () => {
        for (const link of game.querySelectorAll('.list a[aria-current]')) link.removeAttribute('aria-current');
        const link = document.getElementById(String(ply));
        if (!link) return;
        link.setAttribute('aria-current', 'true');
        const list = link.closest('.list');
        const row = link.getBoundingClientRect(), box = list.getBoundingClientRect();
        if (row.top < box.top || row.bottom > box.bottom)
            list.scrollTop += row.top - box.top - box.height / 2;
    };

    const show = (to, write = true) => {
        ply = Math.max(0, Math.min(last, to));
        panels.forEach((panel, i) => { panel.hidden = i !== ply; });
        release();
        place(panels[ply].dataset);
        board.setAttribute('aria-label', ply > 0 ? `Position after ${panels[ply].querySelector('h3').firstChild.data.trim()}`
            : 'Position before the first move');
        for (const clock of game.querySelectorAll('.clock'))
            clock.textContent = panels.findLast((panel, i) => i <= ply && panel.dataset.mover === clock.dataset.of)?.dataset.clock ?? '';
        mark();
        for (const end of ['x1', 'x2']) now?.setAttribute(end, `${(100 * ply) / last}%`);
        if (!write) return;
        const address = new URL(location.href);
        address.searchParams.delete('ply'); // one ply in an address: that behind the #
        address.hash = ply;
        history.replaceState(null, '', address);
    };

    const fromAddress = () => {
        if (/^#\d+$/.test(location.hash)) show(Number(location.hash.slice(1)), false);
    };

    // A line of the engine: once shows the position after it, again the one of the game.
    const tryLine = (line, { fen, uci }) => {
        const on = line.getAttribute('aria-pressed') === 'true';
        release();
        if (on) { place(panels[ply].dataset); return; }
        line.setAttribute('aria-pressed', 'true');
        place({ fen, uci });
    };

    for (const item of game.querySelectorAll('.lines li')) {
        const line = document.createElement('button');
        line.type = 'button';
        line.className = 'line';
        line.setAttribute('aria-pressed', 'false');
        line.append(...item.firstElementChild.childNodes);
        line.addEventListener('click', () => tryLine(line, item.dataset));
        item.replaceChildren(line);
    }

    const errors = [...game.querySelectorAll('.list :is(.inaccuracy, .mistake, .blunder)')].map(({ id }) => Number(id));
    const step = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => last,
        error: () => errors.find((at) => at > ply) ?? errors[0] ?? ply };
    document.querySelector('main').addEventListener('click', (event) => {
        const link = event.target.closest('a');
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const to = link.dataset.step ? step[link.dataset.step]()
            : link.dataset.go ? Number(link.dataset.go) : link.closest('.list') ? Number(link.id) : undefined;
        if (to === undefined) return;
        event.preventDefault();
        show(to);
        if (link.dataset.go) game.scrollIntoView({ block: 'start' });
    });

    const flip = () => {
        ground.toggleOrientation();
        game.classList.toggle('flipped');
    };
    const move = (to) => () => show(to());
    const keys = { ArrowLeft: move(step.back), ArrowRight: move(step.on), Home: move(step.first), End: move(step.last),
        x: move(step.error), f: flip, ' ': () => panels[ply].querySelector('button.line')?.click() };
    document.addEventListener('keydown', (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !keys[event.key] ||
            event.target.closest('input, select, textarea, .table-wrap') ||
            (event.key === ' ' && event.target.closest('a, button, summary'))) return;
        event.preventDefault();
        keys[event.key]();
    });

    graph?.addEventListener('click', (event) => {
        const { left, width } = graph.getBoundingClientRect();
        show(Math.round((last * (event.clientX - left)) / width));
    });
    document.getElementById('flip').addEventListener('click', flip);
    document.getElementById('error').addEventListener('click', keys.x);
    document.getElementById('error').disabled = errors.length === 0;
    window.addEventListener('hashchange', fromAddress);
    document.documentElement.classList.add('js');
    show(ply, false);
    fromAddress();
    if (location.hash) document.querySelector('.seat').scrollIntoView(); // not at the list of moves
};

const game = document.getElementById('game');
if (game) {
    import('/static/vendor/chessground.min.js').then(({ Chessground }) => {
        style('/static/vendor/chessground.base.css');
        style('/static/vendor/chessground.cburnett.css');
        start(Chessground, game);
    }).catch((reason) => console.warn('no board:', reason));
}
