/** A whole installation on this machine: two PostgreSQL that replace each other, a pooler, a proxy, two API and two worker processes. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { makeWorkshop } from '../../bench/world.ts';
import { childEnvironment } from '../../test/harness/child.ts';
import { run } from '../test/run.ts';
import { clearFolder } from './folder.ts';
import { type Member, memberOf } from './member.ts';
import { choosePlaces, type Node, type Places, urlOf } from './places.ts';
import { etcdOf, haproxyOf, patroniOf, pgbouncerOf, roleOf } from './servers.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const pitlane = root('bin/pitlane.mjs');

export interface Cluster {
  readonly places: Places;
  /** Where partners come in. */
  readonly url: string;
  readonly world: Awaited<ReturnType<typeof makeWorkshop>>;
  /** To the leader itself. */
  readonly db: Database;
  /** Two API processes, then two workers. */
  readonly processes: readonly Member[];
  /** Patroni of each node, with its PostgreSQL. */
  readonly databases: readonly { readonly node: Node; readonly patroni: Member }[];
  readonly others: readonly Member[];
  /** The node that leads, once the other follows with every commit. Throws after a minute. */
  untilSafe(): Promise<{ readonly leader: Node; readonly follower: Node }>;
  /** Ends everything in order and removes the folder. */
  stop(): Promise<void>;
}

/** Starts it; `settings` are those of the Pitlane processes beside their addresses. Throws, with everything ended, when it can't. */
export async function startCluster(
  settings: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Cluster> {
  const places = await choosePlaces();
  const { folder } = places;
  const guard = spawn(process.execPath, [root('bin/run.mjs'), root('scripts/cluster/guard.ts'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const guardEnded = once(guard, 'exit');
  const started: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end().catch(() => undefined);
    guard.stdin.end();
    await guardEnded;
    await clearFolder(folder);
  };
  const start = async (...members: Member[]) => {
    started.push(() => Promise.all(members.map((member) => member.stop())));
    await Promise.all(members.map((member) => member.start()));
  };
  try {
    const etcd = etcdOf(places);
    const databases = places.nodes.map((node) => ({ node, patroni: patroniOf(places, node) }));
    const [haproxy, pgbouncer] = [haproxyOf(places), pgbouncerOf(places)];
    say('etcd, Patroni and PostgreSQL start, HAProxy and PgBouncer before them …');
    await start(etcd);
    for (const { patroni } of databases) await start(patroni);
    await start(haproxy, pgbouncer);
    await makeDatabase(places);
    const env = environmentOf(places, settings);
    const migrated = await run(process.execPath, [pitlane, 'migrate'], { env: childEnvironment(env) });
    if (migrated.code !== 0) throw new Error(`pitlane migrate: ${migrated.output}`);
    const db = openDatabase({
      url: urlOf(places, 'leader', 'pitlane'),
      poolSize: 2,
      applicationName: 'cluster',
    });
    started.push(() => db.close());
    const world = await makeWorkshop(db, systemClock());
    say('Pitlane starts …');
    const processes = [
      ...places.apiPorts.map((port, at) => processOf(places, env, `api${at + 1}`, port)),
      ...[1, 2].map((at) => processOf(places, env, `worker${at}`, null)),
    ];
    await start(...processes);
    const url = `http://127.0.0.1:${places.proxyPort}`;
    await untilServed(url);
    return {
      ...{ places, world, db, processes, databases, others: [etcd, haproxy, pgbouncer], stop },
      url,
      untilSafe: () => untilSafe(places),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(places: Places, settings: Readonly<Record<string, string>>) {
  return {
    DATABASE_URL: urlOf(places, 'pooler', 'pitlane'),
    DATABASE_DIRECT_URL: urlOf(places, 'leader', 'pitlane'),
    DATABASE_REPLICA_URL: urlOf(places, 'replica', 'pitlane'),
    PITLANE_SECRET_KEY: randomBytes(32).toString('hex'),
    PITLANE_PUBLIC_URL: `http://127.0.0.1:${places.proxyPort}`,
    PITLANE_DATA_DIR: join(places.folder, 'pitlane'),
    PITLANE_DEMO: 'off',
    TRUST_PROXY: 'loopback',
    LOG_FORMAT: 'json',
    ...settings,
  };
}

function processOf(
  places: Places,
  env: Readonly<Record<string, string>>,
  name: string,
  port: number | null,
): Member {
  const role = port === null ? ['--role', 'worker'] : ['--role', 'api', '--port', String(port)];
  return memberOf({
    name,
    command: process.execPath,
    args: ['--max-semi-space-size=8', pitlane, 'serve', ...role],
    env: childEnvironment({ MALLOC_ARENA_MAX: '1', ...env }),
    ids: {},
    log: join(places.folder, `${name}.log`),
    ready: (logged) => /"(?:Pitlane is ready|the worker runs)/.test(logged),
  });
}

/** The role and the database of `docs/operations/running.md`, and what `docs/operations/cluster.md` gives the role for the replica. */
async function makeDatabase(places: Places): Promise<void> {
  await untilSafe(places);
  const admin = openDatabase({
    url: urlOf(places, 'leader', 'postgres'),
    poolSize: 1,
    applicationName: 'cluster',
  });
  try {
    await admin.pool.query(`CREATE ROLE pitlane LOGIN PASSWORD '${places.password}'`);
    await admin.pool.query('GRANT pg_read_all_stats TO pitlane');
    await admin.pool.query(`CREATE DATABASE pitlane OWNER pitlane ENCODING 'UTF8' TEMPLATE template0`);
  } finally {
    await admin.close();
  }
}

/** The proxy looks for its servers once a second. */
async function untilServed(url: string): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  for (;;) {
    const response = await fetch(`${url}/docs`);
    await response.body?.cancel();
    if (response.status < 500) return;
    if (deadline.aborted) throw new Error(`after 30 s the proxy still answers ${response.status}`);
    await pause(100);
  }
}

async function untilSafe({ nodes }: Places): Promise<{ leader: Node; follower: Node }> {
  const deadline = AbortSignal.timeout(90_000);
  for (;;) {
    const roles = await Promise.all(nodes.map(roleOf));
    const leader = nodes[roles.indexOf('leads')];
    const follower = nodes[roles.indexOf('follows')];
    if (leader !== undefined && follower !== undefined) return { leader, follower };
    if (deadline.aborted) {
      throw new Error(
        `after 90 s no leader has a follower with every commit: ${nodes.map(({ name }, at) => `${name} ${roles[at]}`).join(', ')}`,
      );
    }
    await pause(100);
  }
}
