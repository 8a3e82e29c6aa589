// Names are suggested below the two fields of a comparison, as in the search of every page; the year that was typed
// stays. The server looks up what is sent, whether it was chosen or typed.
import { suggest } from './find.js';

const yearOf = (text) => /\b\d{4}\b/.exec(text)?.[0] ?? '';

for (const input of document.querySelectorAll('.sides .suggest input')) {
    suggest(input, input.parentElement, undefined, { take: ({ name }) => {
        input.value = `${name} ${yearOf(input.value)}`;
        input.focus();
    } });
}
