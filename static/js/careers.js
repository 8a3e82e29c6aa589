// The search of the page of careers suggests players, and a choice adds its set at once, with what the other fields
// limit it to. Opponents and events are suggested, too; a name that is typed and not chosen is looked up by the form.
import { lookForEvents, suggest } from './find.js';

const form = document.querySelector('form.add-set');
const field = (name) => form.elements[name].value.trim();
const chosen = new Map(); // the id of what a field's name was chosen for

// As server/resource/set.h has it.
const set = ({ id }) => {
    const [from, to] = [field('from'), field('to')];
    const years = from || to ? (from === to ? `:${from}` : `:${from}-${to}`) : '';
    const phases = field('phase').split(',').filter(Boolean).map((phase) => `,phase=${phase}`).join('');
    const limit = (name, value) => (value ? `,${name}=${value}` : '');
    return `${id}${years}${limit('color', field('color'))}${limit('event', chosen.get('event'))}` +
        `${limit('opponent', chosen.get('opponent'))}${limit('upload', field('upload'))}${phases}`;
};

const typedAlone = (name) => field(name) !== '' && !chosen.has(name);

const limits = (name, options) => {
    const input = form.elements[name];
    suggest(input, input.parentElement, undefined, { ...options, take: (one) => {
        input.value = one.name;
        chosen.set(name, one.id);
    } });
    input.addEventListener('input', () => chosen.delete(name));
};

if (form) {
    const input = form.querySelector('#q');
    suggest(input, input.parentElement, undefined, { take: (player) => {
        if (typedAlone('opponent') || typedAlone('event')) {
            input.value = player.name;
            form.requestSubmit();
        } else window.location.assign(`${input.dataset.add}set=${set(player)}`);
    } });
    limits('opponent', {});
    limits('event', { find: lookForEvents, label: 'Events' });
}

const beside = document.querySelector('.beside');
beside?.querySelector('input').addEventListener('change', ({ target }) => {
    const figure = beside.closest('figure');
    figure.dataset.beside = target.checked ? 'yes' : 'no';
    figure.dispatchEvent(new Event('redraw'));
});
