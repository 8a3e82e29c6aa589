// The whole address of the page, which the server does not know, on every printed sheet.
for (const element of document.querySelectorAll('[data-address]')) {
    element.textContent = window.location.href.split('#')[0];
}
