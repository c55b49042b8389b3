/** What is run where: which files wait and start first, which share a process, and what the second server leaves out. */
import { matchesGlob } from 'node:path';

/**
 * Files that mostly wait (for a kill to be noticed, a gateway, a time-out, a browser), the longest first. They have slots of
 * their own, beside the files that keep a core busy.
 */
const waiting = [
  'test/kannel-crash.test.ts',
  'test/crash.test.ts',
  'test/crash-embedded.test.ts',
  'test/pages/sandbox.test.ts',
  'test/smpp.test.ts',
  'test/start.test.ts',
  'test/kill.test.ts',
  'test/stop.test.ts',
  'test/pages/docs.test.ts',
  'src/sandbox/messages.test.ts',
  'src/partners/sessions/authenticate.test.ts',
  'src/notifications/email-html.test.ts',
  'test/guides.test.ts',
  'src/gateways/sms/smpp/hostile.test.ts',
  'src/sandbox/clock.test.ts',
  'test/launcher.test.ts',
  'test/refused-start.test.ts',
  'src/messaging/crash.test.ts',
  'test/kannel-texts.test.ts',
  'src/gateways/email/smtp-pool.test.ts',
  'src/db/embedded/*.test.ts',
  'test/command-line/database.test.ts',
  'test/exim.test.ts',
  'test/kannel.test.ts',
  'test/pages/answer.test.ts',
  'src/gateways/sms/smpp/*.test.ts',
  'src/gateways/http-call.test.ts',
  'src/worker.test.ts',
  'test/setup.test.ts',
];

/** Files that keep a core busy for long: begun before the groups, so that none is left to the end. */
const long = [
  'test/fuzz.test.ts',
  'src/partners/sessions/attempts/limit.test.ts',
  'src/adoption/adopt.test.ts',
  'src/bookings/any-body.test.ts',
];

/**
 * What depends on the server's version. Together they run each statement of the product that all tests run; `docs/testing.md`
 * says what is left out, and why.
 */
const onSecondServer = [
  // The driver, migrations, and the schema that they make.
  ...['src/db/*.test.ts', 'test/mirrors.test.ts', 'src/**/store.test.ts'],
  // Locks, leases, and rows that others hold.
  ...['src/**/*races.test.ts', 'src/idempotency/*.test.ts', 'src/events/*.test.ts', 'src/worker.test.ts'],
  ...['src/work/*.test.ts', 'src/work/pace/*.test.ts', 'test/contention.test.ts'],
  // The queue of what is sent: turns, leases, the order of a series, and what the release before has left.
  'src/sending/{enqueue,sender,series,deferred,unknown-outcome}.test.ts',
  ...['src/sending/{claim,lease,report,retention}/**/*.test.ts', 'src/adoption/*.test.ts'],
  // Plans.
  'test/reads.test.ts',
  // Kills, and a server that restarts.
  ...['src/**/crash.test.ts', 'test/crash.test.ts'],
  // Each operation, with few requests.
  'test/fuzz.test.ts',
  // The rest of the statements.
  ...[
    'src/{erasure,status,templates,customers}/**/*.test.ts',
    'src/partners/partners.test.ts',
    'src/demo.test.ts',
  ],
  ...['src/workshops/*.test.ts', 'src/workshops/access/tenancy.test.ts', 'src/carrier/record-*.test.ts'],
  'src/bookings/{create,create-batch,create-together,update,customer-and-car,car-details,car-backfill}.test.ts',
  'src/messaging/{attempts,inbound,inbox,rate,take-in,preview,from-template}/**/*.test.ts',
  'src/notifications/answers/**/*.test.ts',
  'src/notifications/{plan,deliver,order,opt-out}.test.ts',
  ...[
    'src/availability/{world,backfill}.test.ts',
    'src/availability/set-up/*.test.ts',
    'src/catalogue/*.test.ts',
  ],
  ...['src/gateways/lane/metrics.test.ts', 'src/log.test.ts'],
];

/** So many files share a process: enough to share its start, few enough to keep all cores busy to the end. */
const groupSize = 8;

export interface Plan {
  /** Each is the files of one process. */
  readonly waiting: readonly (readonly string[])[];
  readonly busy: readonly (readonly string[])[];
}

/** Of all files, those for the second server. */
export function forSecondServer(files: readonly string[]): string[] {
  return files.filter((file) => onSecondServer.some((pattern) => matchesGlob(file, pattern)));
}

/** True for files that take more than a few seconds. */
export function isSlow(file: string): boolean {
  return [...waiting, ...long].some((pattern) => matchesGlob(file, pattern));
}

/** How to run these files. A few have a process each, as when one is run by itself. */
export function planFor(files: readonly string[]): Plan {
  const waits = inOrderOf(waiting, files);
  const first = inOrderOf(long, files);
  const rest = files.filter((file) => !waits.includes(file) && !first.includes(file));
  const size = files.length > groupSize * 2 ? groupSize : 1;
  const groups = Array.from({ length: Math.ceil(rest.length / size) }, (_, index) =>
    rest.slice(index * size, (index + 1) * size),
  );
  return { waiting: waits.map((file) => [file]), busy: [...first.map((file) => [file]), ...groups] };
}

/** The files that a pattern names, in the order of the patterns. */
function inOrderOf(patterns: readonly string[], files: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => files.filter((file) => matchesGlob(file, pattern))))];
}

/** All patterns of this page; each has to name a file. */
export const patterns: readonly string[] = [...waiting, ...long, ...onSecondServer];
