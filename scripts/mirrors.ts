/**
 * `npm run mirrors`: rewrites the committed files that mirror the code, which test/mirrors.test.ts compares. With `--statements` only
 * `statements.sql`: what the source tells, and what the tests that are named send beside it; with `--all-tests` what all tests send.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#platform/db/database.ts';
import { createClone, startTestCluster } from '../test/harness/cluster.ts';
import { compileClient } from './clients/compiled.ts';
import { dumpClients } from './clients/dump.ts';
import { dumpDocument } from './dump-document.ts';
import { dumpSchema } from './dump-schema.ts';
import { dumpTimeZones } from './dump-time-zones.ts';
import { dumpWorkshopSchema } from './dump-workshop-schema.ts';
import { withSenders } from './senders-page.ts';
import { exampleFile, withSettings } from './settings-pages.ts';
import { dumpSentBy, dumpSentByAll, dumpTold } from './statements/dump.ts';
import { tablesPicture } from './tables-picture.ts';

const { values: options, positionals: tests } = parseArgs({
  allowPositionals: true,
  options: {
    statements: { type: 'boolean', default: false },
    'all-tests': { type: 'boolean', default: false },
  },
});
if (options.statements) {
  if (options['all-tests']) await rewrite('statements.sql', await dumpSentByAll());
  else await rewrite('statements.sql', tests.length > 0 ? await dumpSentBy(tests) : dumpTold());
  process.exit();
}

await rewrite('statements.sql', dumpTold());
await rewrite('.env.example', exampleFile());
await rewrite(
  'docs/operations/settings.md',
  withSettings(await readFile(pathOf('docs/operations/settings.md'), 'utf8')),
);
await rewrite(
  'docs/operations/messages.md',
  withSenders(await readFile(pathOf('docs/operations/messages.md'), 'utf8')),
);
const cluster = await startTestCluster();
try {
  const db = openDatabase({
    url: await createClone(cluster.adminUrl),
    poolSize: 2,
    applicationName: 'mirrors',
  });
  try {
    const schema = await dumpSchema(db);
    await rewrite('schema.sql', schema);
    await rewrite('docs/design/tables.svg', tablesPicture(schema));
    const document = await dumpDocument(db);
    await rewrite('openapi.json', document);
    for (const [name, text] of Object.entries(dumpClients(document))) await rewrite(name, text);
    for (const [name, text] of Object.entries(await compileClient())) await rewrite(name, text);
    await rewrite('docs/workshop.schema.json', dumpWorkshopSchema());
    await rewrite('docs/time-zones.md', await dumpTimeZones(db));
  } finally {
    await db.close();
  }
} finally {
  await cluster.stop();
}

async function rewrite(name: string, text: string): Promise<void> {
  const path = pathOf(name);
  await mkdir(new URL('.', path), { recursive: true });
  const before = await readFile(path, 'utf8').catch(() => '');
  if (before !== text) await writeFile(path, text);
  console.log(`${name}: ${before === text ? 'unchanged' : 'rewritten'}`);
}

function pathOf(name: string): URL {
  return new URL(`../${name}`, import.meta.url);
}
