// Players' names while they are typed, below the search of the masthead: a combobox with a list (ARIA
// Authoring Practices). Without this module the form searches when it is sent.

const PAUSE_MS = 120;
const form = document.querySelector('form.find');
const input = form.querySelector('input');
const list = document.createElement('ul');
let asked = 0;
let timer;

list.id = 'found';
list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', 'Players');
list.hidden = true;
form.append(list);
input.setAttribute('role', 'combobox');
input.setAttribute('aria-autocomplete', 'list');
input.setAttribute('aria-controls', list.id);

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

const years = ({ first_year: first, last_year: last }) =>
    (first ? ` ${first === last ? first : `${first}–${last}`}` : '');

const option = (player, i) => {
    const element = document.createElement('li');
    const when = document.createElement('span');

    element.id = `found-${i}`;
    element.setAttribute('role', 'option');
    element.dataset.href = `/players/${player.id}`;
    when.className = 'fine';
    when.textContent = years(player);
    element.append(player.name, when);
    return element;
};

const look = async () => {
    const q = input.value.trim();
    const turn = ++asked;
    if (q.length < 2) {
        open(false);
        return;
    }
    try {
        const fields = 'id,name,first_year,last_year';
        const response = await fetch(`/api/v1/players?${new URLSearchParams({ q, limit: 8, fields })}`);
        const { players = [] } = response.ok ? await response.json() : {};
        if (turn !== asked) return; // more was typed
        list.replaceChildren(...players.map(option));
        open(players.length > 0);
    } catch {
        open(false); // the form still searches
    }
};

const keys = {
    ArrowDown: () => choose((chosen() + 1) % list.children.length),
    ArrowUp: () => choose((chosen() <= 0 ? list.children.length : chosen()) - 1),
    Escape: () => open(false),
    Enter: () => window.location.assign(list.children[chosen()].dataset.href),
};

input.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(look, PAUSE_MS);
});
input.addEventListener('keydown', (event) => {
    if (list.hidden || !(event.key in keys) || (event.key === 'Enter' && chosen() < 0)) return;
    event.preventDefault();
    keys[event.key]();
});
input.addEventListener('blur', () => open(false));
list.addEventListener('mousedown', (event) => event.preventDefault()); // the input keeps the focus
list.addEventListener('click', (event) => {
    const found = event.target.closest('[data-href]');
    if (found) window.location.assign(found.dataset.href);
});
open(false);
