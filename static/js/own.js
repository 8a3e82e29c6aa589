// The private uploads that this browser has opened: their addresses are found nowhere else. A page of one puts itself on
// the list (data-own) and is taken from it when it is deleted (data-forget); the list is shown where files are sent.

const kept = 'intrinsic-own';
const MOST = 20;

// A browser may forbid the storage: then nothing is stored.
const recall = () => {
    try {
        return JSON.parse(localStorage.getItem(kept)) ?? [];
    } catch {
        return [];
    }
};

const store = (list) => {
    try {
        localStorage.setItem(kept, JSON.stringify(list.slice(0, MOST)));
    } catch { /* as above */ }
};

const title = document.querySelector('[data-own]');
if (title) {
    const others = () => recall().filter(({ href }) => href !== title.dataset.own);
    const remember = () => store([{ href: title.dataset.own, title: title.textContent }, ...others()]);
    remember();
    document.querySelector('form[data-forget]')?.addEventListener('submit', () => store(others()));
}

const section = document.getElementById('own'), list = recall();
if (section && list.length > 0) {
    section.querySelector('ul').append(...list.map(({ href, title: text }) => {
        const item = document.createElement('li'), link = document.createElement('a');
        link.href = href;
        link.textContent = text;
        item.append(link);
        return item;
    }));
    section.hidden = false;
}
