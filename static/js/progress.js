// Live figures. An element with data-events follows that event stream; a body with data-refresh
// ("#a #b") has those parts reloaded from the server at intervals.

const BUSY_MS = 4000;
const IDLE_MS = 30000;
const number = new Intl.NumberFormat('en');

const show = (counts) => {
    const total = counts.queued + counts.running + counts.analysed + counts.failed;
    const inTurns = counts.turns_total > 0;

    for (const element of document.querySelectorAll('[data-count]')) {
        const value = counts[element.dataset.count];
        if (typeof value === 'number') element.textContent = number.format(value);
    }
    for (const bar of document.querySelectorAll('progress[data-progress]')) {
        bar.max = Math.max(1, inTurns ? counts.turns_total : total);
        bar.value = inTurns ? counts.turns_done : counts.analysed;
    }
    for (const element of document.querySelectorAll('[data-total]')) {
        element.textContent = number.format(total);
    }
};

// Of an upload that is imported.
const showImport = (counts) => {
    for (const bar of document.querySelectorAll('progress[data-import]')) {
        bar.value = counts.bytes_read;
    }
};

// The remaining time, in the server's words.
const showRemaining = (judging) => {
    for (const element of document.querySelectorAll('[data-remaining]')) {
        element.textContent = judging?.remaining ? `Time remaining: ${judging.remaining}.` : '';
    }
};

const refreshed = document.body.dataset.refresh?.match(/\S+/g) ?? [];
let renewing = false;

const replace = (page, selector) => {
    const old = document.querySelector(selector);
    const fresh = page.querySelector(selector);
    if (old && !fresh) {
        window.location.reload(); // what it waited for is there, with scripts of its own
    } else if (old && !old.contains(document.activeElement)) {
        old.replaceWith(document.adoptNode(fresh));
    }
};

// One at a time.
const renew = async () => {
    if (renewing || document.hidden) return;
    renewing = true;
    try {
        const response = await fetch(window.location.href, { headers: { Accept: 'text/html' } });
        if (response.ok) {
            const page = new DOMParser().parseFromString(await response.text(), 'text/html');
            refreshed.forEach((selector) => replace(page, selector));
        }
    } catch {
        // The server is unavailable; the next refresh tries again.
    }
    renewing = false;
};

const refresh = async () => {
    await renew();
    const busy = document.querySelector('[data-busy]') !== null;
    window.setTimeout(refresh, busy ? BUSY_MS : IDLE_MS);
};

const follow = (element) => {
    const source = new EventSource(element.dataset.events);
    let analysed;
    const receive = (event) => {
        let counts;
        try {
            counts = JSON.parse(event.data);
        } catch {
            return;
        }
        if (typeof counts.queued === 'number') show(counts);
        if (typeof counts.bytes_read === 'number') showImport(counts);
        showRemaining(counts.judging);
        if (counts.analysed > analysed && !counts.done) renew(); // a game more is in the ratings
        analysed = counts.analysed;
        if (counts.done) {
            source.close();
            window.location.reload(); // links, failures and ratings come with the page
        }
    };
    source.addEventListener('message', receive);
    source.addEventListener('progress', receive);
};

document.documentElement.classList.add('js');
document.querySelectorAll('[data-events]').forEach(follow);
if (refreshed.length > 0) window.setTimeout(refresh, BUSY_MS);
