/** House rules about the tree: who may import whom, and that nothing lies about unused. */
import { finding, type Rule } from './rule.ts';
import { isProduct, packages, references } from './source.ts';

/** The tree from the ground up: a file imports only from its own line or from lines above it in this list. */
export const order = [
  'errors.ts',
  'version.ts',
  'values/',
  'operator-error.ts',
  'clock.ts',
  'config/',
  'config.ts',
  'log.ts',
  'readable-log.ts',
  'private-file.ts',
  'secret-key.ts',
  'sealing.ts',
  'gateways/',
  'db/',
  'key-fingerprint/',
  'context.ts',
  'work/',
  'events/',
  'feed/',
  'idempotency/',
  'http/',
  'records/',
  'attempts/',
  'pages/',
  'partners/',
  'workshops/',
  'templates/',
  'customers/',
  'sending/',
  'catalogue/',
  'availability/',
  'orders/',
  'bookings/',
  'calendar/',
  'booking-page/',
  'quotes/',
  'messaging/',
  'notifications/',
  'gateway-callbacks/',
  'reminders/',
  'leads/',
  'records.ts',
  'campaigns/',
  'webhooks/',
  'reports/',
  'sandbox/',
  'erasure/',
  'status/',
  'doctor/',
  'backup/',
  'gateways.ts',
  'demo-data.ts',
  'demo-logo.ts',
  'demo-setup.ts',
  'demo.ts',
  'openapi-info.ts',
  'reference/',
  'health/',
  'api.ts',
  'reactions.ts',
  'work.ts',
  'dead-letters.ts',
  'app.ts',
  'worker.ts',
  'launcher.ts',
  'banner.ts',
  'start-notices.ts',
  'server.ts',
  'commands/',
  'main.ts',
];

const entries = new Set(['src/main.ts']);
const driver = /^pg(?:-.+)?$/;

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
  instead: 'take a Database or Queryable from #db/database.ts',
  find: (files) =>
    files.filter(isProduct).flatMap((file) =>
      packages(file)
        .filter(({ name }) => driver.test(name) && !file.path.startsWith('src/db/'))
        .map(({ name, at }) => finding(file, at, `imports ${name}`)),
    ),
  bad: [
    { 'src/bookings/store.ts': "import type { PoolClient } from 'pg';" },
    { 'src/http/health.ts': "const pg = await import('pg-pool');" },
  ],
  good: [{ 'src/db/database.ts': "import pg from 'pg';" }, { 'src/http/health.ts': "const driver = 'pg';" }],
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

const handlersOnly: Rule = {
  name: 'routes.ts holds handlers only',
  instead:
    "declare the operation, with its schemas, in the domain's operations.ts (docs/architecture.md, Adding an operation)",
  find: (files) =>
    files
      .filter(({ path }) => path.startsWith('src/') && path.endsWith('/routes.ts'))
      .flatMap((file) => [
        ...packages(file)
          .filter(({ name }) => name === 'typebox')
          .map(({ at }) => finding(file, at, 'imports typebox')),
        ...references(file)
          .filter(({ path }) => path === 'src/http/fields.ts')
          .map(({ at }) => finding(file, at, 'imports the fields of schemas')),
      ]),
  bad: [
    { 'src/bookings/routes.ts': "import { Type } from 'typebox';" },
    { 'src/bookings/routes.ts': "import { out } from '#http/fields.ts';" },
  ],
  good: [
    {
      'src/bookings/routes.ts': "import { route } from '#http/operation.ts';",
      'src/bookings/operations.ts': "import { Type } from 'typebox';",
    },
  ],
};

export const treeRules: readonly Rule[] = [down, driverInDb, used, handlersOnly];
