/** `pitlane status`: the state of an installation on one screen. */
import type { Command } from 'commander';
import type { Status } from '#operation/status/read.ts';
import type { ReplicaStatus } from '#operation/status/replica.ts';
import type { WorkerSeen } from '#operation/status/store.ts';
import { migrationsInWords } from '#platform/db/migration-names.ts';
import type { MailRefusal } from '#product/sending/unauthenticated/store.ts';
import { locationOf, placeOf } from './database-location.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { terminal } from './terminal.ts';
import { verb } from './verb.ts';

export function registerStatus(program: Command): void {
  const status = {
    usage: 'status',
    summary: 'show the database, what is there, what waits and who works',
    examples: ['status', 'status --json'],
  };
  verb(program, status, () =>
    withSession(
      async ({ db, config }) => {
        const { readStatus } = await import('#operation/status/read.ts');
        const { keyFingerprints } = await import('#base/secret-key.ts');
        const read = await readStatus(db, locationOf(config), keyFingerprints(config));
        const { readReplica } = await import('#operation/status/replica.ts');
        const url = config.databaseReplicaUrl;
        const seen = await readReplica(db, config);
        const replica = url === null || seen === null ? null : { place: placeOf(url), ...seen };
        const { path: settingsFile } = terminal().envFile;
        const json = { ...read, replica, settingsFile };
        return { json, text: await describe(read, replica, settingsFile) };
      },
      { migrate: false },
    ),
  );
}

/** On an empty database all migrations are pending: their names are not listed. */
const pendingInWords = (names: readonly string[]) =>
  names.length > 0 ? `${migrationsInWords(names)}: the next start or pitlane migrate applies them` : 'none';

/** `callLeads` → `call leads` */
const inWords = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function describe(
  status: Status,
  replica: ReplicaShown | null,
  settingsFile: string | null,
): Promise<string> {
  const { statesInWords } = await import('#platform/db/replica/state.ts');
  const { countAtMost } = await import('#operation/status/store.ts');
  const count = (number: number | undefined) => (number === countAtMost ? `${countAtMost} or more` : number);
  const { database, counts, work, secretKey, clockAdvanceSeconds } = status;
  return details({
    database: `PostgreSQL ${database.version}, ${database.embedded ? 'embedded in' : 'of DATABASE_URL,'} ${database.place}`,
    ...(replica && { replica: `${replica.place}, ${statesInWords[replica.state]}${ageInWords(replica)}` }),
    ...(settingsFile !== null && { 'settings file': settingsFile }),
    'newest migration': database.migration ?? 'none',
    'pending migrations': pendingInWords(database.pendingMigrations),
    ...(database.pendingFunctions.length > 0 && {
      'pending functions': pendingInWords(database.pendingFunctions),
    }),
    ...Object.fromEntries(
      Object.entries(counts ?? {}).map(([name, number]) => [inWords(name), count(number)]),
    ),
    ...(work && {
      'events waiting':
        work.eventsWaiting + (work.eventsWaiting > 0 ? ` (${Math.round(work.oldestEventSeconds)} s)` : ''),
      'messages waiting':
        work.messages
          .map(({ route, count, oldestSeconds }) => `${route} ${count} (${Math.round(oldestSeconds)} s)`)
          .join(', ') || 'none',
      'webhooks waiting':
        `${count(work.webhooks.count)}` +
        (work.webhooks.count > 0 ? ` (${Math.round(work.webhooks.oldestSeconds)} s)` : '') +
        (work.webhooks.disabledEndpoints > 0
          ? `, ${work.webhooks.disabledEndpoints} endpoints disabled`
          : ''),
      ...(work.usedUpPages.length > 0 && {
        'pages without SMS': `${work.usedUpPages.map(({ workshop }) => workshop).join(', ')} (the SMS of the hour are used up)`,
      }),
      ...(work.mailRefusal && { 'e-mail refused': refusalInWords(work.mailRefusal) }),
      'dead letters': work.deadLetters,
      workers:
        work.workers.map((worker) => `${worker.workerId} (seen ${worker.silentSeconds} s ago)`).join(', ') ||
        'none',
      ...gatewaysOf(work.workers),
    }),
    ...(secretKey && { 'secret key': keyInWords(secretKey) }),
    ...(clockAdvanceSeconds !== null && { 'business clock': `${clockAdvanceSeconds} s ahead` }),
  });
}

const refusalInWords = ({ count, lastAt, detail }: MailRefusal): string =>
  `${count}, the last ${lastAt.toISOString()}: set up SPF, DKIM and DMARC for the domain of PITLANE_MAIL_FROM (${detail})`;

type ReplicaShown = ReplicaStatus & { readonly place: string };

const ageInWords = ({ ageSeconds }: ReplicaStatus): string =>
  ageSeconds === null ? '' : ` (at most ${ageSeconds} s old)`;

const keyStates = {
  unknown: 'none is named yet: the first server names its own',
  current: 'that of these settings',
  successor: 'a former one of these settings: the next start takes over',
  former: 'these settings have a former one',
  other: 'NOT that of these settings: no server starts with them',
  absent: 'these settings have none',
} as const;

function keyInWords({ state, fingerprint }: NonNullable<Status['secretKey']>): string {
  return fingerprint === null ? keyStates[state] : `fingerprint ${fingerprint}: ${keyStates[state]}`;
}

const states = {
  closed: 'works',
  halfOpen: 'is tried with the next message',
  open: 'does not work',
} as const;

/** The state of each gateway, as the workers reported it with their last heartbeat. */
function gatewaysOf(workers: readonly WorkerSeen[]): Record<string, string> {
  const seen = workers.flatMap(({ gateways }) => gateways);
  const lines = [...Map.groupBy(seen, ({ gateway }) => gateway)].map(([gateway, all]) => {
    const how = [...Map.groupBy(all, ({ breaker }) => breaker)].map(([breaker, { length }]) =>
      length === all.length ? states[breaker] : `${states[breaker]} at ${length} of ${all.length}`,
    );
    const sum = (count: 'inFlight' | 'waiting') => all.reduce((total, each) => total + each[count], 0);
    const load = `${sum('inFlight')} under way, ${sum('waiting')} wait`;
    return [`gateway ${gateway}`, `${how.join(', ')} (${load})`] as const;
  });
  return Object.fromEntries(lines);
}
