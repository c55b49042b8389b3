/** What runs where: which files wait and start first, which share a process, and what the second server leaves out. */
import { matchesGlob } from 'node:path';

/**
 * Files that mostly wait (for a kill to be noticed, a gateway, a time-out, a browser), the longest first. They have slots of
 * their own, beside the files that keep a core busy. Those of one line share a process.
 */
const waiting = [
  ['test/kannel-crash.test.ts'],
  ['test/crash.test.ts'],
  ['test/pages/*.test.ts', 'src/notifications/email-html.test.ts'],
  ['test/smpp.test.ts'],
  ['test/start.test.ts'],
  ['test/crash-embedded.test.ts'],
  ['test/kill.test.ts'],
  ['test/blast-kill.test.ts'],
  [
    'test/guides.test.ts',
    'src/partners/sessions/authenticate.test.ts',
    'src/sandbox/{messages,clock}.test.ts',
  ],
  ['test/stop.test.ts', 'test/refused-start.test.ts', 'test/server-output.test.ts'],
  ['test/deploy/*.test.ts', 'scripts/release/release.test.ts'],
  ['src/messaging/crash.test.ts', 'src/worker.test.ts'],
  ['test/kannel-texts.test.ts', 'test/kannel.test.ts', 'test/{exim,exim-pipe}.test.ts'],
  ['src/db/embedded/owner.test.ts'],
  ['src/db/embedded/cluster.test.ts', 'src/webhooks/feed/restored-files.test.ts'],
  ['src/db/embedded/{same-ids,readiness}.test.ts'],
  ['src/db/embedded/*.test.ts'],
  [
    'src/gateways/sms/smpp/*.test.ts',
    'src/gateways/email/smtp-pool.test.ts',
    'src/gateways/http-call.test.ts',
  ],
  ['test/command-line/{database,backup}.test.ts', 'test/full-disk.test.ts'],
  ['test/launcher.test.ts', 'test/setup.test.ts'],
  ['test/webhook-kill.test.ts', 'test/webhooks-page.test.ts', 'src/gateways/outbound/*.test.ts'],
];

/** Files that keep a core busy for long: they start before the groups, so that none is left to the end. */
const long = [
  'test/fuzz.test.ts',
  'src/partners/sessions/failed-sign-ins.test.ts',
  'src/sending/{evidence,evidence-email}.test.ts',
  'src/bookings/any-body.test.ts',
];

/**
 * What depends on the server's version. Together they run each statement of the product that all tests run; `docs/testing.md`
 * says what is left out, and why.
 */
const onSecondServer = [
  // The driver, migrations, and the schema that they make.
  ...['src/db/*.test.ts', 'test/mirrors.test.ts', 'src/**/store.test.ts'],
  // Locks, leases, and rows that other transactions hold.
  ...['src/**/*races.test.ts', 'src/idempotency/*.test.ts', 'src/events/*.test.ts', 'src/worker.test.ts'],
  ...['src/work.test.ts', 'src/work/**/*.test.ts', 'test/{contention,race}.test.ts'],
  // The send queue: turns, leases, and the order of a series.
  'src/sending/{enqueue,sender,series,deferred,unknown-outcome,evidence,evidence-email}.test.ts',
  'src/sending/{claim,hold,lease,report,retention}/**/*.test.ts',
  // Rows that processes write together.
  ...['src/campaigns/blasts/counts.test.ts', 'src/messaging/inbound/parts/*.test.ts'],
  // Plans.
  ...[
    'test/reads.test.ts',
    'test/long-snapshot.test.ts',
    'test/command-line/list-plans.test.ts',
    'src/records/plans.test.ts',
  ],
  // Kills, and a server that restarts.
  ...['src/**/crash.test.ts', 'test/crash.test.ts'],
  // Each operation, with few requests.
  'test/fuzz.test.ts',
  // The rest of the statements.
  ...[
    'src/{backup,doctor,erasure,key-fingerprint,status,templates,customers}/**/*.test.ts',
    'src/workshops/zone-data/*.test.ts',
    'src/partners/partners.test.ts',
    'src/demo.test.ts',
  ],
  ...[
    'src/workshops/{,sms-accounts/}*.test.ts',
    'src/workshops/access/tenancy.test.ts',
    'src/gateway-callbacks/{record-*,twilio}.test.ts',
    'test/command-line/gateway.test.ts',
  ],
  'src/reports/*.test.ts',
  ...['src/bookings/list/*.test.ts', 'src/records/conformance.test.ts'],
  'src/bookings/{places,places-changed,place-world,status,create,create-batch,create-together,update,customer-and-car,car-details,car-backfill}.test.ts',
  'src/messaging/{attempts,attachments,inbound,inbox,from-template}/**/*.test.ts',
  'src/messaging/{create-batch,rate-limit,preview}.test.ts',
  'src/notifications/inbox-digests/**/*.test.ts',
  'src/campaigns/strange-zone.test.ts',
  'src/notifications/{plan,deliver,order,opt-out}.test.ts',
  ...[
    'src/availability/{world,backfill}.test.ts',
    'src/availability/set-up/*.test.ts',
    'src/catalogue/*.test.ts',
  ],
  'src/webhooks/**/*.test.ts',
  'src/{leads,reminders}/**/*.test.ts',
  'src/booking-page/book/plain.test.ts',
  ...['src/gateways/limiter/metrics.test.ts', 'src/log.test.ts'],
];

/**
 * Loading what the files of a process share costs nearly a second of a core, so many share one. At the end the processes are
 * smaller, and all cores are busy until then.
 */
const groupSize = { most: 28, least: 10 };
/** So many files, or fewer, get a process each, as when a single file is run. */
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
