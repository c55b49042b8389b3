import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Replica } from '#platform/db/replica/replica.ts';
import { baseOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

let reads = 0;
/** It is asked, and answers nothing. */
const replica: Replica = {
  counts: { replica: 0, unused: 0, busy: 0, tooOld: 0, failed: 0 },
  seen: () => ({ state: 'used', ageMs: 0 }),
  look: async () => undefined,
  read: async () => {
    reads++;
    return null;
  },
  close: async () => undefined,
};
const app = await startTestApp({ replica });
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);

test('a form that asks for an export changes nothing: the export is read from the replica, in the next seconds too', async () => {
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
  const owner = await signedInPerson(app, [workshopId]);
  const page = `${base}/customers/${body.booking.customerId}`;
  const tagged = await owner.submit(page, `${page}/tags`, { add: 'fleet' });
  assert.match(tagged.headers.get('set-cookie') ?? '', /^pitlane-changed=/);
  const asked = await owner.submit(`${page}/export`, `${page}/export`, { as: 'json' });
  assert.deepEqual([asked.location, asked.headers.get('set-cookie')], [`${page}/export/json`, null]);
  reads = 0;
  assert.equal((await owner.get(`${page}/export/json`)).status, 200);
  assert.ok(reads > 0);
});
