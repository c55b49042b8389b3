/** The examples in the help of commands for a workshop's desk run as they stand there, with ids and codes that exist. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { createTemplate } from '#product/templates/create.ts';
import { publishTemplate } from '#product/templates/publish.ts';
import { startTestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { runHere, succeed } from './run.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner], { name: 'Carlton Motors', slug: 'carlton-motors' });
const env = { DATABASE_URL: app.databaseUrl };
const template = await createTemplate(
  { db, clock },
  { workshopId, name: 'Ready', body: 'Ready.' },
  actors.operator,
);
await publishTemplate({ db, clock }, template.templateId, actors.operator);

/** A booking whose code is the one of the examples. */
async function newBooking(): Promise<Readonly<Record<string, string>>> {
  await db.query(`UPDATE booking SET code = substr(md5(id::text), 1, 8) WHERE code = '7K3M9QXW'`);
  const { body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { skipNotification: true }),
  );
  const { id, customerId } = body.booking;
  await db.query(`UPDATE booking SET code = '7K3M9QXW' WHERE id = $1`, [id]);
  await succeed(['message', 'send', '--booking', id, '--text', 'Hello'], env);
  const [talk] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE customer_id = $1', [
    customerId,
  ]);
  return { '0198c6b1-…': id, '0198c6a5-…': customerId, '0198c6a8-…': talk?.id ?? '' };
}

/** The words of a line as a shell takes them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

for (const command of [
  ...['availability', 'booking list', 'booking show', 'booking create', 'booking move', 'booking set'],
  ...['booking confirm', 'booking cancel', 'booking blocks', 'message send', 'inbox list', 'inbox show'],
  ...['inbox reply', 'customer list', 'workshop show', 'workshop set', 'workshop calendar', 'template list'],
]) {
  test(`${command}: its examples`, async () => {
    const { stdout } = await runHere([...command.split(' '), '--help'], {});
    const lines =
      stdout
        .split('Examples:\n')[1]
        ?.split('\n')
        .map((line) => line.trim()) ?? [];
    const examples = lines.filter((line) => line.startsWith(`npx pitlane ${command}`));
    assert.ok(examples.length > 0);
    for (const example of examples) {
      const ids = await newBooking();
      await db.query('DELETE FROM message_rate');
      const words = wordsOf(example.replace('npx pitlane ', ''));
      const args = words.map((word) => ids[word] ?? word).filter((word) => !/^0198c6a9/.test(word));
      if (args.some((arg) => arg.includes('…'))) continue;
      await succeed(args, env);
    }
  });
}
