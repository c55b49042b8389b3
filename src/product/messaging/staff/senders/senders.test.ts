/** The author of a text by staff, from the audit trail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors, storedActor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { messagingWorld } from '../../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../../test/harness/world.ts';
import { textedAction } from '../sms.ts';
import { findSenders } from './store.ts';

const { app, partner, workshopId, customer } = await messagingWorld();
const { db, clock } = app.context;

/** An id made `seconds` from now, as on a machine with another clock. */
function idMade(seconds: number): string {
  const time = (Date.now() + seconds * 1_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

test('found when the clock of the process is behind or ahead of that of the database; never at another workshop', async () => {
  const { id: customerId } = await customer();
  const kim = actors.person(newId(), 'r-1');
  const messages = [-30, 0, 30].map((seconds) => ({ messageId: idMade(seconds), customerId }));
  for (const { messageId } of messages)
    await recordEntry(db, {
      ...{ actor: kim, workshopId, subject: { kind: 'customer', id: customerId }, at: clock.now() },
      ...{ ...textedAction, after: { messageId } },
    });
  assert.deepEqual(
    await findSenders(db, workshopId, messages),
    new Map(messages.map(({ messageId }) => [messageId, storedActor(kim)])),
  );
  assert.equal((await findSenders(db, await linkedWorkshop(app, [partner]), messages)).size, 0);
  assert.equal((await findSenders(db, workshopId, [{ messageId: newId(), customerId }])).size, 0);
});
