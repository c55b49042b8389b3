/** What is where in a cluster: its folder, its ports, its passwords, and the user its servers run as. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../test/harness/ports.ts';

export interface Node {
  readonly name: string;
  readonly port: number;
  /** Of Patroni, over HTTP. */
  readonly restPort: number;
  readonly data: string;
}

export interface Places {
  readonly folder: string;
  readonly ids: { readonly uid?: number; readonly gid?: number };
  readonly etcd: { readonly client: number; readonly peer: number };
  readonly nodes: readonly [Node, Node];
  readonly apiPorts: readonly [number, number];
  /** HAProxy's doors: for partners, and to the PostgreSQL that leads. */
  readonly proxyPort: number;
  readonly leaderPort: number;
  /** HAProxy's door to the PostgreSQL that follows. */
  readonly replicaPort: number;
  readonly poolerPort: number;
  /** Of PostgreSQL's superuser and of replication. */
  readonly adminPassword: string;
  /** Of Pitlane's role. */
  readonly password: string;
}

/** Makes the folder. As root the servers run as `postgres`, which Debian's packages have made: PostgreSQL and PgBouncer refuse root. */
export async function choosePlaces(): Promise<Places> {
  const ids = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-cluster-'));
  chmodSync(folder, 0o755);
  const ports = await freePorts(12);
  const port = () => ports.pop() ?? 0;
  const node = (name: string) => ({ name, port: port(), restPort: port(), data: join(folder, name) });
  const places: Places = {
    ...{ folder, ids },
    etcd: { client: port(), peer: port() },
    nodes: [node('node1'), node('node2')],
    apiPorts: [port(), port()],
    proxyPort: port(),
    leaderPort: port(),
    replicaPort: port(),
    poolerPort: port(),
    adminPassword: randomBytes(16).toString('hex'),
    password: randomBytes(16).toString('hex'),
  };
  for (const name of ['etcd', 'node1', 'node2']) {
    const own = join(folder, name);
    mkdirSync(own, { mode: 0o700 });
    give(own, places);
  }
  return places;
}

/** Makes the file or folder that of the user that the servers run as. */
export function give(path: string, { ids: { uid, gid } }: Places): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function idOf(which: '-u' | '-g'): number {
  const { stdout, status } = spawnSync('id', [which, 'postgres'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('there is no user "postgres": apt-get install postgresql-15');
  return Number(stdout);
}

/** The address of a database: through the pooler, or through HAProxy to the leader itself, or to what follows it. */
export function urlOf(
  places: Places,
  by: 'pooler' | 'leader' | 'replica',
  user: 'pitlane' | 'postgres',
): string {
  const { poolerPort, leaderPort, replicaPort, password, adminPassword } = places;
  const port = { pooler: poolerPort, leader: leaderPort, replica: replicaPort }[by];
  const secret = user === 'pitlane' ? password : adminPassword;
  return `postgres://${user}:${secret}@127.0.0.1:${port}/${user}`;
}
