// The search of the page of careers suggests players, and a choice adds its set at once.
import { suggest } from './find.js';

const form = document.querySelector('form.add-set');
const field = (name) => form.elements[name].value.trim();

// As server/resource/set.h has it.
const set = ({ id }) => {
    const [from, to] = [field('from'), field('to')];
    const years = from || to ? (from === to ? `:${from}` : `:${from}-${to}`) : '';
    const colour = field('color') ? `,color=${field('color')}` : '';
    return `${id}${years}${colour}`;
};

if (form) {
    const input = form.querySelector('input[type="search"]');
    suggest(input, input.parentElement, (player) => `${input.dataset.add}set=${set(player)}`);
}
