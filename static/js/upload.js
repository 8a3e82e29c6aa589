// The upload form without leaving the page: drag and drop, located errors, then its page.
// Without this module the form posts by itself and the server redirects.

const reason = async (response) => {
    try {
        const problem = await response.json();
        return problem.detail || problem.title;
    } catch {
        return `The server answered ${response.status}.`;
    }
};

const enhance = (form) => {
    const input = form.querySelector('input[type="file"]');
    const drop = form.closest('[data-drop]');
    const status = form.querySelector('.status');
    const button = form.querySelector('button');
    const pasted = form.querySelector('textarea');
    const token = document.querySelector('input[data-token]');

    const say = (text, bad = false) => {
        status.textContent = text;
        status.classList.toggle('bad', bad);
    };

    const send = async (file) => {
        const body = new FormData();
        const headers = { Accept: 'application/json' };
        body.append('file', file, file.name);
        if (token?.value) headers.Authorization = `Bearer ${token.value}`;
        button.disabled = true;
        say(`Sending ${file.name} …`);
        try {
            const response = await fetch(form.action, { method: 'POST', body, headers });
            if (!response.ok) throw new Error(await reason(response));
            const { id, key } = await response.json();
            say('Received.');
            window.location.assign(`/uploads/${encodeURIComponent(key ?? id)}`);
        } catch (error) {
            say(error.message || 'The upload did not reach the server.', true);
            button.disabled = false;
        }
    };

    form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (input.files.length > 0) send(input.files[0]);
        else if (pasted.value.trim()) send(new File([pasted.value], 'pasted games'));
        else say('Paste games, or choose a file.', true);
    });
    for (const type of ['dragenter', 'dragover']) {
        drop.addEventListener(type, (event) => {
            event.preventDefault();
            drop.classList.add('over-it');
        });
    }
    drop.addEventListener('dragleave', () => drop.classList.remove('over-it'));
    drop.addEventListener('drop', (event) => {
        event.preventDefault();
        drop.classList.remove('over-it');
        const [file] = event.dataTransfer.files;
        if (file) send(file);
    });
    // A game that is pasted where a name is expected.
    const search = document.querySelector(`[data-pgn="#${form.id}"]`);
    search?.addEventListener('paste', (event) => {
        const text = event.clipboardData.getData('text');
        if (!/^\s*\[\w+ "|^\s*1\.\s*[a-hKQRBNO]/.test(text)) return;
        event.preventDefault();
        send(new File([text], 'pasted games'));
    });
};

document.documentElement.classList.add('js');
document.querySelectorAll('form[data-upload]').forEach(enhance);
