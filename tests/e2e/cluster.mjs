// What the tests of faults break: a PostgreSQL server of their own, workers, and the network
// between them.
import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from
    'node:fs';
import path from 'node:path';
import { environment, intrinsic, root } from './lib.mjs';

/** A throw-away server: `url` of its postgres database through the socket, and how to stop it. */
export async function ownServer(t, extra = {}) {
    const child = spawn(path.join(root, 'tests/support/with_pg.sh'),
        ['sh', '-c', 'echo "$INTRINSIC_TEST_PG"; cat'],
        { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...extra } });
    const url = await new Promise((resolve, reject) => {
        child.stdout.once('data', (d) => resolve(String(d).trim()));
        child.once('close', (code) => reject(new Error(`with_pg.sh ended with ${code}`)));
    });
    t.after(async () => {
        child.stdin.end();
        await once(child, 'close');
    });
    const dir = /host=(\S+)/.exec(url)[1], data = path.join(dir, 'data');
    const bin = execFileSync('sh', ['-c',
        'find /usr/lib/postgresql/*/bin -maxdepth 0 | sort -V | tail -n 1'], { encoding: 'utf8' }).trim();
    const owner = statSync(data).uid;
    const as = process.getuid() === owner ? [] : ['setpriv', `--reuid=${owner}`,
        `--regid=${statSync(data).gid}`, '--clear-groups'];
    const control = (...args) => {
        const [program, ...rest] = [...as, path.join(bin, 'pg_ctl'), '-D', data, '-w', '-t', '60',
            '-l', path.join(dir, 'server.log'), ...args];
        execFileSync(program, rest, { cwd: '/', stdio: 'ignore' });
    };
    const postmaster = () => Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const server = {
        url, dir, bin, as,
        /** Starts it without waiting until it accepts connections. */
        begin: () => control('-W', 'start'),
        /** Its process that recovers what a crash has left, or undefined. */
        recovering: () => {
            try {
                return children(postmaster()).map(([pid]) => pid)
                    .find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('startup'));
            } catch {
                return undefined; // it has ended, or does not run
            }
        },
        stop: (mode) => control('-m', mode, 'stop'),
        start: () => control('start'),
        /** The postmaster alone; its backends notice it. */
        kill: () => process.kill(postmaster(), 'SIGKILL'),
        configure: (lines) => {
            appendFileSync(path.join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
            control('-m', 'fast', 'restart');
        },
        /** From now on also by TCP, for the hosts made here. */
        listen: () => {
            appendFileSync(path.join(data, 'pg_hba.conf'), 'host all all 10.213.0.0/16 trust\n');
            server.configure(["listen_addresses = '0.0.0.0'"]);
        },
    };
    return server;
}

/** A streaming replica of a server of ownServer, in the folder `dir`, where its socket is, too. */
export function replicaOf(t, server) {
    const dir = mkdtempSync('/tmp/intrinsic-replica.'), data = path.join(dir, 'data');
    chmodSync(dir, 0o711);
    if (server.as.length > 0)
        execFileSync('chown', [`--reference=${server.dir}/data`, dir]);
    const as = (program, ...args) => {
        const [first, ...rest] = [...server.as, path.join(server.bin, program), ...args];
        execFileSync(first, rest, { cwd: '/', stdio: 'ignore' });
    };
    as('pg_basebackup', '-d', server.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
    appendFileSync(path.join(data, 'postgresql.conf'), `unix_socket_directories = '${dir}'\n`);
    const control = (...args) =>
        as('pg_ctl', '-D', data, '-w', '-t', '60', '-l', path.join(dir, 'server.log'), ...args);
    const postmaster = () =>
        Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    control('start');
    t.after(() => {
        try { control('-m', 'immediate', 'stop'); } catch { /* it is stopped */ }
        rmSync(dir, { recursive: true });
    });
    return { dir, stop: (mode) => control('-m', mode, 'stop'), start: () => control('start'),
        processes: () => [postmaster(), ...children(postmaster()).map(([pid]) => pid)] };
}

/** Processes that one has started: [pid, name]. */
export function children(pid) {
    return readdirSync('/proc').filter((n) => /^\d+$/.test(n)).flatMap((n) => {
        try {
            const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${n}/stat`, 'utf8'));
            return Number(parent) === pid ? [[Number(n), name]] : [];
        } catch {
            return []; // it has ended
        }
    });
}

/** What a process holds: descriptors, and resident memory in KiB. */
export function held(pid) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { descriptors: readdirSync(`/proc/${pid}/fd`).length,
        kib: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) };
}

/** `intrinsic worker`, optionally in a network namespace. */
export function worker(t, url, { settings = {}, inside = '' } = {}) {
    const command = [...(inside ? ['ip', 'netns', 'exec', inside] : []), intrinsic, 'worker'];
    const child = spawn(command[0], command.slice(1), { cwd: root,
        stdio: ['ignore', 'inherit', 'pipe'],
        env: environment(url, { INTRINSIC_WORKERS: '1', INTRINSIC_LEASE_S: '2', ...settings }) });
    let log = '';
    child.stderr.on('data', (d) => { log += d; });
    const gone = () => child.exitCode !== null || child.signalCode !== null;
    const end = async (signal) => {
        if (!gone()) {
            const closed = once(child, 'exit');
            child.kill('SIGCONT');
            child.kill(signal);
            await closed;
        }
        return child.exitCode;
    };
    t.after(() => end('SIGKILL'));
    return { pid: child.pid, log: () => log, gone, end, signal: (s) => child.kill(s) };
}

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** Whether network namespaces may be made here. */
export function namespacesWork() {
    const name = `ipr${process.pid}try`;
    try {
        ip('netns', 'add', name);
        ip('netns', 'exec', name, 'true');
        return true;
    } catch {
        return false;
    } finally {
        try { ip('netns', 'delete', name); } catch { /* it is not there */ }
    }
}

/** A host of its own, by one wire to this one: its `name`, addresses, and the wire to cut. */
export function host(t, number) {
    const name = `ipr${process.pid}n${number}`, wire = `ipr${process.pid % 100000}w${number}`;
    const here = `10.213.${number}.1`, there = `10.213.${number}.2`;
    ip('netns', 'add', name);
    t.after(() => ip('netns', 'delete', name)); // and with it both ends of the wire
    ip('link', 'add', wire, 'type', 'veth', 'peer', 'name', 'wire', 'netns', name);
    ip('address', 'add', `${here}/24`, 'dev', wire);
    ip('link', 'set', wire, 'up');
    ip('-n', name, 'address', 'add', `${there}/24`, 'dev', 'wire');
    ip('-n', name, 'link', 'set', 'wire', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    return { name, here, cut: () => ip('link', 'set', wire, 'down'),
        mend: () => ip('link', 'set', wire, 'up') };
}
