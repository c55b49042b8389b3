/** A real PgBouncer on a free loopback port, which lends sessions by the transaction. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts, listens } from './ports.ts';
import { scratchFolder } from './scratch.ts';
import { until } from './wait.ts';

/** The sample that operators begin with. */
const sample = new URL('../../deploy/pgbouncer.ini', import.meta.url);

export interface PgBouncer {
  /** The address of a database through the pooler, from its own. */
  through(url: string): string;
  /** Makes its connections to PostgreSQL again, as they come back: what an operator does after a migration. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** Before the server of `url`, for all its databases, with that number of sessions for each; `settings` are PgBouncer's. */
export async function runPgBouncer(
  program: string,
  url: string,
  sessions: number,
  settings: Readonly<Record<string, number>> = {},
): Promise<PgBouncer> {
  const server = new URL(url);
  const socket = decodeURIComponent(server.hostname);
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(join(scratchFolder(), `pitlane-pgbouncer-${process.pid}-`));
  const users = [decodeURIComponent(server.username), 'pitlane_test'];
  const password = decodeURIComponent(server.password);
  await writeFile(join(folder, 'users'), users.map((user) => `"${user}" "${password}"\n`).join(''));
  const changed = {
    listen_port: port,
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    default_pool_size: sessions,
    unix_socket_dir: '',
    server_idle_timeout: 5,
    ...settings,
  };
  const lines = Object.entries(changed).map(([name, value]) => `${name} = ${value}\n`);
  // What comes later in the file holds.
  const database = `* = host=${socket} port=${server.port || 5432}`;
  const ini = readFileSync(sample, 'utf8').replace(/^pitlane = .*$/m, database) + lines.join('');
  await writeFile(join(folder, 'pgbouncer.ini'), ini);
  await chmod(folder, 0o755);
  // It refuses to run as root; whoever owns PostgreSQL's socket may enter its folder.
  const { uid, gid } = await stat(join(socket, `.s.PGSQL.${server.port || 5432}`));
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  const exited = once(child, 'exit');
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  await until('PgBouncer listens', () => listens(port));
  const through = (own: string) => {
    const address = new URL(own);
    address.host = `127.0.0.1:${port}`;
    return address.href;
  };
  return {
    through,
    async reconnect() {
      const console = new URL(through(url));
      console.pathname = 'pgbouncer';
      const client = new pg.Client({ connectionString: console.href });
      await client.connect();
      try {
        await client.query('RECONNECT');
      } finally {
        await client.end();
      }
    },
    stop,
  };
}
