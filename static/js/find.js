// Names while they are typed, below a search: a combobox with a list (ARIA Authoring Practices); below that of
// every page players, their years and events, in groups. Without this module the form searches when it is sent.

import { eventName } from './ordinals.js';

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
export const lookForEvents = async (q, more = {}) => {
    const response = await fetch(`/api/v1/events?${new URLSearchParams({ q, limit: 8, fields: 'id,name,year', ...more })}`);
    const { events = [] } = response.ok ? await response.json() : {};
    return events.map((event) => ({ ...event, shown: eventName(event.name), first_year: event.year, last_year: event.year }));
};

const GROUPS = { players: 'Players', player_years: 'Player-years', events: 'Events' };
const SHOWN = 6; // of a group

/** Players, player-years and events, as the page of the search has them. */
const lookForAll = async (q) => {
    const response = await fetch(`/api/v1/search?${new URLSearchParams({ q, limit: SHOWN })}`);
    const { groups = [] } = response.ok ? await response.json() : {};
    return groups.flatMap(({ kind, hits }) => hits.slice(0, SHOWN).map(({ name, to, first_year, last_year }) =>
        ({ name, shown: kind === 'events' ? eventName(name) : name, to, group: GROUPS[kind], ...kind !== 'player_years' && { first_year, last_year } })));
};

/**
 * Suggests players below an input, in an element around it; `address` is that of the one chosen. With `take` the one
 * chosen is given to it instead. `find` and `label`: of other things than players; those with a `group` are in one.
 */
export const suggest = (input, around, address, { find = look, label = 'Players', take } = {}) => {
    const list = document.createElement('ul');
    let asked = 0;
    let found = [];
    let timer;

    const options = () => [...list.querySelectorAll('[role="option"]')];
    const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');

    const choose = (at) => {
        options().forEach((option, i) => option.setAttribute('aria-selected', String(i === at)));
        if (at >= 0) input.setAttribute('aria-activedescendant', options()[at].id);
        else input.removeAttribute('aria-activedescendant');
    };

    const open = (yes) => {
        list.hidden = !yes;
        input.setAttribute('aria-expanded', String(yes));
        if (!yes) choose(-1);
    };

    const option = (player, i) => {
        const element = document.createElement(player.group ? 'div' : 'li');
        const when = document.createElement('span');

        element.id = `${list.id}-${i}`;
        element.setAttribute('role', 'option');
        when.className = 'fine';
        when.textContent = years(player);
        element.append(player.shown ?? player.name, when);
        return element;
    };

    /* Options without a group stand in the list, others in an item for each group. */
    const items = (rows) => {
        const all = [];
        let group;
        rows.forEach((row, i) => {
            if (!row.group) {
                all.push(option(row, i));
                return;
            }
            if (row.group !== group?.getAttribute('aria-label')) {
                const heading = document.createElement('span');

                group = document.createElement('li');
                group.setAttribute('role', 'group');
                group.setAttribute('aria-label', row.group);
                heading.className = 'fine';
                heading.setAttribute('aria-hidden', 'true');
                heading.textContent = row.group;
                group.append(heading);
                all.push(group);
            }
            group.append(option(row, i));
        });
        return all;
    };

    const show = async () => {
        const q = input.value.trim();
        const turn = ++asked;
        if (q.length < 2) {
            open(false);
            return;
        }
        try {
            const rows = await find(q);
            if (turn !== asked) return; // more was typed
            found = rows;
            list.replaceChildren(...items(rows));
            open(rows.length > 0);
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
        if (!take) window.location.assign(address(found[at]));
        else take(found[at]);
        close();
    };

    const keys = {
        ArrowDown: () => choose((chosen() + 1) % options().length),
        ArrowUp: () => choose((chosen() <= 0 ? options().length : chosen()) - 1),
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
        const at = options().indexOf(event.target.closest('[role="option"]'));
        if (at >= 0) go(at);
    });
    open(false);
};

for (const form of document.querySelectorAll('form.find'))
    suggest(form.querySelector('input'), form, ({ to }) => to, { find: lookForAll, label: 'Players and events' });
