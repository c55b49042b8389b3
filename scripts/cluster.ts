/** `npm run cluster`: an installation of many processes on this machine, from Debian's packages and the samples of `deploy/`. */
import { startCarrier } from './cluster/carrier.ts';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { urlOf } from './cluster/places.ts';
import { clusterPackages, findClusterPrograms } from './cluster/programs.ts';
import { runTrial } from './cluster/trial.ts';
import { optionsOf, wholeNumber } from './options.ts';
import { installPackages } from './test/apt.ts';
import { run } from './test/run.ts';

const usage = `npm run cluster                  starts it, says what runs where, and ends it at Ctrl-C
npm run cluster -- --trial       starts it, restarts each process and kills the leading PostgreSQL under load, counts, and ends it

  --failovers  how often the leader is killed (10)
  --rate       bookings a second meanwhile (40)

Two API and two worker processes behind HAProxy, PgBouncer, two PostgreSQL 15 under Patroni, etcd; all on 127.0.0.1, in a folder of
their own under the temporary folder, which is removed at the end. Needs Linux and Debian's packages, which root's run installs.
`;
const values = optionsOf(
  {
    trial: { type: 'boolean', default: false },
    failovers: { type: 'string', default: '10' },
    rate: { type: 'string', default: '40' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  usage,
);
const say = (line: string) => process.stdout.write(`${line}\n`);

function page({ places, url, world, processes, databases, others }: Cluster): string {
  const at = (port: number) => `127.0.0.1:${port}`;
  const { partnerId, appKey, secret } = world.credentials;
  const ports: Readonly<Record<string, string>> = {
    etcd: at(places.etcd.client),
    haproxy: `${at(places.proxyPort)} (partners), ${at(places.leaderPort)} (to the leading PostgreSQL), ${at(places.replicaPort)} (to the other)`,
    pgbouncer: at(places.poolerPort),
    api1: at(places.apiPorts[0]),
    api2: at(places.apiPorts[1]),
  };
  const line = (name: string, pid: number, where: string) => `  ${name.padEnd(16)} pid ${pid}  ${where}`;
  return `
${[...others, ...processes].map(({ name, pid }) => line(name, pid(), ports[name] ?? '')).join('\n')}
${databases.map(({ node, patroni }) => line(patroni.name, patroni.pid(), `PostgreSQL at ${at(node.port)}, Patroni at ${at(node.restPort)}`)).join('\n')}

  API       ${url} (docs at ${url}/docs)
  Partner   ${partnerId}, app key ${appKey}, secret ${secret}
  Workshop  ${world.workshopId}
  Database  ${urlOf(places, 'pooler', 'pitlane')} (pooler)
            ${urlOf(places, 'leader', 'pitlane')} (leader)
            ${urlOf(places, 'replica', 'pitlane')} (replica)
  Logs      ${places.folder}/*.log; texts at http://127.0.0.1:${places.apiPorts[0]}/sandbox

  Who leads:       patronictl -c ${places.folder}/node1.yml list
  Another leader:  patronictl -c ${places.folder}/node1.yml switchover

Ctrl-C ends it.`;
}

/** Resolves at the first signal. */
const signalled = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});

async function main(): Promise<number> {
  const trial = {
    failovers: wholeNumber('failovers', values.failovers, { least: 0, most: 1_000 }, usage),
    perSecond: wholeNumber('rate', values.rate, { least: 1, most: 1_000 }, usage),
  };
  if (process.platform !== 'linux') throw new Error('the cluster runs on Linux alone');
  if (findClusterPrograms() === null) {
    say(`installing ${clusterPackages.join(', ')} …`);
    const missing = await installPackages(run, 'whole cluster', clusterPackages);
    if (missing !== null) throw new Error(missing);
  }
  return values.trial ? await tried(trial) : await shown();
}

async function shown(): Promise<number> {
  const cluster = await startCluster({}, say);
  say(page(cluster));
  await signalled;
  say('ending …');
  await cluster.stop();
  return 0;
}

async function tried(trial: Parameters<typeof runTrial>[2]): Promise<number> {
  const carrier = await startCarrier();
  const cluster = await startCluster(carrier.settings, say);
  try {
    const faults = await Promise.race([
      runTrial(cluster, carrier, trial, say),
      signalled.then(() => ['interrupted']),
    ]);
    for (const fault of faults) say(`✖ ${fault}`);
    if (faults.length === 0) say('✔ nothing acknowledged was lost, nothing was made or sent twice');
    return faults.length === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
    await carrier.stop();
  }
}

if (values.help) say(usage);
else {
  process.exitCode = await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
  // A trial that was interrupted leaves its clients behind.
  process.exit();
}
