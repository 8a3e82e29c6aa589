// A program as a user would write it: openapi-fetch with the types that openapi-typescript makes of /openapi.json.
import createClient from 'openapi-fetch';
import type { paths } from './api';

/** The first player of that name and his year, in words; of a list and an answer with a path. */
export async function rating(base: string, name: string, year: number): Promise<string> {
    const client = createClient<paths>({ baseUrl: base });
    const found = await client.GET('/api/v1/players', { params: { query: { q: name, limit: 1 } } });
    if (found.error) throw new Error(found.error.detail ?? found.error.title);
    const [player] = found.data.players;
    if (player === undefined) return `nobody is called ${name}`;
    const { data, error } = await client.GET('/api/v1/players/{player}/ratings',
        { params: { path: { player: player.id }, query: { year } } });
    if (error) throw new Error(error.detail ?? error.title);
    const { ipr } = data;
    if (ipr?.estimate == null || ipr.interval?.low == null || ipr.interval.high == null)
        return `${data.player.name} ${year}: ${ipr?.reason ?? 'no rating'}`;
    const [estimate, low, high] = [ipr.estimate, ipr.interval.low, ipr.interval.high].map(Math.round);
    return `${data.player.name} ${year}: ${estimate} (${low} to ${high})`;
}

/** What a write and a game answer: their members have types, too. */
export async function counted(base: string, pgn: string, game: number): Promise<[number, string]> {
    const client = createClient<paths>({ baseUrl: base });
    const rated = await client.POST('/api/v1/rate', { params: { query: { by: 'game' } }, body: pgn,
        headers: { 'content-type': 'application/x-chess-pgn' }, bodySerializer: (text) => text });
    if (rated.error) throw new Error(rated.error.detail ?? rated.error.title);
    const { data, error } = await client.GET('/api/v1/games/{game}', { params: { path: { game } } });
    if (error) throw new Error(error.detail ?? error.title);
    return [rated.data.rows.length, data.white.name];
}
