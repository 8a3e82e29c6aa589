// nginx and Caddy in front of the service, as docs/deployment.md has them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, until } from './lib.mjs';

export const name = 'chess.localhost'; // browsers take it for this machine, the service does not

export async function freePort() {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');
    return port;
}

export function folder(t) {
    const made = mkdtempSync(path.join(tmpdir(), 'intrinsic-proxy-'));
    t.after(() => rmSync(made, { recursive: true, force: true }));
    return made;
}

/** The one block of that language in the document. */
export function recipe(language) {
    const text = readFileSync(path.join(root, 'docs/deployment.md'), 'utf8');
    return new RegExp('```' + language + '\\n([^`]*)```').exec(text)[1];
}

export function certificate(dir) {
    const [cert, key] = ['cert.pem', 'key.pem'].map((file) => path.join(dir, file));
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1',
        '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`,
        '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { cert, key };
}

/** Started until it listens on the port; stopped when the test ends. */
async function start(t, port, command, args, env = {}) {
    const child = spawn(command, args, { env: { ...process.env, ...env } });
    let said = '';
    child.stderr.on('data', (d) => { said += d; });
    child.on('error', (e) => { said += e; });
    t.after(async () => {
        if (child.exitCode === null && child.pid !== undefined) {
            child.kill('SIGTERM');
            await once(child, 'close');
        }
    });
    await until(`${command} listens`, () => new Promise((resolve, reject) => {
        if (child.exitCode !== null || child.pid === undefined) reject(new Error(`${command}: ${said}`));
        net.connect(port, '127.0.0.1').on('connect', function () { this.end(); resolve(true); })
            .on('error', () => resolve(false));
    }), 20);
}

/** nginx with these blocks of `http`, listening on `port`. */
export async function nginx(t, port, blocks) {
    const dir = folder(t), own = process.getuid() === 0 ? 'user root;' : '';
    writeFileSync(path.join(dir, 'nginx.conf'), `${own} daemon off; worker_processes 1;
        pid ${dir}/pid; error_log stderr warn; events {}
        http { access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy;
        fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
        ${blocks} }`);
    await start(t, port, '/usr/sbin/nginx', ['-p', dir, '-c', path.join(dir, 'nginx.conf'), '-e', 'stderr']);
}

export async function nginxRecipe(t, port, upstream) {
    const { cert, key } = certificate(folder(t)), plain = await freePort();
    await nginx(t, port, recipe('nginx').replace('127.0.0.1:8080', upstream)
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
        .replaceAll('chess.example', name));
}

export async function caddyRecipe(t, port, upstream) {
    const dir = folder(t), { cert, key } = certificate(dir), file = path.join(dir, 'Caddyfile');
    writeFileSync(file, `{\n admin off\n auto_https disable_redirects\n}\n${recipe('caddy')
        .replace('chess.example {', `${name}:${port} {\n    bind 127.0.0.1\n    tls ${cert} ${key}`)
        .replace('127.0.0.1:8080', upstream)}`);
    await start(t, port, '/usr/bin/caddy', ['run', '--config', file, '--adapter', 'caddyfile'],
        { XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir, HOME: dir });
}

/** A request through the proxy: {status, headers, text}; `first`: only what comes first. */
export function ask(port, method, target, headers = {}, body = '', first = false) {
    return new Promise((resolve, reject) => {
        const request = https.request({ host: '127.0.0.1', port, servername: name, method, path: target,
            rejectUnauthorized: false, agent: false,
            headers: { host: `${name}:${port}`, 'content-length': Buffer.byteLength(body), ...headers } }, (reply) => {
            let text = '';
            const end = () => { resolve({ status: reply.statusCode, headers: reply.headers, text }); request.destroy(); };
            reply.setEncoding('utf8');
            reply.on('data', (d) => { text += d; if (first && text.includes('\n\n')) end(); });
            reply.on('end', end);
        });
        request.on('error', reject);
        request.setTimeout(30000, () => request.destroy(new Error(`${target}: nothing in 30 s`)));
        request.end(body);
    });
}
