// `rate --report`: the page of a player as one file, opened from disk with the network off.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync, copyFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { accessible, close, context, launch, overflow, visit } from './browser.mjs';
import { environment, intrinsic, root } from './lib.mjs';
import { forms, games } from './own_games.mjs';

const dir = mkdtempSync(path.join(os.tmpdir(), 'intrinsic-report-'));
const at = (name) => path.join(dir, name);
const quick = { INTRINSIC_CONFIRM_NODES: '60000' };

before(launch);
after(async () => {
    await close();
    rmSync(dir, { recursive: true });
});

const rate = (args, { program = intrinsic, cwd = root, env, ...extra } = {}) =>
    spawnSync(program, ['rate', ...args], { encoding: 'utf8', cwd, env: env ?? environment('', extra), maxBuffer: 1 << 26 });

/** Writes a report, and the rows of the same run. */
function report(name, pgn, args = [], extra = quick) {
    writeFileSync(at(`${name}.pgn`), pgn);
    const { status, stdout, stderr } = rate([`--report=${at(`${name}.html`)}`, '--format=json', ...args, at(`${name}.pgn`)], extra);
    assert.equal(status, 0, stderr);
    return { rows: JSON.parse(stdout).rows, stderr, html: readFileSync(at(`${name}.html`), 'utf8') };
}

/** The file in a browser without a network: whatever it asks for beside itself fails, and is counted. */
async function fromDisk(t, name, options) {
    const own = await context(options), address = `file://${at(`${name}.html`)}`;
    t.after(() => own.close());
    await own.setOffline(true);
    await own.route((url) => url.href !== address && url.protocol !== 'data:', (route) => route.abort());
    const found = await visit(own, address);
    assert.deepEqual(found.requests.filter((url) => !url.startsWith('data:')), [address]);
    return found;
}

/** The strength on the page: a number where the interval is narrow, else the interval. */
const strength = ({ estimate, interval: { low, high } }) =>
    (high - low) / 2 <= 200 ? `${Math.round(estimate)}` : `${Math.round(low)} to ${Math.round(high)}`;

const shown = async (page) => (await page.innerText('.big .value')).replace('*', '');

const better = async (exercise) => {
    const { best, san, fen } = await exercise.evaluate(({ dataset }) => ({ ...dataset }));
    return { best, san, black: fen.includes(' b ') };
};

test('games with evaluations: the strength of the rows, positions solved by mouse and by keyboard, and nothing from outside', async (t) => {
    const { rows, stderr } = report('lichess', games(forms.lichess));
    const anna = rows.find(({ player }) => player.name === 'anna');
    const { page, complaints } = await fromDisk(t, 'lichess');

    assert.match(stderr, /^report: anna, 20 games; scale: lichess rapid$/m);
    assert.equal(await shown(page), strength(anna.rating));
    assert.ok((await page.innerText('h1')).startsWith('anna, 20 games, October to November 2026'));
    assert.match(await page.innerText('.verdict'), /^anna played like a player between \d+ and \d+ in lichess rapid/);
    assert.equal(await page.locator('.played-games tbody tr:not(.unfolded)').count(), 20);

    const exercises = page.locator('.exercise');
    assert.ok(await exercises.count() >= 2);
    const first = exercises.first(), move = await better(first);
    await first.locator('input').fill('a1a1');
    await first.locator('input').press('Enter');
    assert.match(await first.locator('output').innerText(), /“a1a1” is not a legal move here/);
    await first.locator('input').fill(move.san);
    await first.locator('input').press('Enter');
    assert.equal(await first.locator('output').innerText(), `Right: ${move.san}.`);

    // The engine's line is played on the board, forth and back.
    const line = (await first.getAttribute('data-line')).split('|'), forth = first.getByRole('button', { name: 'Play the line' });
    const pieces = () => first.locator('cg-board piece:not(.ghost):not(.fading)').count();
    const onBoard = (placement) => placement.replace(/[^a-zA-Z]/g, '').length;
    assert.ok(line.length >= 2 && line[0].startsWith(move.best), line.join());
    for (const step of line) {
        await forth.press('Enter');
        await first.locator('square.last-move').first().waitFor({ state: 'attached' });
        assert.equal(await pieces(), onBoard(step.split(' ')[1]));
    }
    assert.ok(await forth.isDisabled());
    await first.getByRole('button', { name: 'Back in the line' }).press('Enter');
    assert.equal(await pieces(), onBoard(line.at(-2).split(' ')[1]));
    assert.match(await first.locator('details').innerText(), /The engine expects \d+/);

    const second = exercises.nth(1), { best, san, black } = await better(second), board = second.locator('cg-board');
    await board.scrollIntoViewIfNeeded();
    const box = await board.boundingBox();
    const square = (name) => {
        const x = name.charCodeAt(0) - 97, y = Number(name[1]) - 1;
        return [box.x + box.width * ((black ? 7 - x : x) + 0.5) / 8, box.y + box.height * ((black ? y : 7 - y) + 0.5) / 8];
    };
    await page.mouse.click(...square(best.slice(0, 2)));
    await second.locator('square.selected').waitFor({ state: 'attached' });
    await page.mouse.click(...square(best.slice(2, 4)));
    await second.getByText(`Right: ${san}.`).waitFor();
    assert.deepEqual(complaints, []);
});

test('a position leads to its game, which has its moves, its worst moment and its address on the site', async (t) => {
    const { page } = await fromDisk(t, 'lichess', { width: 390 });
    const first = page.locator('.exercise').first();
    const played = (await first.locator('details p').textContent()).match(/instead of (\S+?)[?]/)[1];

    await first.locator('summary').click();
    await first.getByRole('link', { name: 'The game' }).click();
    const row = page.locator('tr:target'), fold = page.locator('tr:target + .unfolded');
    assert.ok(await row.isVisible());
    await fold.locator('summary').click();
    assert.ok((await fold.innerText()).includes(played));
    assert.ok(await fold.locator('svg.squares').isVisible());
    assert.match(await fold.getByRole('link').getAttribute('href'), /^https:\/\/lichess\.org\/abcd\d{4}$/);
    assert.ok(await overflow(page) <= 0, 'on a phone, with a game unfolded');

    const links = await page.locator('a[href]').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    for (const href of links) {
        assert.match(href, /^(#|https:\/\/lichess\.org\/)/);
        if (href.startsWith('#')) assert.equal(await page.locator(`[id="${href.slice(1)}"]`).count(), 1, href);
    }
});

test('it is for everybody: axe, dark, and complete without JavaScript but for playing moves', async (t) => {
    for (const options of [{}, { width: 390 }, { colorScheme: 'dark' }]) {
        const { page } = await fromDisk(t, 'lichess', options);
        await page.locator('.unfolded summary').first().click();
        await accessible(page, JSON.stringify(options));
        assert.ok(await overflow(page) <= 0);
    }
    const { page, complaints } = await fromDisk(t, 'lichess', { javaScriptEnabled: false });
    const first = page.locator('.exercise').first();
    assert.ok(await first.locator('svg.squares').isVisible());
    await first.locator('summary').click();
    assert.ok((await first.innerText()).includes((await better(first)).san));
    await page.locator('.unfolded summary').first().click();
    assert.ok(await page.locator('.of-game p').first().isVisible());
    assert.deepEqual(complaints, []);
});

test('games that Stockfish analyses now have the page of their row, with errors of it', async (t) => {
    const bare = games(forms.club).replaceAll(/ \{ \[%eval [^}]*\}/g, '').split('\n\n[').slice(0, 3).map((game, i) => (i > 0 ? `[${game}` : game)).join('\n\n');
    const { rows, html, stderr } = report('analysed', `${bare}\n\n`, ['--player=clara']);
    const { page, complaints } = await fromDisk(t, 'analysed');

    assert.deepEqual(rows.map(({ player, judge, games: n }) => [player.name, judge, n]), [['Clara, Cox', 'rating', 3]]);
    assert.match(stderr, /^report: Clara, Cox, 3 games; scale: Elo over the board/m);
    assert.equal(await shown(page), strength(rows[0].rating));
    assert.match(html, /All figures use one engine setting, rating: Stockfish/);
    assert.ok(await page.locator('.exercise').count() > 0);
    for (const glyph of await page.locator('.exercise details p').allTextContents()) assert.match(glyph, /instead of \S+\?/);
    assert.equal(await page.getByRole('link', { name: 'The game on its site' }).count(), 0, 'a club has no addresses');
    assert.deepEqual(complaints, []);
});

test('the player with most games is shown, or the one that is named', (t) => {
    const both = games(forms.lichess) + games(forms.chess_com).split('\n\n[').slice(0, 5).map((game, i) => (i > 0 ? `[${game}` : game)).join('\n\n');
    assert.match(report('both', `${both}\n\n`, ['--evals=only']).html, /<h1>anna, 20 games/);
    const named = report('both', `${both}\n\n`, ['--evals=only', '--player=BERT']);
    assert.match(named.html, /<h1>bert, 5 games, November 2026/);
    assert.match(named.stderr, /^report: bert, 5 games; scale: lichess rapid$/m);
});

test('games of chess.com are on the scale of lichess, and their ratings are not', async (t) => {
    const { rows } = report('chess_com', games(forms.chess_com));
    const { page, complaints } = await fromDisk(t, 'chess_com');
    const said = await page.innerText('.verdict'), strong = await page.innerText('.played');

    assert.match(said, /^bert played like a player (of|between) .* on the scale of lichess rapid.*\. Ratings of chess\.com are on another scale\./);
    assert.doesNotMatch(said, /in lichess/);
    assert.match(strong, /1505, the mean rating in the tags, is on the scale of chess\.com\./);
    assert.doesNotMatch(strong, /◆/);
    assert.equal(await page.locator('.played .drawn path.other').count(), 0, 'it is not drawn on the axis');
    assert.equal(await shown(page), strength(rows.find(({ player }) => player.name === 'bert').rating));
    assert.deepEqual(complaints, []);

    writeFileSync(at('lichess.pgn'), games(forms.lichess));
    const table = (name) => rate(['--evals=only', at(`${name}.pgn`)]).stdout;
    assert.match(table('chess_com'), /\nElo: ratings of chess\.com, on another scale\. Scale: lichess rapid; prior/);
    assert.match(table('lichess'), /\nScale: lichess rapid; prior/);
});

test('games at another speed are named, and have a page of their own', (t) => {
    const mixed = games((game, i) => ({ ...forms.lichess(game, i), ...i < 6 && { TimeControl: '180+0' } }));
    const { html } = report('mixed', mixed, ['--evals=only', '--player=anna']);
    assert.match(html, /<h1>anna, 20 games, October to November 2026 \(14 rapid, 6 blitz\)/);
    assert.match(html, /<code>--time=online-blitz<\/code>/);
    const first = report('single', `${games(forms.lichess).split(/\n(?=\[Event )/)[0]}\n`, ['--evals=only', '--player=anna']);
    assert.match(first.stderr, /^report: anna, 1 game; scale: lichess rapid$/m);
    assert.match(report('blitz', mixed, ['--evals=only', '--player=anna', '--time=online-blitz']).html, /<h1>anna, 6 games, /);
});

test('names and addresses in the file stay text', async (t) => {
    const evil = `</title><script>alert(1)</script><img src=x onerror=alert(2)>{{page.scripts}}"'`;
    const pgn = games((game, i) => ({ ...forms.lichess(game, i), [i % 2 ? 'Black' : 'White']: evil,
        [i % 2 ? 'White' : 'Black']: `<b>${i}</b>&amp;`, Site: i % 3 ? 'https://lichess.org/"><script>alert(4)</script>' : 'lichess.org', Link: 'javascript:alert(3)' }));
    const { rows, html } = report('evil', pgn);
    const { page, complaints } = await fromDisk(t, 'evil');
    const dialogs = [];
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));

    assert.ok(rows.some(({ player }) => player.name === evil));
    assert.ok((await page.innerText('h1')).startsWith(evil));
    assert.equal(await page.locator('main img, main script, h1 *, main b, title ~ img').count(), 0);
    assert.doesNotMatch(html, /href="(javascript|data:text)/);
    assert.deepEqual([complaints, dialogs], [[], []]);
    // If one of them came through after all, the policy stops it.
    await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'document.title = "run"';
        document.body.append(script);
        document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png">');
    });
    assert.notEqual(await page.title(), 'run');
    assert.ok(complaints.filter((text) => text.includes('Content Security Policy')).length >= 2, complaints.join('\n'));
});

test('without an engine games with evaluations have their page, which says that it has no positions', () => {
    const { stderr, html } = report('bare', games(forms.lichess), [], { STOCKFISH_PATH: '/nowhere/stockfish' });
    assert.match(stderr, /^report without positions to solve: .*\/nowhere\/stockfish/m);
    assert.match(html, /Positions to solve need the engine/);
    assert.doesNotMatch(html, /class="exercise"/);
    assert.match(report('bare', games(forms.lichess), ['--evals=only'], quick).html, /Positions to solve need the engine/);
});

test('the same games give the same file, whole or not at all', () => {
    const once = report('twice', games(forms.lichess)).html;
    assert.equal(report('twice', games(forms.lichess)).html, once);
    assert.equal(statSync(at('twice.html')).mode & 0o777, 0o666 & ~process.umask());
    assert.deepEqual(readdirSync(dir).filter((name) => name.endsWith('.new')), []);
    // Before any engine runs: the file needs one, and there is none.
    mkdirSync(at('folder.html'), { recursive: true });
    writeFileSync(at('plain.pgn'), '[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n');
    for (const [file, extra, expected, code = 1] of [
        ['/nowhere/page.html', {}, /: \/nowhere\/page\.html\.new: No such file or directory$/],
        [at('folder.html'), {}, /folder\.html: not a file$/],
        [at('plain.pgn'), {}, /--report: the name of a page ends in \.html, not '.*plain\.pgn'$/, 2],
        [at('page.html'), { INTRINSIC_HUMAN_MODEL: dir }, /--report shows what single moves lose: not with --human-model$/, 2],
    ]) {
        const { status, stderr, stdout } = rate([`--report=${file}`, at('plain.pgn')], { STOCKFISH_PATH: '/nowhere/stockfish', ...extra });
        assert.equal(status, code, stderr);
        assert.match(stderr.trim(), expected);
        assert.equal(stdout, '');
    }
    assert.ok(!readdirSync(dir).includes('page.html'));
});

test('an installed program finds what the page is made of, from any folder and without the source; so does the one that was built', () => {
    const made = spawnSync('make', ['-s', 'install', `DESTDIR=${at('stage')}`, 'PREFIX=/opt/x'], { cwd: root, encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const env = environment('', {}), program = at('stage/opt/x/bin/intrinsic'), args = ['--evals=only', at('lichess.pgn')];
    delete env.INTRINSIC_HOME;
    mkdirSync(at('templates')); // of something else
    const page = () => readFileSync(at('installed.html'), 'utf8');
    // Where this may be done the source is out of reach.
    const hidden = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none "$1" && cd "$2" && shift 2 && exec "$@"', 'sh', root, dir, program, 'rate', `--report=${at('installed.html')}`, ...args],
        { encoding: 'utf8', env });
    if (!/unshare|mount/.test(hidden.stderr)) {
        assert.equal(hidden.status, 0, hidden.stderr);
        assert.match(page(), /<h1>anna, 20 games/);
    }
    for (const [by, from] of [[program, dir], [program, '/'], [intrinsic, dir]]) {
        rmSync(at('installed.html'), { force: true });
        const { status, stderr } = rate([`--report=${at('installed.html')}`, ...args], { program: by, cwd: from, env });
        assert.equal(status, 0, stderr);
        assert.match(page(), /<h1>anna, 20 games/);
    }
    rmSync(at('stage/opt/x/share'), { recursive: true });
    const { status, stderr } = rate([`--report=${at('alone.html')}`, ...args], { program, cwd: dir, env });
    assert.equal(status, 1);
    assert.match(stderr, /--report: no \.\/templates\/pages\/report\.html, and no share\/intrinsic beside the program's folder: INTRINSIC_HOME/);
});
