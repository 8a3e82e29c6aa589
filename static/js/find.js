// Players' names while they are typed, below a search: a combobox with a list (ARIA Authoring
// Practices). Without this module the form searches when it is sent.

const PAUSE_MS = 120;

const years = ({ first_year: first, last_year: last }) =>
    (first ? ` ${first === last ? first : `${first}–${last}`}` : '');

const look = async (q) => {
    const fields = 'id,name,first_year,last_year';
    const response = await fetch(`/api/v1/players?${new URLSearchParams({ q, limit: 8, fields })}`);
    const { players = [] } = response.ok ? await response.json() : {};
    return players;
};

/** Events, as rows of players are. */
export const lookForEvents = async (q) => {
    const response = await fetch(`/api/v1/events?${new URLSearchParams({ q, limit: 8, fields: 'id,name,year' })}`);
    const { events = [] } = response.ok ? await response.json() : {};
    return events.map((event) => ({ ...event, first_year: event.year, last_year: event.year }));
};

/** The page of a player; of the year that was typed, too, if it is among those with games. */
const pageOf = ({ id, first_year: first, last_year: last }, typed) => {
    const year = /\b\d{4}$/.exec(typed.trim())?.[0];
    return `/players/${id}${year >= first && year <= last ? `/${year}` : ''}`;
};

/**
 * Suggests players below an input, in an element around it; `address` is that of a player chosen, from what was typed. With `take` the one
 * chosen is given to it instead. `find` and `label`: of other things than players.
 */
export const suggest = (input, around, address, { find = look, label = 'Players', take } = {}) => {
    const list = document.createElement('ul');
    let asked = 0;
    let found = [];
    let timer;

    const options = () => [...list.children];
    const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');

    const choose = (at) => {
        options().forEach((option, i) => option.setAttribute('aria-selected', String(i === at)));
        if (at >= 0) input.setAttribute('aria-activedescendant', list.children[at].id);
        else input.removeAttribute('aria-activedescendant');
    };

    const open = (yes) => {
        list.hidden = !yes;
        input.setAttribute('aria-expanded', String(yes));
        if (!yes) choose(-1);
    };

    const option = (player, i) => {
        const element = document.createElement('li');
        const when = document.createElement('span');

        element.id = `${list.id}-${i}`;
        element.setAttribute('role', 'option');
        when.className = 'fine';
        when.textContent = years(player);
        element.append(player.name, when);
        return element;
    };

    const show = async () => {
        const q = input.value.trim();
        const turn = ++asked;
        if (q.length < 2) {
            open(false);
            return;
        }
        try {
            const players = await find(q);
            if (turn !== asked) return; // more was typed
            found = players;
            list.replaceChildren(...players.map(option));
            open(players.length > 0);
        } catch {
            open(false); // the form still searches
        }
    };

    /* Also what is still on its way. */
    const close = () => {
        asked++;
        window.clearTimeout(timer);
        open(false);
    };

    const go = (at) => {
        if (!take) window.location.assign(address(found[at], input.value));
        else take(found[at]);
        close();
    };

    const keys = {
        ArrowDown: () => choose((chosen() + 1) % list.children.length),
        ArrowUp: () => choose((chosen() <= 0 ? list.children.length : chosen()) - 1),
        Escape: close,
        Enter: () => go(chosen()),
    };

    list.id = input.id ? `found-${input.id}` : 'found';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', label);
    list.hidden = true;
    around.append(list);
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-controls', list.id);
    input.addEventListener('input', () => {
        window.clearTimeout(timer);
        timer = window.setTimeout(show, PAUSE_MS);
    });
    input.addEventListener('keydown', (event) => {
        if (list.hidden || !(event.key in keys) || (event.key === 'Enter' && chosen() < 0)) return;
        event.preventDefault();
        keys[event.key]();
    });
    input.addEventListener('blur', close);
    list.addEventListener('mousedown', (event) => event.preventDefault()); // the input keeps the focus
    list.addEventListener('click', (event) => {
        const at = options().indexOf(event.target.closest('li'));
        if (at >= 0) go(at);
    });
    open(false);
};

for (const form of document.querySelectorAll('form.find'))
    suggest(form.querySelector('input'), form, pageOf);
