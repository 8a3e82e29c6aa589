// Opens the <details> around what the address points to. Some browsers do it by themselves; without
// JavaScript a visitor opens them.

const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let opened = false;
    for (let fold = target?.closest('details'); fold; fold = fold.parentElement.closest('details')) {
        opened ||= !fold.open;
        fold.open = true;
    }
    if (opened) target.scrollIntoView();
};

window.addEventListener('hashchange', reveal);
reveal();
