// A program as a user would write it, with the types that openapi-typescript makes of /openapi.json.
import type { paths } from './api';

type Get<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never;
type Params<P extends keyof paths> = Get<P> extends { parameters: infer Q } ? Q : never;
type Answer<P extends keyof paths> = Get<P> extends
    { responses: { 200: { content: { 'application/json': infer T } } } } ? T : never;

async function get<P extends keyof paths>(base: string, path: P,
    at: Pick<Params<P>, Extract<keyof Params<P>, 'path' | 'query'>>): Promise<Answer<P>> {
    const { path: ids = {}, query = {} } = at as { path?: object, query?: object };
    const filled = Object.entries(ids).reduce((to, [k, v]) => to.replace(`{${k}}`, String(v)), path as string);
    const reply = await fetch(`${base}${filled}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`);
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
    return reply.json();
}

export async function rating(base: string, player: number, year: number): Promise<string> {
    const { ipr, player: who } = await get(base, '/api/v1/players/{player}/ratings', { path: { player }, query: { year } });
    if (ipr?.estimate == null || ipr.interval?.low == null || ipr.interval.high == null)
        return `${who.name} ${year}: ${ipr?.reason ?? 'no rating'}`;
    const [estimate, low, high] = [ipr.estimate, ipr.interval.low, ipr.interval.high].map(Math.round);
    return `${who.name} ${year}: ${estimate} (${low} to ${high})`;
}
