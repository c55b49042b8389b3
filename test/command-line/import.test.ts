/** `pitlane import`: a dry run, a refusal while there are faults, and what is imported, also after a kill (docs/import.md). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { childEnvironment, shortLived } from '../harness/child.ts';
import { scratchFolder } from '../harness/scratch.ts';
import { fail, json, runHere, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { db, env, workshopId } = await commandWorld();
const folder = await mkdtemp(join(scratchFolder(), 'pitlane-import-'));
after(() => rm(folder, { recursive: true }));
const fileOf = async (content: string) => {
  const path = join(folder, 'a.csv');
  await writeFile(path, content);
  return path;
};
const example = (name: string) => fileURLToPath(new URL(`../../docs/import/${name}.csv`, import.meta.url));
const countOf = async (table: string) => (await db.query(`SELECT FROM ${table}`)).length;

/** Runs the command in a process of its own, which is killed as soon as this holds. */
async function killedOnce(args: readonly string[], holds: () => Promise<boolean>): Promise<void> {
  const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [...shortLived, entry, ...args], { env: childEnvironment(env) });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await holds())) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
}

test('the examples of the guide: a dry run, the import, and again', async () => {
  const args = ['import', 'customers', example('customers'), '--workshop', workshopId];
  const was = await countOf('customer');
  const dry = await json([...args, '--dry-run'], env);
  assert.deepEqual([dry.dryRun, dry.imported, dry.customersMade, dry.faultCount], [true, false, 3, 0]);
  assert.equal(await countOf('customer'), was);
  assert.match((await succeed(args, env)).stdout, /New customers +3\n.*Imported +yes/s);
  assert.equal((await json(args, env)).leftAlone, 4);
  const bookings = await json(['import', 'bookings', example('bookings'), '--workshop', workshopId], env);
  assert.equal(bookings.bookingsMade, 4);
});

test('while a row has a fault nothing is imported, unless the rest is wanted', async () => {
  const path = await fileOf('Date,Time,Name\n3/4/2024,9:00,One\n13/4/2024,9:00,Two\n');
  const args = ['import', 'bookings', path, '--workshop', workshopId];
  const was = await countOf('booking');
  await fail(args, env, 1, /line 2: Date can be two dates.*--skip-faulty/);
  assert.equal(await countOf('booking'), was);
  const shown = await runHere([...args, '--dry-run'], env);
  assert.deepEqual([shown.code, /line 2: Date can be two dates/.test(shown.stdout)], [0, true]);
  assert.equal((await json([...args, '--skip-faulty'], env)).bookingsMade, 1);
  const said = await json([...args, '--dates', 'dmy'], env);
  assert.deepEqual([said.bookingsMade, said.leftAlone], [1, 1]);
  await fail([...args, '--dates', 'ymd'], env, 2, /--dates/);
  await fail(
    ['import', 'customers', join(folder, 'none.csv'), '--workshop', workshopId],
    env,
    1,
    /can't read/,
  );
});

test('what the dry run asks is answered by an option, or by a mended file, which makes no second customer', async () => {
  const content = (heading: string) =>
    `First name,Last name,${heading},E-mail\nWanda,Without,0491 570 006,\nWilma,Without,0491 570 110,w@customer.example\n`;
  const path = await fileOf(content('Ruf'));
  const args = ['import', 'customers', path, '--workshop', workshopId];
  const countOfNamed = () => countOf(`customer WHERE last_name = 'Without'`);
  const dry = await json([...args, '--dry-run'], env);
  assert.deepEqual(
    dry.questions.map(({ kind, column }: Record<string, string>) => [kind, column]),
    [
      ['no-phones', ''],
      ['unread', 'Ruf'],
    ],
  );
  await fail(args, env, 1, /No column holds phone numbers.*--accept no-phones.*Ruf holds.*--accept unread/s);
  await fail([...args, '--skip-faulty', '--accept', 'unread'], env, 1, /No column holds phone numbers/);
  await fail([...args, '--accept', 'all'], env, 2, /--accept is of no-phones, unread/);
  assert.equal(await countOfNamed(), 0);
  const without = await json([...args, '--accept', 'no-phones,unread'], env);
  assert.deepEqual([without.customersMade, await countOfNamed()], [2, 2]);
  await fileOf(content('Mobile'));
  const shown = await succeed([...args, '--dry-run'], env);
  assert.match(shown.stdout, /New customers +0\n.*Joined with a known customer +2\n/s);
  const mended = await json(args, env);
  assert.deepEqual([mended.customersMade, mended.customersJoined, await countOfNamed()], [0, 2, 2]);
  assert.equal(await countOf(`customer WHERE phone IN ('+61491570006', '+61491570110')`), 2);
});

test('always: a command that is killed in the middle and run again makes nothing twice', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `Killed ${n % 7}\n`).join('');
  const path = await fileOf(`Name\n${rows}`);
  const args = ['import', 'customers', path, '--workshop', workshopId, '--accept', 'no-phones'];
  const made = async () => (await db.query(`SELECT FROM customer WHERE name LIKE 'Killed %'`)).length;
  await killedOnce(args, async () => (await made()) > 0);
  const [before, entries] = [await made(), await countOf(`audit_entry WHERE action = 'workshop.imported'`)];
  assert.ok(before > 0);
  const again = await json(args, env);
  assert.deepEqual([again.leftAlone, again.customersMade], [before, 3_000 - before]);
  assert.equal(await made(), 3_000);
  // What was killed is in the trail, too.
  assert.equal(await countOf(`audit_entry WHERE action = 'workshop.imported'`), entries + 1);
});

test('columns that are not known are named, or are those that were chosen on the page for files of that form', async () => {
  const path = await fileOf('Wer,Nr,Farbe\nCol Umn,0491571491,x\n');
  const args = ['import', 'customers', path, '--workshop', workshopId];
  await fail(args, env, 1, /names neither a column Mobile nor a column Name/);
  for (const [columns, code, words] of [
    ['{', 2, /--columns is a JSON object/],
    ['[]', 2, /--columns is a JSON object/],
    ['{"Wer":1}', 2, /--columns is a JSON object/],
    ['{"Was":"name"}', 1, /the file has no column "Was"/],
    ['{"Wer":"nom"}', 1, /"nom" is no field of a column: take one of /],
    ['{"Wer":"name","Nr":"name"}', 1, /"Nr" is Name too, as "Wer" is/],
    ['{"Wer":"email"}', 1, /the columns must have one that is Mobile or Name/],
  ] as const)
    await fail([...args, '--columns', columns], env, code, words);
  const dry = await json([...args, '--columns', '{"wer":"name","Nr":"phone"}', '--dry-run'], env);
  assert.deepEqual([dry.customersMade, dry.columns, dry.ignoredColumns], [1, 'chosen', ['Farbe']]);
  const { formOf } = await import('#product/imports/matched/match.ts');
  const { keepForm } = await import('#product/imports/matched/store.ts');
  const form = formOf(['Wer', 'Nr', 'Farbe']);
  await keepForm(db, { workshopId, kind: 'customers', form }, ['name', 'phone', 'company']);
  const made = await json(args, env);
  assert.deepEqual([made.customersMade, made.columns, made.ignoredColumns], [1, 'remembered', []]);
});

test('always: an import is taken back, killed or not, and one that is not of the workshop is refused', async () => {
  const path = await fileOf('Name,Mobile,Rego\nTia Taken,0491571266,TT1\nBea Back,0491572665,BB1\n');
  const at = ['--workshop', workshopId];
  const { importId, imported } = await json(['import', 'customers', path, ...at], env);
  assert.equal(imported, true);
  const { imports } = await json(['import', 'list', ...at], env);
  assert.deepEqual([imports[0].importId, imports[0].state, imports[0].rows], [importId, 'written', 2]);
  await db.query(`UPDATE customer SET company = 'Since Ltd' WHERE name = 'Bea Back'`);
  const back = await json(['import', 'take-back', importId, ...at], env);
  assert.deepEqual([back.state, back.customersGone, back.carsGone, back.stayed], ['takenBack', 1, 2, 1]);
  assert.deepEqual(
    back.stayedRecords.map(({ kind, stays }: Record<string, string>) => [kind, stays]),
    [['customer', 'changed']],
  );
  assert.equal(await countOf(`customer WHERE name = 'Tia Taken'`), 0);
  // Again: nothing more.
  assert.equal((await json(['import', 'take-back', importId, ...at], env)).customersGone, 1);
  const killed = imports.find(({ rows }: { readonly rows: number }) => rows > 2 && rows < 3_000);
  assert.equal((await json(['import', 'take-back', killed.importId, ...at], env)).customersGone, killed.rows);
  await fail(['import', 'take-back', workshopId, ...at], env, 1, /no import .*import list --workshop/);
  await fail(['import', 'take-back', 'x', ...at], env, 1, /no import x/);
});

test('always: a take-back that is killed in the middle goes on when it is asked for again', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `Gone ${n},G${n}\n`).join('');
  const at = ['--workshop', workshopId];
  const { importId } = await json(['import', 'customers', await fileOf(`Name,Rego\n${rows}`), ...at], env);
  const cars = () => countOf(`car WHERE rego ~ '^G[0-9]+$'`);
  assert.equal(await cars(), 3_000);
  await killedOnce(['import', 'take-back', importId, ...at], async () => (await cars()) < 3_000);
  assert.ok((await countOf(`customer WHERE name LIKE 'Gone %'`)) > 0, 'it was killed before its end');
  const back = await json(['import', 'take-back', importId, ...at], env);
  assert.deepEqual(
    [back.state, back.carsGone, back.customersGone, back.stayed],
    ['takenBack', 3_000, 3_000, 0],
  );
  assert.equal(await countOf(`customer WHERE name LIKE 'Gone %'`), 0);
  assert.equal(
    await countOf(`audit_entry WHERE action = 'workshop.importTakenBack' AND after ->> 'carsGone' = '3000'`),
    1,
  );
});
