/**
 * `npm run tenants`: lists each statement of `statements.sql` by whether it names one workshop, one partner, or neither, and what has to be
 * unique over all workshops. `docs/capacity.md` says what that is good for.
 */
import { readFileSync } from 'node:fs';
import { optionsOf } from './options.ts';
import { parse } from './statements/mirror.ts';
import { globalKeysOf, type Tenant, tenantsOf } from './statements/tenants.ts';

const usage = `npm run tenants                      what each statement names: a workshop, a partner, or neither
npm run tenants -- --only neither    those alone (workshop, partner, neither)
npm run tenants -- --keys            what has to be unique over all workshops
`;
const values = optionsOf(
  {
    only: { type: 'string' },
    keys: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  usage,
);
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const say = (line: string) => process.stdout.write(`${line}\n`);
// `| head` closes the pipe before all is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const kinds: readonly Tenant[] = ['workshop', 'partner', 'neither'];
const chosen = kinds.filter((kind) => values.only === undefined || kind === values.only);

if (values.help) process.stdout.write(usage);
else if (chosen.length === 0) {
  process.stderr.write(`--only is one of ${kinds.join(', ')}\n`);
  process.exitCode = 2;
} else if (values.keys) {
  for (const { table, columns } of await globalKeysOf(read('schema.sql')))
    say(`${table} (${columns.join(', ')})`);
} else {
  const found = await tenantsOf(parse(read('statements.sql')));
  for (const kind of chosen) {
    const its = found.filter(({ tenant }) => tenant === kind);
    const declarations = new Set(its.map(({ file, name }) => `${file}: ${name}`));
    say(`${kind}: ${its.length} of ${found.length} statements, in ${declarations.size} declarations`);
    for (const declaration of declarations) say(`  ${declaration}`);
  }
}
