/** etcd, Patroni, HAProxy and PgBouncer of the cluster: the samples of `deploy/`, with this cluster's places. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sampleWith } from '../../test/harness/deploy-sample.ts';
import { listens } from '../../test/harness/ports.ts';
import { type Member, memberOf } from './member.ts';
import { give, type Node, type Places } from './places.ts';
import { clusterPrograms } from './programs.ts';

type Own = readonly (readonly [sample: string, own: string])[];

function write(places: Places, name: string, text: string): string {
  const path = join(places.folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  give(path, places);
  return path;
}

function server(
  places: Places,
  name: string,
  command: string,
  args: readonly string[],
  ready: () => boolean | Promise<boolean>,
): Member {
  const { folder, ids } = places;
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
  return memberOf({ name, command, args, env, ids, log: join(folder, `${name}.log`), ready });
}

export function etcdOf(places: Places): Member {
  const { client, peer } = places.etcd;
  const own: Own = [
    ['/var/lib/etcd/pitlane', join(places.folder, 'etcd')],
    ['127.0.0.1:2379', `127.0.0.1:${client}`],
    ['127.0.0.1:2380', `127.0.0.1:${peer}`],
  ];
  const file = write(places, 'etcd.yml', sampleWith('cluster/etcd.yml', own));
  return server(places, 'etcd', clusterPrograms.etcd, ['--config-file', file], () => listens(client));
}

/** Patroni with its PostgreSQL. It is ready when it leads, or follows; who leads is asked by `roleOf`. */
export function patroniOf(places: Places, node: Node): Member {
  const { etcd, adminPassword } = places;
  const own: Own = [
    ['name: node1', `name: ${node.name}`],
    ['127.0.0.1:8008', `127.0.0.1:${node.restPort}`],
    ['127.0.0.1:5433', `127.0.0.1:${node.port}`],
    ['127.0.0.1:2379', `127.0.0.1:${etcd.client}`],
    ['/var/lib/postgresql/15/pitlane', join(node.data, 'data')],
    ['/var/lib/postgresql/.pgpass-patroni', join(node.data, 'pgpass')],
    ['/var/run/postgresql', node.data],
    ['password: change-me', `password: ${adminPassword}`],
  ];
  const file = write(places, `${node.name}.yml`, sampleWith('cluster/patroni.yml', own));
  const isReady = async () => (await roleOf(node)) !== null;
  return server(places, `patroni-${node.name}`, clusterPrograms.patroni, [file], isReady);
}

/** `leads`, `follows` with every commit of the leader, `behind`; null when it does neither. */
export async function roleOf({ restPort }: Node): Promise<'leads' | 'follows' | 'behind' | null> {
  const says = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${restPort}/${path}`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    await response?.body?.cancel();
    return response?.status === 200;
  };
  if (await says('primary')) return 'leads';
  if (await says('synchronous')) return 'follows';
  return (await says('replica')) ? 'behind' : null;
}

const adminSocket = ({ folder }: Places) => join(folder, 'etcd', 'haproxy.sock');

/** Tells HAProxy what to do with the API process: finish what is under way and send no more, or send again. */
export async function setProxied(places: Places, name: string, state: 'drain' | 'ready'): Promise<void> {
  const socket = connect(adminSocket(places));
  const lines = [
    `set server api/${name} state ${state}`,
    ...(state === 'ready' ? [`set server api/${name} health up`] : []),
  ];
  socket.end(`${lines.join('; ')}\n`);
  const said = (await text(socket)).trim();
  if (said !== '') throw new Error(`HAProxy: ${said}`);
}

export function haproxyOf(places: Places): Member {
  const { nodes, apiPorts, proxyPort, leaderPort, replicaPort } = places;
  const [first, second] = nodes;
  const own: Own = [
    ['/run/haproxy/admin.sock', adminSocket(places)],
    ['127.0.0.1:8080', `127.0.0.1:${proxyPort}`],
    ['127.0.0.1:5000', `127.0.0.1:${leaderPort}`],
    ['127.0.0.1:5001', `127.0.0.1:${replicaPort}`],
    ['127.0.0.1:3001', `127.0.0.1:${apiPorts[0]}`],
    ['127.0.0.1:3002', `127.0.0.1:${apiPorts[1]}`],
    ['127.0.0.1:5433 check port 8008', `127.0.0.1:${first.port} check port ${first.restPort}`],
    ['127.0.0.1:5434 check port 8009', `127.0.0.1:${second.port} check port ${second.restPort}`],
  ];
  const file = write(places, 'haproxy.cfg', sampleWith('cluster/haproxy.cfg', own));
  return server(places, 'haproxy', clusterPrograms.haproxy, ['-db', '-f', file], () => listens(proxyPort));
}

export function pgbouncerOf(places: Places): Member {
  const { leaderPort, poolerPort, password } = places;
  const users = write(places, 'userlist.txt', `"pitlane" "${password}"\n`);
  const own: Own = [
    ['port=5432', `port=${leaderPort}`],
    ['listen_port = 6432', `listen_port = ${poolerPort}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', users],
  ];
  const file = write(places, 'pgbouncer.ini', sampleWith('pgbouncer.ini', own));
  return server(places, 'pgbouncer', clusterPrograms.pgbouncer, ['-q', file], () => listens(poolerPort));
}
