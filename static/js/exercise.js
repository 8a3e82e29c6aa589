// Positions to solve: the drawn board becomes one on which a move can be made, by mouse or in letters. Without
// chessground the drawing and the folded answer remain. A report (`rate --report`) has it inside, with its styles.

const style = (href) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    document.head.append(link);
};

const bare = (san) => san.replace(/[+#?!x=\s]/g, '').replaceAll('0', 'O');

/** The legal move of a text, "Nf3", "nf3", "g1f3" or "g1-f3", as [squares, letters]. */
const legal = (moves, text) => moves.find(([, san]) => bare(san) === bare(text))
    ?? moves.find(([uci]) => uci === text.toLowerCase().replace(/[-x=+#\s]/g, ''))
    ?? moves.find(([, san]) => bare(san).toLowerCase() === bare(text).toLowerCase());

const make = (Chessground, exercise) => {
    const { fen, best, san } = exercise.dataset;
    const color = fen.includes(' b ') ? 'black' : 'white';
    const moves = exercise.dataset.legal.split('|').map((move) => move.split(' '));
    const dests = new Map(moves.map(([uci]) => [uci.slice(0, 2), moves.filter(([other]) => other.startsWith(uci.slice(0, 2))).map(([other]) => other.slice(2, 4))]));
    const drawing = exercise.querySelector('svg.squares');
    const seat = document.createElement('div');
    seat.className = 'seat';
    seat.setAttribute('role', 'img');
    seat.setAttribute('aria-label', drawing.getAttribute('aria-label'));
    drawing.replaceWith(seat);
    const ground = Chessground(seat, { fen, orientation: color, turnColor: color, coordinates: false,
        animation: { duration: 120 }, premovable: { enabled: false }, drawable: { enabled: false, visible: true },
        movable: { free: false, dests, showDests: false, color, events: { after: (from, to) => answer(from + to) } } });

    // What is unfolded above moves the board, and it remembers where it was.
    for (const press of ['mousedown', 'touchstart'])
        seat.addEventListener(press, () => ground.state.dom.bounds.clear(), { capture: true, passive: true });

    const form = document.createElement('form');
    form.innerHTML = '<label>Your move <input size="6" maxlength="8" placeholder="Nf3" autocomplete="off" spellcheck="false"></label> '
        + '<button type="submit" class="quiet">Try</button> <output></output>';
    const said = form.querySelector('output'), input = form.querySelector('input');
    exercise.querySelector('.task').append(form);

    // The engine's line, forth and back, once it is known.
    const line = exercise.dataset.line?.split('|').map((step) => step.split(' ')) ?? [];
    let at = 0;
    const show = (n) => {
        at = Math.max(0, Math.min(line.length, n));
        const [uci, pieces] = at > 0 ? line[at - 1] : [undefined, fen];
        ground.set({ fen: pieces, lastMove: uci && [uci.slice(0, 2), uci.slice(2, 4)], movable: { color: undefined } });
        ground.setAutoShapes([]);
        for (const [button, end] of [[back, 0], [forth, line.length]]) button.disabled = at === end;
    };
    const [back, forth] = [['‹', 'Back in the line', -1], ['›', 'Play the line', 1]].map(([text, label, step]) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'quiet';
        button.textContent = text;
        button.setAttribute('aria-label', label);
        button.addEventListener('click', () => show(at + step));
        return button;
    });
    if (line.length > 1) {
        const row = document.createElement('div');
        row.className = 'steps';
        row.append(back, ' ', forth);
        back.disabled = true;
        exercise.querySelector('details').append(row);
    }

    const answer = (uci) => {
        const right = uci === best.slice(0, uci.length) && uci.length >= 4;
        said.textContent = right ? `Right: ${san}.` : 'Not the move that was searched for; another can be as good.';
        exercise.classList.toggle('solved', right);
        at = 0;
        back.disabled = true;
        forth.disabled = false;
        if (right) exercise.querySelector('details').open = true;
        ground.set({ fen, turnColor: color, lastMove: undefined,
            movable: { color: right ? undefined : color } });
        if (right) ground.setAutoShapes([{ orig: best.slice(0, 2), dest: best.slice(2, 4), brush: 'green' }]);
    };
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const text = input.value.trim(), move = legal(moves, text);
        if (move) answer(move[0]);
        else if (text !== '') said.textContent = `“${text}” is not a legal move here.`;
    });
};

const board = async () => {
    if (globalThis.Chessground) return globalThis.Chessground;
    const { Chessground } = await import('/static/vendor/chessground.min.js');
    style('/static/vendor/chessground.base.css');
    style('/static/vendor/chessground.cburnett.css');
    return Chessground;
};

const exercises = document.querySelectorAll('.exercise[data-best]');
if (exercises.length > 0)
    board().then((Chessground) => {
        for (const exercise of exercises) make(Chessground, exercise);
    }, () => {}); // the drawings stay
