/** House rules about the tree: who may import whom, and that nothing lies about unused. */
import { finding, type Rule } from './rule.ts';
import { isProduct, localPackageOf, packages, references } from './source.ts';

/** The tree from the ground up: a file imports only from its own line or from lines above it in this list, so no edge runs up between the groups. */
export const order = [
  // Local packages know nothing of the product.
  'packages/smpp/',
  // The page of refusals: all of them stand on it.
  'errors.ts',
  // Knows no database.
  'base/version.ts',
  'base/values/',
  'base/operator-error.ts',
  'base/clock.ts',
  'base/rehearsed.ts',
  'base/within.ts',
  'base/give-way.ts',
  'base/config/',
  'base/config.ts',
  'base/log.ts',
  'base/readable-log.ts',
  'base/private-file.ts',
  'base/secret-key.ts',
  'base/sealing.ts',
  // Knows no domain.
  'platform/gateways/',
  'platform/db/',
  'platform/key-fingerprint/',
  'platform/context.ts',
  'platform/change/',
  'platform/work/',
  'platform/audit/',
  'platform/events/',
  'platform/feed/',
  'platform/idempotency/',
  'platform/http/',
  'platform/records/',
  'platform/attempts/',
  'platform/pages/',
  // The domains.
  'product/partners/',
  'product/workshops/',
  'product/people/',
  'product/templates/',
  'product/customers/',
  'product/sending/',
  'product/catalogue/',
  'product/availability/',
  'product/orders/',
  'product/bookings/',
  'product/imports/',
  'product/calendar/',
  'product/customer-pages/',
  'product/way-out/',
  'product/booking-page/',
  'product/quotes/',
  'product/messaging/',
  'product/notifications/',
  'product/gateway-callbacks/',
  'product/reminders/',
  'product/leads/',
  'product/campaigns/',
  'product/webhooks/',
  'product/reports/',
  // The page of the domains' records: what goes over all of them goes over it.
  'records.ts',
  // What an operator and a developer need around them.
  'operation/sandbox/',
  'operation/erasure/',
  'operation/export/',
  'operation/status/',
  'operation/doctor/',
  'operation/backup/',
  'operation/demo/',
  'operation/openapi-info.ts',
  'operation/reference/',
  'operation/health/',
  'operation/launcher.ts',
  'operation/banner.ts',
  'operation/start-notices.ts',
  // The office in the browser: one folder a place.
  'console/',
  // The pages that show the whole, and the processes.
  'gateways.ts',
  'api.ts',
  'reactions.ts',
  'work.ts',
  'dead-letters.ts',
  'app.ts',
  'worker.ts',
  'warm-up/',
  'server.ts',
  'commands/',
  'main.ts',
];

const entries = new Set(['src/main.ts']);
const driver = /^pg(?:-.+)?$/;

/** `src/product/bookings/create.ts` → `product/bookings/`, `src/app.ts` → `app.ts`, `packages/smpp/src/pdu.ts` → `packages/smpp/`. */
const unitOf = (path: string) =>
  localPackageOf(path) ??
  /^src\/((?:base|platform|product|operation)\/[^/]+\/?|[^/]+\/?)/.exec(path)?.[1] ??
  path;

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
        .filter(({ path }) => order.indexOf(unitOf(path)) > own || !/^(?:packages|src)\//.test(path))
        .map(({ path, at }) => finding(file, at, `imports ${path}, which is not below it`));
    }),
  bad: [
    { 'src/base/values/id.ts': "import { x } from '#product/bookings/store.ts';" },
    { 'src/product/bookings/create.ts': "import type { X } from '../messaging/send.ts';" },
    { 'src/helpers/x.ts': 'export const x = 1;' },
    { 'src/app.ts': "import { testClock } from '../test/harness/clock.ts';" },
    { 'packages/smpp/src/smpp.ts': "import { x } from '../../../src/base/values/id.ts';" },
    { 'packages/unknown/src/index.ts': 'export const x = 1;' },
  ],
  good: [
    {
      'src/product/bookings/create.ts':
        "import { x } from '#product/customers/find.ts';\nimport { y } from './store.ts';",
    },
    { 'src/product/bookings/create.test.ts': "import { y } from '#product/messaging/store.ts';" },
  ],
};

const driverInDb: Rule = {
  name: 'the driver is imported in db/ only',
  instead: 'take a Database or Queryable from #db/database.ts',
  find: (files) =>
    files.filter(isProduct).flatMap((file) =>
      packages(file)
        .filter(({ name }) => driver.test(name) && !file.path.startsWith('src/platform/db/'))
        .map(({ name, at }) => finding(file, at, `imports ${name}`)),
    ),
  bad: [
    { 'src/product/bookings/store.ts': "import type { PoolClient } from 'pg';" },
    { 'src/platform/http/health.ts': "const pg = await import('pg-pool');" },
  ],
  good: [
    { 'src/platform/db/database.ts': "import pg from 'pg';" },
    { 'src/platform/http/health.ts': "const driver = 'pg';" },
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
    {
      'src/base/values/id.ts': 'export const x = 1;',
      'src/base/values/id.test.ts': "import { x } from './id.ts';",
    },
  ],
  good: [
    {
      'src/main.ts': "import { x } from '#base/values/id.ts';",
      'src/base/values/id.ts': 'export const x = 1;',
    },
    {
      'src/main.ts': "new URL('./platform/db/child.ts', import.meta.url);",
      'src/platform/db/child.ts': 'process.exit();',
    },
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
          .filter(({ path }) => path === 'src/platform/http/fields.ts')
          .map(({ at }) => finding(file, at, 'imports the fields of schemas')),
      ]),
  bad: [
    { 'src/product/bookings/routes.ts': "import { Type } from 'typebox';" },
    { 'src/product/bookings/routes.ts': "import { out } from '#platform/http/fields.ts';" },
  ],
  good: [
    {
      'src/product/bookings/routes.ts': "import { route } from '#platform/http/operation.ts';",
      'src/product/bookings/operations.ts': "import { Type } from 'typebox';",
    },
  ],
};

export const treeRules: readonly Rule[] = [down, driverInDb, used, handlersOnly];
