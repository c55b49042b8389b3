/** House rules about the tree: who may import whom, and that nothing lies about unused or unlisted. */
import { finding, type Rule } from './rule.ts';
import { isProduct, packages, references, type SourceFile } from './source.ts';

/** The tree from the ground up: a file imports only from its own line or from lines above it in this list. */
export const order = [
  'errors.ts',
  'operator-error.ts',
  'values/',
  'clock.ts',
  'config.ts',
  'log.ts',
  'private-file.ts',
  'secret-key.ts',
  'gateways/',
  'db/',
  'context.ts',
  'work/',
  'events/',
  'http/',
  'idempotency/',
  'partners/',
  'workshops/',
  'templates/',
  'customers/',
  'catalogue/',
  'availability/',
  'bookings/',
  'quotes/',
  'messaging/',
  'notifications/',
  'reminders/',
  'leads/',
  'campaigns/',
  'webhooks/',
  'reports/',
  'booking-page/',
  'sandbox/',
  'erasure/',
  'status/',
  'gateways.ts',
  'openapi-info.ts',
  'health.ts',
  'api.ts',
  'reactions.ts',
  'work.ts',
  'app.ts',
  'worker.ts',
  'demo-data.ts',
  'demo.ts',
  'launcher.ts',
  'banner.ts',
  'server.ts',
  'commands/',
  'main.ts',
];

const entries = new Set(['src/main.ts']);
const driver = /^pg(?:-.+)?$/;
const queueFolders = /^src\/(?:db\/|work\/|events\/|worker\.ts$|work\.ts$)/;

/** `src/bookings/create.ts` → `bookings/`, `src/app.ts` → `app.ts`. */
const unitOf = (path: string) => /^src\/([^/]+\/?)/.exec(path)?.[1] ?? path;

const down: Rule = {
  name: 'imports go down the tree only',
  instead:
    'move the shared part down to the lower folder, or record an event and say in reactions.ts what follows; a new folder gets its place in test/house/tree.ts',
  find: (files) =>
    files.filter(isProduct).flatMap((file) => {
      const own = order.indexOf(unitOf(file.path));
      if (own < 0)
        return [finding(file, 0, `${unitOf(file.path)} has no place in the order of test/house/tree.ts`)];
      return references(file)
        .filter(({ path }) => order.indexOf(unitOf(path)) > own || !path.startsWith('src/'))
        .map(({ path, at }) => finding(file, at, `imports ${path}, which is not below it`));
    }),
  bad: [
    { 'src/values/id.ts': "import { x } from '#bookings/store.ts';" },
    { 'src/bookings/create.ts': "import type { X } from '../messaging/send.ts';" },
    { 'src/helpers/x.ts': 'export const x = 1;' },
    { 'src/app.ts': "import { testClock } from '../test/harness/clock.ts';" },
  ],
  good: [
    { 'src/bookings/create.ts': "import { x } from '#customers/find.ts';\nimport { y } from './store.ts';" },
    { 'src/bookings/create.test.ts': "import { y } from '#messaging/store.ts';" },
  ],
};

const driverInDb: Rule = {
  name: 'the driver is imported in db/ only',
  instead: 'take a Database or Queryable from #db/database.ts; jobs are added through events/ and work/',
  find: (files) =>
    files.filter(isProduct).flatMap((file) =>
      packages(file)
        .filter(({ name }) => {
          if (name === 'graphile-worker') return !queueFolders.test(file.path);
          return driver.test(name) && !file.path.startsWith('src/db/');
        })
        .map(({ name, at }) => finding(file, at, `imports ${name}`)),
    ),
  bad: [
    { 'src/bookings/store.ts': "import type { PoolClient } from 'pg';" },
    { 'src/http/health.ts': "import { runOnce } from 'graphile-worker';" },
    { 'src/http/health.ts': "const pg = await import('pg-pool');" },
  ],
  good: [
    { 'src/db/database.ts': "import pg from 'pg';" },
    { 'src/worker.ts': "import { run } from 'graphile-worker';" },
    { 'src/http/health.ts': "const driver = 'pg';" },
  ],
};

const used: Rule = {
  name: 'no file under src that nothing imports',
  instead: 'delete it, or import it where it belongs; a file that only tests import belongs under test/',
  find: (files) => {
    const imported = new Set(
      files.filter(isProduct).flatMap((file) =>
        references(file)
          .map(({ path }) => path)
          .filter((path) => path !== file.path),
      ),
    );
    return files
      .filter((file) => isProduct(file) && !imported.has(file.path) && !entries.has(file.path))
      .map((file) => finding(file, 0, 'is imported by no file of src'));
  },
  bad: [
    { 'src/values/id.ts': 'export const x = 1;', 'src/values/id.test.ts': "import { x } from './id.ts';" },
  ],
  good: [
    { 'src/main.ts': "import { x } from '#values/id.ts';", 'src/values/id.ts': 'export const x = 1;' },
    { 'src/main.ts': "new URL('./db/child.ts', import.meta.url);", 'src/db/child.ts': 'process.exit();' },
  ],
};

function page(files: readonly SourceFile[], path: string): { has(name: string): boolean } {
  const file = files.find((candidate) => candidate.path === path);
  const words = new Set(file?.code.match(/\w+/g));
  const texts = new Set(file?.literals.map(({ text }) => text));
  return { has: (name) => words.has(name) || texts.has(name) };
}

/** A handler by its shape: `export async function sendNotice(ctx: Context, payload: unknown): Promise<void>`. */
const handler =
  /\bexport\s+(?:async\s+)?(?:function\s+(\w+)\s*\(\s*\w+\s*:\s*Context\s*,\s*\w+\s*:\s*unknown\s*\)|const\s+(\w+)\s*:\s*JobHandler\b)/g;
/** Where a job is named: `{ job: 'sendNotice' }`, `const sendJob = 'sendNotice'`. */
const namesJob = /(?:\bjob\s*:|\b\w*[jJ]ob\s*=)\s*$/;

const jobsListed: Rule = {
  name: 'every job is listed in work.ts',
  instead:
    'register the handler, under the name that jobs are added with, in src/work.ts, the page of all background work',
  find: (files) => {
    const work = page(files, 'src/work.ts');
    return files.filter(isProduct).flatMap((file) => {
      const handlers = [...file.code.matchAll(handler)].map((match) => ({
        name: match[1] ?? match[2] ?? '',
        at: match.index,
      }));
      const named = file.literals
        .filter(({ at }) => namesJob.test(file.code.slice(0, at)))
        .map(({ text, at }) => ({ name: text, at }));
      return [...handlers, ...named]
        .filter(({ name }) => !work.has(name))
        .map(({ name, at }) => finding(file, at, `${name} is not in src/work.ts`));
    });
  },
  bad: [
    {
      'src/work.ts': 'export const jobs = {};',
      'src/notifications/send.ts':
        'export async function send(ctx: Context, payload: unknown): Promise<void> {}',
    },
    {
      'src/work.ts': 'export const jobs = {};',
      'src/notifications/send.ts': 'export const send: JobHandler = async () => {};',
    },
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/notifications/plan.ts': "return { job: 'sent', payload };",
    },
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/notifications/plan.ts': "const sendJob = 'sent';",
    },
  ],
  good: [
    {
      'src/work.ts': 'export const jobs = { send };',
      'src/notifications/send.ts':
        'export async function send(ctx: Context, payload: unknown): Promise<void> {}',
      'src/notifications/plan.ts': "const sendJob = 'send'; const other = 'sent';",
    },
  ],
};

const kind = /^[a-z]+\.[a-z][A-Za-z]*$/;
/** The lists in TypeScript that name kinds. */
const listsKinds = /^src\/(?:events\/record\.ts$|.*\/events\.ts$)/;

const eventsListed: Rule = {
  name: 'every event kind is listed in reactions.ts',
  instead: 'say in src/reactions.ts what follows from it, an empty list when nothing does',
  find: (files) => {
    const reactions =
      files.find((file) => file.path === 'src/reactions.ts')?.literals.map(({ text }) => text) ?? [];
    const listed = new Set(reactions.filter((text) => kind.test(text)));
    const nouns = [...listed].map((text) => text.split('.')[0]).join('|');
    // In SQL other texts may look like a kind, so there only those of a known noun count.
    const inSql = new RegExp(`'((?:${nouns})\\.[a-zA-Z]+)'`, 'g');
    return files.filter(isProduct).flatMap((file) =>
      file.literals
        .flatMap(({ text, at }) => {
          if (listsKinds.test(file.path)) return kind.test(text) ? [{ name: text, at }] : [];
          return [...text.matchAll(inSql)].map((match) => ({ name: match[1] ?? '', at }));
        })
        .filter(({ name }) => !listed.has(name))
        .map(({ name, at }) => finding(file, at, `${name} is not in src/reactions.ts`)),
    );
  },
  bad: [
    {
      'src/reactions.ts': 'export const reactions = {};',
      'src/bookings/events.ts': "export const created = 'booking.created';",
    },
    {
      'src/reactions.ts': "export const reactions = { 'booking.created': [] };",
      'src/bookings/store.ts': "const sql = `SELECT $1, 'booking.moved'`;",
    },
  ],
  good: [
    {
      'src/reactions.ts': "export const reactions = { 'booking.created': [] };",
      'src/bookings/events.ts': "const created = 'booking.created';",
      'src/bookings/store.ts': "const sql = `SELECT $1, 'booking.created', 'pending', 'person.phone'`;",
    },
  ],
};

export const treeRules: readonly Rule[] = [down, driverInDb, used, jobsListed, eventsListed];
