// Dragging over rows of the losses chooses them together; a click on one follows its link.
const table = document.getElementById('bins');
const rows = table ? [...table.tBodies[0].rows] : [];
let first = -1;
let last = -1;

const between = (i) => i >= Math.min(first, last) && i <= Math.max(first, last);

const mark = () => rows.forEach((row, i) => row.classList.toggle('chosen', first >= 0 && between(i)));

const indexAt = (event) => rows.indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest('#bins tbody tr'));

table?.addEventListener('dragstart', (event) => event.preventDefault());

table?.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || event.button !== 0) return;
    first = indexAt(event);
    last = first;
    mark();
});

window.addEventListener('pointermove', (event) => {
    const at = first >= 0 ? indexAt(event) : -1;
    if (at < 0) return;
    last = at;
    mark();
});

window.addEventListener('pointerup', () => {
    const several = first >= 0 && first !== last;
    const chosen = rows.filter((_, i) => first >= 0 && between(i));
    first = -1;
    mark();
    if (!several) return;
    const address = new URL(location.href);
    const { from } = chosen[0].dataset;
    const { to } = chosen[chosen.length - 1].dataset;
    address.searchParams.delete('after');
    address.searchParams.set('lost_from', from);
    if (to) address.searchParams.set('lost_to', to);
    else address.searchParams.delete('lost_to');
    location.assign(address);
});
