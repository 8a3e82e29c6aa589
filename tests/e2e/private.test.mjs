// A private upload is found by its address alone: nothing else shows a name of it, and it changes nothing that is listed. Its
// owner deletes it.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { close, context, launch, visit } from './browser.mjs';
import { shortGames } from './games.mjs';
import { forms, games as ownGames } from './own_games.mjs';
import { attempt, freshDatabase, root, run, serve, sql, until } from './lib.mjs';
import { sampledDatabase, patterns } from './sampled.mjs';
import { strip } from '../support/strip_evals.mjs';

const name = 'Zyxwvutski', cleanups = [];
const nobody = 1999999999; // is beyond all listed ids, and of nothing
let url, site, upload, admin, games;

/** Games of the samples, with their evaluations: some as they are, some of a player whom nobody knows. */
function sent() {
    const lines = spawnSync('zstd', ['-dcq', path.join(root, 'static/samples/rating.ndjson.zst')], { maxBuffer: 1 << 28 })
        .stdout.toString().split('\n').filter((line) => line.includes('"1972.')).slice(0, 12).map((line) => JSON.parse(line));
    return lines.map((game, i) => strip(i < 3 ? game : { ...game, tags: { ...game.tags, Event: `${name} Memorial`, Date: `1972.11.0${1 + i % 9}`,
        White: i % 2 ? game.tags.White : `${name}, Quo`, Black: i % 2 ? `${name}, Quo` : game.tags.Black } })).join('');
}

before(async () => {
    const ends = { after: (f) => cleanups.unshift(f) };
    url = await sampledDatabase(ends);
    upload = run(['token', 'create', '--scopes=upload', 'visitor'], url).trim();
    admin = run(['token', 'create', '--scopes=admin,upload', 'operator'], url).trim();
    games = sent();
    site = await serve(ends, url, { INTRINSIC_UPLOADS: 'private', INTRINSIC_WORKERS: '1', INTRINSIC_JUDGE: 'quick' });
    await launch();
});
after(async () => {
    await close();
    for (const f of cleanups) await f();
});

const bearer = (token) => ({ authorization: `Bearer ${token}` });
const get = (address, headers = {}) => site.get(address, { headers, redirect: 'manual' });
const text = async (address, headers) => (await get(address, headers)).text();

/** All addresses of the API and all pages that need no id, and of each those by an id. */
const resources = [...readFileSync(path.join(root, 'server/resources.def'), 'utf8').matchAll(/^\s+(?:get|page) (\/\S*)/gm)].map(([, at]) => at);
const lists = resources.filter((at) => !at.includes('{') && !/stream|events$/.test(at));
assert.ok(lists.length > 40 && resources.length > 80 && patterns.length > 30);

/** What a visitor reads without any id, as searches for the name, too. */
const searched = [...lists, ...lists.map((at) => `${at}?q=${name.slice(0, -2)}`), ...lists.map((at) => `${at}?limit=100`), ...lists.map((at) => `${at}?sort=-date`),
    '/api/v1/players?q=zyx', '/players?sort=-moves', '/players?sort=name', '/api/v1/players?sort=-name&limit=500', '/api/v1/players.csv', '/api/v1/games.ndjson',
    '/api/v1/player-years.csv', '/api/v1/uploads?limit=500', '/api/v1/events?q=memorial', '/api/v1/games?year=1972&limit=500', '/search?q=memorial',
    '/api/v1/games?sort=-id&limit=100'];

/** Of these, those that nothing but the store changes: byte for byte. */
const lasting = lists.filter((at) => /^\/api/.test(at) && !/dashboard|uploads|queue|status|metrics|audit|workers|fishnet|ready|health/.test(at))
    .concat(['/api/v1/players?limit=500', '/api/v1/player-years?limit=500', '/api/v1/events?limit=500', '/api/v1/games?limit=500', '/api/v1/games?sort=-date',
        '/api/v1/players?q=fischer', '/api/v1/players.csv']);
const snapshot = async () => Object.fromEntries(await Promise.all(lasting.map(async (at) => [at, (await text(at)).replace(/"request_id":"\w+"/, '')])));
/* IPRs are computed a few a visit: an answer in which some were missing is another one next time. */
const unlike = async (before) => Object.entries(await snapshot()).filter(([at, body]) => body !== before[at] && !before[at].includes('"pending":true')).map(([at]) => at);

/** Tables whose rows lists and ratings are made of, as strangers' sessions see them. */
const stored = () => sql(url, `SET search_path = listed, public;
    SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM player AS t; SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM event AS t;
    SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM player_year AS t; SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM player_total AS t;
    SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM player_games AS t WHERE games > 0; SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM listed_year AS t;
    SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM judge_total AS t; SELECT sum(transactions) FROM game_change;
    SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM surname AS t; SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM spelling AS t`);

test('nothing shows or counts a private upload, its address shows all of it, and its owner deletes it', async (t) => {
    // One listed game makes the engine setting known.
    const first = await (await site.post(shortGames(1), '?listed=true', bearer(admin))).json();
    await until('it is analysed', async () => (await (await get(`/api/v1/uploads/${first.id}`)).json()).done);
    let before;
    await until('all reports are kept, and listed so', async () => {
        before = await snapshot();
        return !/"state":"(wanted|computing)"/.test(JSON.stringify(before).replaceAll('\\', '')) && (await unlike(before)).length === 0;
    });
    const rows = stored();
    const answer = await site.post(games, '', bearer(upload));
    assert.equal(answer.status, 202, await answer.clone().text());
    const { id, key, owner_key: owner, imported, duplicate } = await answer.json();
    assert.match(key, /^[0-9a-f]{32}$/);
    assert.match(owner, /^[0-9a-f]{32}$/);
    assert.equal(answer.headers.get('location'), `/api/v1/uploads/${key}`);
    assert.match(answer.headers.get('set-cookie'), new RegExp(`^intrinsic_uploads=${owner}~; Path=/; .*HttpOnly; SameSite=Lax$`));
    assert.deepEqual([imported, duplicate], [12, 0], 'listed games are no duplicates of it');
    await until('it is analysed', async () => (await (await get(`/api/v1/uploads/${key}`)).json()).done);

    const known = { 'upload-key': key };
    const mine = await (await get(`/api/v1/uploads/${id}`, known)).json();
    const player = mine.players.find(({ player: { name: of } }) => of.startsWith(name)).player.id;
    const list = (await (await get(`/api/v1/games?player=${player}`, known)).json()).games;
    assert.equal(list.length, 9);
    const [{ id: game, event_id: event }] = list;
    assert.ok([id, player, game, event].every((one) => one >= 1e9), `${[id, player, game, event]}`);
    const ids = { player, game, event, upload: id };

    await t.test('it changes nothing that is listed', async () => {
        assert.deepEqual(await unlike(before), []);
        assert.equal(stored(), rows);
    });

    await t.test('no list, ranking, search or export has a name of it', async () => {
        for (const at of searched)
            assert.ok(!(await text(at)).includes(name) && !(await text(at, { accept: 'text/html' })).includes(name), at);
        for (const args of [['export', '--format=pgn'], ['export']])
            assert.ok(!(await attempt(args, url)).stdout.includes(name), args.join(' '));
    });

    await t.test('an address by one of its ids is as one by an id of nothing', async () => {
        const others = Object.fromEntries(Object.keys(ids).map((of) => [of, of === 'game' ? 99999999999 : nobody]));
        const at = (pattern, by) => pattern.replaceAll(/\{(\w+)\}/g, (whole, of) => by[of] ?? (of === 'year' ? 1972 : 'standard'));
        const queries = ['player', 'event', 'game', 'upload'].flatMap((of) => resources.filter((one) => !one.includes('{'))
            .map((one) => `${one}?${of}={${of}}`)).concat(['/compare?white={player}:1972&black=1:1972', '/api/v1/compare?white={player}:1972&black=1:1972',
            '/careers?set={player}', '/api/v1/careers?set={player}', '/api/v1/careers?set=1:1972,upload={upload}', '/api/v1/games?opponent={player}&player=1']);
        const plain = (body, by) => Object.values(by).reduce((all, one) => all.replaceAll(String(one), 'ID'), body)
            .replaceAll(/"request_id": ?"\w+"|[0-9a-f]{16}|\d\d:\d\d:\d\d(\.\d+)?|"(age_|seconds|ms).*?,/g, '');
        for (const pattern of [...resources.filter((one) => /\{(player|event|game|upload)\}/.test(one)), ...queries])
            for (const accept of ['application/json', 'text/html', 'text/csv']) {
                const [theirs, none] = await Promise.all([ids, others].map(async (by) => {
                    const stop = new AbortController(), reply = await site.get(at(pattern, by), { headers: { accept }, signal: stop.signal, redirect: 'manual' });
                    const streams = reply.headers.get('content-type')?.startsWith('text/event-stream');
                    const body = streams ? 'stream' : await reply.text();
                    stop.abort();
                    assert.ok(!body.includes(name), `${accept} ${at(pattern, by)}`);
                    return [reply.status, reply.headers.get('cache-control'), streams ? '' : plain(body, by)];
                }));
                assert.deepEqual(theirs, none, `${accept} ${at(pattern, ids)}`);
                if (/^\/(players|events|games|uploads)\/\{\w+\}$/.test(pattern)) assert.equal(theirs[0], 404, pattern);
            }
        assert.equal((await get(`/uploads/${'0'.repeat(32)}`)).status, 404);
    });

    await t.test('with its address a browser follows every link, and without it none', async () => {
        const friend = await context(), stranger = await context();
        t.after(() => Promise.all([friend.close(), stranger.close()]));
        const { page, status, complaints } = await visit(friend, `${site.base}/uploads/${key}`);
        assert.deepEqual([status, complaints], [200, []]);
        assert.match(await page.textContent('body'), /This page is private/);
        assert.doesNotMatch(await page.textContent('body'), /can delete them below/);
        const links = new Set([`/api/v1/games/${game}`, `/api/v1/games/${game}.pgn`, `/api/v1/players/${player}.csv`,
            `/api/v1/events/${event}`, `/players/${player}`, `/events/${event}`]);
        for (const from of [`/uploads/${key}`, `/players/${player}`, `/games/${game}`, `/events/${event}`]) {
            await page.goto(site.base + from);
            for (const href of await page.$$eval('a[href^="/"]', (all) => all.map((a) => a.getAttribute('href')))) if (/\d{10}/.test(href)) links.add(href);
        }
        assert.ok(links.size > 12, [...links].join(' '));
        const wrong = [];
        for (const link of links) {
            const [seen, unseen] = await Promise.all([friend, stranger].map((one) => one.request.get(site.base + (one === stranger ? link.replace(key, id) : link), { maxRedirects: 2 })));
            if (![200, 204].includes(seen.status()) || !/no-store/.test(seen.headers()['cache-control'])) wrong.push(`${seen.status()} ${link}`);
            if ((await unseen.text()).includes(name)) wrong.push(`a stranger: ${unseen.status()} ${link}`);
        }
        assert.deepEqual(wrong, []);
        const shown = await friend.request.get(`${site.base}/uploads/${key}`);
        assert.equal(shown.headers()['x-robots-tag'], 'noindex');
        assert.equal(shown.headers()['referrer-policy'], 'same-origin');
        const events = new AbortController(), stream = await site.get(`/api/v1/uploads/${key}/events`, { signal: events.signal });
        assert.equal(stream.status, 200);
        events.abort();
    });

    await t.test('who has the address alone cannot delete; nor does a key of another upload help', async () => {
        const remove = (headers) => fetch(`${site.base}/api/v1/uploads/${id}`, { method: 'DELETE', headers });
        assert.equal((await remove({})).status, 401);
        assert.equal((await remove(known)).status, 401);
        assert.equal((await remove({ ...known, ...bearer(upload) })).status, 403);
        const other = await (await site.post(games, '?analyse=false', bearer(upload))).json();
        assert.deepEqual([other.imported, other.duplicate], [12, 0], 'nor of another private upload');
        assert.equal((await remove({ 'upload-key': other.owner_key })).status, 401);
        assert.equal((await get(`/api/v1/uploads/${id}`, { 'upload-key': other.owner_key })).status, 404);
        assert.equal((await get(`/api/v1/players/${player}`, { 'upload-key': other.key })).status, 404);
        // The operator sees and deletes all.
        assert.equal((await get('/api/v1/uploads?all=true')).status, 401);
        assert.equal((await get('/api/v1/uploads?all=true', bearer(upload))).status, 403);
        const all = (await (await get('/api/v1/uploads?all=true', bearer(admin))).json()).uploads.map((one) => one.id);
        assert.ok(all.includes(id) && all.includes(other.id));
        assert.equal((await fetch(`${site.base}/api/v1/uploads/${other.id}`, { method: 'DELETE', headers: bearer(admin) })).status, 200);
        assert.equal((await get(`/uploads/${other.key}`)).status, 404);
    });

    await t.test('its owner deletes it, and nothing remains', async () => {
        const own = await context();
        t.after(() => own.close());
        await own.addCookies([{ name: 'intrinsic_uploads', value: owner, url: site.base }]);
        const { page } = await visit(own, `${site.base}/uploads/${key}`);
        assert.match(await page.textContent('body'), /can delete them below/);
        // The browser finds it again: from the list of its own, and from each of its games.
        const { page: list } = await visit(own, `${site.base}/uploads`);
        assert.ok(!(await list.isVisible('#deleted')));
        await list.click('#own a');
        await list.waitForURL(`${site.base}/uploads/${key}`);
        await list.click('a[href*="/games/"]');
        await list.click('p.crumb a:has-text("Your games")');
        await list.waitForURL(`${site.base}/uploads/${key}`);
        await page.click('details.split summary');
        await page.click('details.split button');
        await page.waitForURL(`${site.base}/uploads#deleted`);
        assert.match(await page.innerText('#deleted'), /Deleted/);
        assert.ok(!(await page.isVisible('#own')));
        assert.equal((await get(`/uploads/${key}`, { 'upload-key': owner })).status, 404);
        assert.equal(sql(url, `SELECT (SELECT count(*) FROM game WHERE id >= 1000000000) + (SELECT count(*) FROM player WHERE id >= 1000000000)
            + (SELECT count(*) FROM event WHERE id >= 1000000000) + (SELECT count(*) FROM upload WHERE id >= 1000000000)
            + (SELECT count(*) FROM spelling WHERE player_id >= 1000000000) + (SELECT count(*) FROM player_year WHERE player_id >= 1000000000)
            + (SELECT count(*) FROM job)`), '0');
        assert.deepEqual(await unlike(before), []);
        assert.equal(stored(), rows);
    });
    assert.ok(!site.log().includes(key) && !site.log().includes(owner), 'the log has no key');
    assert.doesNotMatch(site.log(), /level=(warn|error)/);
});

test('a browser uploads, keeps its page by a cookie, and an upload is listed where the operator says so', async (t) => {
    const own = freshDatabase(t), token = run(['token', 'create', '--scopes=upload', 'visitor'], own).trim();
    const chief = run(['token', 'create', '--scopes=admin,upload', 'operator'], own).trim();
    const open = await serve(t, own, { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1' });
    const browser = await context();
    t.after(() => browser.close());
    const { page } = await visit(browser, `${open.base}/`);
    assert.match(await page.textContent('body'), /Uploads are private/);
    await page.click('details.token summary');
    await page.fill('#token', token);
    await page.setInputFiles('#file', { name: 'mine.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(games) });
    await page.click('#games button');
    await page.waitForURL(/\/uploads\/[0-9a-f]{32}$/);
    assert.match(await page.textContent('body'), /can delete them below/);
    assert.deepEqual((await open.json('/api/v1/uploads')).uploads, []);
    assert.deepEqual((await open.json('/api/v1/players')).players, []);
    // Listed for all: by the administrator's token, and by the setting.
    assert.equal((await open.post(games, '?analyse=false&listed=true', bearer(token))).status, 403);
    const listed = await open.post(games, '?analyse=false&listed=true', bearer(chief));
    const { id, key, imported } = await listed.json();
    assert.deepEqual([listed.status, listed.headers.get('location'), key, imported], [202, `/api/v1/uploads/${id}`, undefined, 12]);
    assert.ok((await open.json(`/api/v1/players?q=${name}`)).players.length === 1);
    await open.stop();
    const club = await serve(t, own, { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1', INTRINSIC_UPLOADS: 'listed' });
    assert.equal((await (await club.post(games, '?analyse=false', bearer(token))).json()).duplicate, 12);
    await club.stop();
    // Evaluations in the file count at once, where they concern nobody else.
    const strict = await serve(t, own, { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1', INTRINSIC_WORKERS: '0' });
    const mine = await (await strict.post(ownGames(forms.lichess), '?analyse=false', bearer(token))).json();
    const seen = await (await strict.get(`/api/v1/uploads/${mine.key}`)).json();
    assert.deepEqual([mine.judged, seen.profile.by_file, seen.profile.games], [20, true, 20], JSON.stringify(mine));
    assert.ok(seen.profile.rating.estimate > 0);
    // Two accounts of one person are made one by who uploaded, not by who was given the address.
    const two = ownGames(forms.chess_com).split(/\n(?=\[Event )/).map((game, i) => (i < 8 ? game.replaceAll('"bert"', '"bertie"') : game)).join('\n');
    const both = await (await strict.post(two, '?analyse=false', bearer(token))).json();
    const shown = async () => (await strict.get(`/api/v1/uploads/${both.key}`)).json();
    const { profile, players } = await shown(), other = players.find(({ player: of }) => of.name === 'bertie').player.id;
    const decide = async (kind, headers, more) => (await strict.get('/api/v1/identity-changes', { method: 'POST',
        body: JSON.stringify({ kind, player: other, other: profile.player.id, name: 'X', from: 1, to: 9999, ...more }),
        headers: { 'content-type': 'application/json', ...headers } })).status;
    assert.equal(profile.games, 12);
    assert.ok([401, 403, 404].includes(await decide('merge', { 'upload-key': both.key })), 'the address alone');
    for (const kind of ['split', 'distinct', 'undo', 'aliases'])
        assert.equal(await decide(kind, { 'upload-key': both.owner_key }), 403, kind);
    // What is refused has a way back to the page.
    const rival = players.find(({ player: of }) => of.name === 'Rival15').player.id, back = `/uploads/${both.key}?player=${profile.player.id}`;
    const refused = await strict.get(`/api/v1/identity-changes?kind=merge&player=${rival}`, { method: 'POST', body: new URLSearchParams({ other: profile.player.id, back }),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', 'upload-key': both.owner_key } });
    assert.equal(refused.status, 409);
    assert.ok((await refused.text()).includes(`href="${back}">Back to the page`));
    assert.equal(await decide('merge', { 'upload-key': both.owner_key }), 200);
    assert.equal((await shown()).profile.games, 20);
    // What was said can be taken back, by the owner, and nobody else's with it.
    const [a, b] = (await strict.json('/api/v1/players')).players;
    const { id: public_ } = await (await strict.get('/api/v1/identity-changes', { method: 'POST', body: JSON.stringify({ kind: 'distinct', player: a.id, other: b.id }),
        headers: { 'content-type': 'application/json', ...bearer(chief) } })).json();
    const [said] = (await shown()).merged, hers = { 'upload-key': both.owner_key };
    assert.deepEqual([said.kind, said.player.name, said.other.id], ['merge', 'bertie', profile.player.id]);
    assert.ok([401, 403, 404].includes(await decide('undo', { 'upload-key': both.key }, { change: said.id })), 'the address alone');
    assert.equal(await decide('undo', hers, { change: said.id + 1000 }), 404);
    assert.equal(await decide('undo', hers, { change: public_ }), 404, 'a decision about listed players');
    assert.equal(await decide('undo', hers, { change: said.id, player: 1 }), 403);
    assert.equal(await decide('undo', hers, { change: said.id }), 200);
    assert.deepEqual([(await shown()).profile.games, (await shown()).merged], [12, []]);
    assert.equal(await decide('merge', hers), 200);
    assert.equal((await shown()).profile.games, 20);
    // Twenty other pages push out each other, and not the right to delete.
    let jar = `intrinsic_uploads=${both.owner_key}~`;
    for (let i = 0; i < 21; i++) {
        const { key } = await (await strict.post(ownGames(forms.club).slice(0, 700 + i), '?analyse=false', bearer(token))).json();
        const shown = await strict.get(`/uploads/${key}`, { headers: { cookie: jar, accept: 'text/html' } });
        jar = shown.headers.get('set-cookie')?.split(';')[0] ?? jar;
    }
    assert.equal(jar.split('.').length, 20);
    assert.match(await (await strict.get(`/uploads/${both.key}`, { headers: { cookie: jar, accept: 'text/html' } })).text(), /can delete them below/);
    // Its games are queued by their ids, which are beyond 32 bits, by who has its key.
    const judge = run(['token', 'create', '--scopes=judge', 'judge'], own).trim();
    const [{ id: one }] = (await (await strict.get(`/api/v1/games?player=${profile.player.id}`, { headers: { 'upload-key': both.key } })).json()).games;
    const queue = (headers) => strict.get('/api/v1/analyses', { method: 'POST', body: JSON.stringify({ games: [one], judge: 'quick' }),
        headers: { 'content-type': 'application/json', ...bearer(judge), ...headers } });
    const queued = await queue({ 'upload-key': both.owner_key });
    assert.ok(one > 2 ** 32 && queued.ok, `${one} ${await queued.clone().text()}`);
    assert.equal((await queued.json()).queued, 1);
    assert.equal((await queue({})).status, 404);
    const wrong = await attempt(['serve'], own, { INTRINSIC_UPLOADS: 'open' });
    assert.match(wrong.stderr, /INTRINSIC_UPLOADS: 'open' is not listed or private/);
});

test('where the operator allows it a visitor without a token uploads privately, and deletes it', async (t) => {
    const own = freshDatabase(t), chief = run(['token', 'create', '--scopes=admin,upload', 'operator'], own).trim();
    const site = await serve(t, own, { INTRINSIC_TRUSTED_PROXIES: '127.0.0.1', INTRINSIC_UPLOADS: 'listed', INTRINSIC_PUBLIC_UPLOADS_MB: '1', INTRINSIC_WORKERS: '0', INTRINSIC_FETCH: 'lichess' });
    const browser = await context();
    t.after(() => browser.close());
    const { page, complaints } = await visit(browser, `${site.base}/uploads`);
    assert.match(await page.textContent('main'), /Uploads are private/);
    assert.equal(await page.locator('#token').count(), 0);
    await page.setInputFiles('#file', { name: 'mine.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(games) });
    await page.click('#games button');
    await page.waitForURL(/\/uploads\/[0-9a-f]{32}$/);
    const key = page.url().slice(-32);
    assert.match(await page.textContent('body'), /This page is private/);
    assert.deepEqual((await site.json('/api/v1/uploads')).uploads, []);
    assert.deepEqual((await site.json('/api/v1/players')).players, []);
    // With a token it is as the operator says, and the same key twice is not another visitor's answer.
    assert.equal((await (await site.post(games, '?analyse=false', bearer(chief))).json()).key, undefined);
    const [first, second] = await Promise.all([0, 1].map(async () => (await site.post(games.slice(0, 900), '?analyse=false', { 'idempotency-key': '"k"' })).json()));
    assert.ok(first.key && second.key && first.key !== second.key);
    const fetched = await site.post('lichess:somebody', '?analyse=false');
    assert.deepEqual([fetched.status, (await fetched.json()).type], [401, '/problems/token_needed']);
    assert.equal((await site.post('x'.repeat(120000))).status, 429);
    await page.click('details.split summary');
    page.once('dialog', (dialog) => dialog.accept());
    await page.click('details.split button');
    await page.waitForURL(`${site.base}/uploads#deleted`);
    assert.equal((await site.get(`/uploads/${key}`)).status, 404);
    assert.match(run(['audit'], own), /visitor/);
    assert.deepEqual(complaints, []);
});
