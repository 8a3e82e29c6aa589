// The access token, typed once, is filled into every form of this tab that needs it, and
// forgotten when the tab is closed. Without this module it is typed into each form.

const kept = 'intrinsic-token';
const inputs = [...document.querySelectorAll('input[data-token]')];

// A browser may forbid the storage: then nothing is stored.
const recall = () => {
    try {
        return sessionStorage.getItem(kept) ?? '';
    } catch {
        return '';
    }
};

const keep = (token) => {
    for (const input of inputs) input.value = token;
    try {
        sessionStorage.setItem(kept, token);
    } catch { /* as above */ }
};

for (const input of inputs) {
    input.value ||= recall();
    input.addEventListener('change', () => keep(input.value.trim()));
}
