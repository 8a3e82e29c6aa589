/** A table in CSV (RFC 4180): its header line, and each row as an object. */
export function csv(text) {
    const rows = [[]];
    let cell = '', quoted = false;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (quoted) {
            if (c !== '"') cell += c;
            else if (text[i + 1] === '"') cell += text[++i];
            else quoted = false;
        } else if (c === '"') quoted = true;
        else if (c === ',' || c === '\n') {
            rows.at(-1).push(cell.replace(/\r$/, ''));
            cell = '';
            if (c === '\n') rows.push([]);
        } else cell += c;
    }
    rows.pop();
    const [head, ...body] = rows;
    return { head, rows: body.map((row) => Object.fromEntries(row.map((v, i) => [head[i], v]))) };
}
