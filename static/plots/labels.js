// Labels at the ends of lines: moved apart as little as needed, so that none covers another.

/**
 * The middles of labels of one height, in the order given: each as near to its own as it can be with
 * all of them between `top` and `bottom`, `height` apart. Neighbours that would overlap become a block
 * around the mean of what its members want (pool adjacent violators). Where they do not all fit, they
 * are spread evenly.
 */
export function spread(wanted, height, top, bottom) {
    const order = wanted.map((y, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
    const step = Math.min(height, (bottom - top) / Math.max(wanted.length, 1));
    const blocks = [];
    const clamp = (block) => {
        const room = block.members.length * step;
        block.from = Math.min(Math.max(block.sum / block.members.length - room / 2, top), Math.max(bottom - room, top));
    };
    for (const i of order) {
        let block = { members: [i], sum: wanted[i] };
        clamp(block);
        while (blocks.length > 0 && blocks.at(-1).from + blocks.at(-1).members.length * step > block.from + 1e-9) {
            const before = blocks.pop();
            block = { members: [...before.members, ...block.members], sum: before.sum + block.sum };
            clamp(block);
        }
        blocks.push(block);
    }
    const at = new Array(wanted.length);
    for (const { members, from } of blocks) members.forEach((i, k) => { at[i] = from + (k + 0.5) * step; });
    return at;
}

/** Cut to so many characters, with an ellipsis. */
export const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);
