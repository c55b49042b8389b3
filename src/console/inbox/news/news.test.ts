/** What a notification may say of what customers wrote. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { baseOf, type Person, signedInPerson } from '../../../../test/fixtures/office.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const { answer } = inboundWorld(app);
let kim: Person;
let viewer: Person;
let path = '';

interface Said {
  readonly id: string;
  readonly conversationId: string;
  readonly name: string;
  readonly text?: string;
}

before(async () => {
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { customerName: 'Sam Taylor', customerPhone: '0491570156' }),
  );
  await app.drain();
  kim = await signedInPerson(app, [workshopId]);
  viewer = await signedInPerson(app, [workshopId], 'viewer');
  path = `${await baseOf(app, workshopId)}/inbox/news`;
});

async function newsFor(person: Person, query = ''): Promise<readonly Said[]> {
  const { status, text } = await person.get(`${path}${query}`);
  assert.equal(status, 200, text);
  return (JSON.parse(text) as { texts: Said[] }).texts;
}

test('it has who wrote in the last minute, and the text for whoever asks for it; phones are masked for those who may not see them (specification: The console 20)', async () => {
  assert.deepEqual(await newsFor(kim), []);
  await answer('+61491570156', 'Ring me on 0491 570 158');
  const [plain] = await newsFor(kim);
  assert.deepEqual(Object.keys(plain ?? {}), ['id', 'conversationId', 'name']);
  assert.equal(plain?.name, 'Sam Taylor');
  assert.equal((await newsFor(kim, '?text=yes'))[0]?.text, 'Ring me on 0491 570 158');
  assert.equal((await newsFor(viewer, '?text=yes'))[0]?.text, 'Ring me on …');
  await db.query(`UPDATE customer SET name = '+61 491 570 156'`, []);
  assert.equal((await newsFor(kim))[0]?.name, 'A customer');
  await db.query(`UPDATE customer SET name = 'Sam Taylor'`, []);
  for (let n = 0; n < 12; n++) await answer('+61491570156', `Text ${n}`);
  const many = await newsFor(kim, '?text=yes');
  assert.deepEqual(
    many.map(({ text }) => text),
    Array.from({ length: 10 }, (_, n) => `Text ${11 - n}`),
  );
});
