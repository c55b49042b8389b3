/** What runs where: which files wait and start first, which share a process, and what the second server leaves out. */
import { matchesGlob } from 'node:path';

/**
 * Files that mostly wait (for a kill to be noticed, a gateway, a time-out, a browser), the longest first. They have slots of
 * their own, beside the files that keep a core busy. Those of one line share a process.
 */
const waiting = [
  ['test/cluster.test.ts'],
  ['test/kannel-crash.test.ts'],
  ['test/crash.test.ts'],
  ['test/pages/{live,live-stream}.test.ts'],
  ['test/pages/*.test.ts', 'src/product/notifications/email-html.test.ts'],
  ['test/smpp.test.ts'],
  ['test/start.test.ts'],
  ['test/crash-embedded.test.ts'],
  ['test/kill.test.ts'],
  ['test/blast-kill.test.ts'],
  [
    'test/guides.test.ts',
    'src/product/partners/sessions/authenticate.test.ts',
    'src/operation/sandbox/{messages,clock}.test.ts',
  ],
  ['test/{processes,stop}.test.ts', 'test/refused-start.test.ts', 'test/server-output.test.ts'],
  ['test/deploy/*.test.ts', 'scripts/release/release.test.ts'],
  ['src/product/messaging/crash.test.ts', 'src/worker.test.ts'],
  ['test/kannel-texts.test.ts', 'test/kannel.test.ts', 'test/{exim,exim-pipe}.test.ts'],
  ['src/platform/db/embedded/owner.test.ts'],
  ['src/platform/db/embedded/cluster.test.ts', 'src/product/webhooks/feed/restored-files.test.ts'],
  ['src/platform/db/embedded/{same-ids,readiness}.test.ts'],
  ['src/platform/db/embedded/*.test.ts'],
  [
    'packages/smpp/test/*.test.ts',
    'src/platform/gateways/sms/smpp.test.ts',
    'src/platform/gateways/email/smtp-pool.test.ts',
    'src/platform/gateways/http-call.test.ts',
  ],
  ['test/command-line/{database,backup}.test.ts', 'test/full-disk.test.ts', 'test/replica.test.ts'],
  ['src/console/live/{hints,streams,bounds}.test.ts', 'src/console/inbox/presence/presence.test.ts'],
  ['test/launcher.test.ts', 'test/setup.test.ts', 'test/falls.test.ts'],
  ['test/webhook-kill.test.ts', 'test/webhooks-page.test.ts', 'src/platform/gateways/outbound/*.test.ts'],
];

/** Files that keep a core busy for long: they start before the groups, so that none is left to the end. */
const long = [
  'test/fuzz.test.ts',
  'src/product/partners/sessions/failed-sign-ins.test.ts',
  'src/product/sending/{evidence,evidence-email}.test.ts',
];

/**
 * What depends on the server's version beyond what a statement's text says: `test/statements.test.ts` has each server prepare every
 * statement of the product. `docs/testing.md` says what is left out, and why.
 */
const onSecondServer = [
  // The driver, migrations and the schema that they make, copies of all rows, and the server's own time zones.
  ...[
    'src/platform/db/*.test.ts',
    'src/platform/db/functions/*.test.ts',
    'test/{mirrors,statements}.test.ts',
    'src/operation/backup/back-up.test.ts',
  ],
  // Pages that PostgreSQL 15 plans otherwise.
  'src/console/calls/plans.test.ts',
  ...['src/product/workshops/zone-data/*.test.ts', 'src/product/campaigns/strange-zone.test.ts'],
  // Locks, and rows that processes write together: of each kind of lock the file that holds most of it.
  ...['src/product/bookings/{place-races,places-together-races,races}.test.ts'],
  ...['src/product/messaging/races.test.ts', 'src/product/customers/merge/races.test.ts'],
  ...['src/platform/idempotency/waiting.test.ts', 'test/contention.test.ts'],
  ...[
    'src/product/{bookings,messaging}/create-batch.test.ts',
    'src/product/bookings/create-together.test.ts',
  ],
  'src/product/campaigns/blasts/counts.test.ts',
  // What takes turns at rows: claims, leases, the order of a series, jobs.
  ...[
    'src/product/sending/{sender,series,evidence,limits/store}.test.ts',
    'src/product/sending/{claim,hold,lease}/*.test.ts',
  ],
  ...[
    'src/product/webhooks/deliveries/{places,claim/store}.test.ts',
    'src/product/notifications/order.test.ts',
  ],
  'src/platform/work/**/*.test.ts',
  // The order of commits, and numbers of transactions.
  'src/console/live/store.test.ts',
  ...['src/platform/events/**/*.test.ts', 'src/product/webhooks/feed/feed.test.ts'],
  'src/product/bookings/list/feed-races.test.ts',
  // Plans.
  ...['src/platform/{audit/entries,records/plans}.test.ts', 'test/{reads,long-snapshot,old-rows}.test.ts'],
  'test/command-line/list-plans.test.ts',
  // Kills.
  'test/crash.test.ts',
  // Each operation, with few requests.
  'test/fuzz.test.ts',
];

/**
 * Starting a process, loading what its files share and compiling it costs more than a second of a core, therefore many share one. At the end the
 * processes are smaller, and all cores are busy until then.
 */
const groupSize = { most: 48, least: 12 };
/** That many files, or fewer, get a process each, as when a single file is run. */
const fewFiles = 16;

export interface Plan {
  /** Each is the files of one process. */
  readonly waiting: readonly (readonly string[])[];
  readonly busy: readonly (readonly string[])[];
}

/** The files for the second server, from all files. */
export function forSecondServer(files: readonly string[]): string[] {
  return files.filter((file) => onSecondServer.some((pattern) => matchesGlob(file, pattern)));
}

/** True for files that take more than a few seconds. */
export function isSlow(file: string): boolean {
  return [...waiting.flat(), ...long].some((pattern) => matchesGlob(file, pattern));
}

/** How to run these files. */
export function planFor(files: readonly string[]): Plan {
  const waits = waiting.flat();
  const waitsFor = (file: string) => waits.some((pattern) => matchesGlob(file, pattern));
  const first = inOrderOf(long, files);
  const rest = files.filter((file) => !waitsFor(file) && !first.includes(file));
  if (files.length <= fewFiles) {
    const alone = (all: readonly string[]) => all.map((file) => [file]);
    return { waiting: alone(inOrderOf(waits, files)), busy: alone([...first, ...rest]) };
  }
  return { waiting: byLine(files), busy: [...first.map((file) => [file]), ...inGroups(rest)] };
}

/** The files that wait, those of one line together. */
function byLine(files: readonly string[]): string[][] {
  const left = new Set(files);
  const lines = waiting.map((patterns) => {
    const line = inOrderOf(patterns, [...left]);
    for (const file of line) left.delete(file);
    return line;
  });
  return lines.filter((line) => line.length > 0);
}

/** Each takes a quarter of the rest, within the limits. */
function inGroups(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < files.length; ) {
    const share = Math.ceil((files.length - at) / 4);
    const size = Math.min(groupSize.most, Math.max(groupSize.least, share));
    groups.push(files.slice(at, at + size));
    at += size;
  }
  return groups;
}

/** The files that a pattern names, in the order of the patterns. */
function inOrderOf(patterns: readonly string[], files: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => files.filter((file) => matchesGlob(file, pattern))))];
}

/** All patterns of this page; each has to name a file. */
export const patterns: readonly string[] = [...waiting.flat(), ...long, ...onSecondServer];
