/** Many concurrent calls, to one process and to two (specification: Limits 1; Messages 10). */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { messagingWorld, newPhone, text } from '../../../test/fixtures/messaging.ts';
import { assertFivePerSecond, passesOf, recordPasses } from '../../../test/fixtures/rate-stamps.ts';
import { type HttpResponse, type RequestOptions, send } from '../../../test/harness/http.ts';
import { startServer } from '../../../test/harness/server.ts';

const { app, partner, workshopId, post, customer } = await messagingWorld();
const { db } = app.context;
await recordPasses(db);

function only429(answers: readonly HttpResponse[]): void {
  for (const { status, body, headers } of answers) {
    assert.equal(status, 429, JSON.stringify(body));
    assert.ok(!('errorCode' in body));
    assert.equal(headers.get('retry-after'), '1');
  }
}

for (const known of [true, false]) {
  const who = known ? 'a known customer' : 'a phone whose customer does not exist yet';
  test(`always: 200 concurrent calls with one referenceId, to ${who}: five a second get 200, all with the same message, one SMS`, async () => {
    const phone = known ? (await customer()).phone : newPhone();
    const answers = await Promise.all(Array.from({ length: 200 }, () => post({ phone, referenceId: 'R' })));
    const passed = answers.filter(({ status }) => status === 200);
    only429(answers.filter(({ status }) => status !== 200));
    const stamps = await passesOf(db, phone);
    assert.equal(stamps.length, passed.length);
    assertFivePerSecond(stamps);
    assert.ok(passed.length >= 5);
    for (const { body } of passed) assert.deepEqual(body, passed[0]?.body);
    assert.equal(passed[0]?.body.success, true);
    assert.equal(app.sms.to(phone).length, 1);
    const messages = await db.query('SELECT id FROM message WHERE recipient = $1', [phone]);
    assert.equal(messages.length, 1);
  });
}

test('always: 100 concurrent calls for one customer from two processes: never more than 5 pass in any window of one second', async (t) => {
  const key = randomBytes(32).toString('hex');
  const server = await startServer(t, { DATABASE_URL: app.databaseUrl, PITLANE_SECRET_KEY: key });
  const { id, phone } = await customer();
  const path = `/workshops/${workshopId}/messages`;
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const names = [{ customerId: id }, { phone }, { phone: `0${phone.slice(3)}` }];
  const endsAt = performance.now() + 3_500;
  const answers: HttpResponse[] = [];

  async function keepCalling(index: number): Promise<void> {
    const body = { ...names[index % names.length], ...text(`From ${index}`) };
    const options: RequestOptions = { headers, body };
    while (performance.now() < endsAt) {
      answers.push(await send(`${index % 2 === 0 ? app.url : server.url}${path}`, 'POST', options));
      // All callers together still make hundreds of requests a second.
      await pause(150);
    }
  }
  await Promise.all(Array.from({ length: 100 }, (_, index) => keepCalling(index)));
  await server.end('SIGKILL');

  const passed = answers.filter(({ status }) => status === 200);
  only429(answers.filter(({ status }) => status !== 200));
  const stamps = await passesOf(db, phone);
  assert.equal(stamps.length, passed.length);
  assertFivePerSecond(stamps);
  // The limit is not too strict either: whenever the window has room, one of the calls passes.
  assert.ok(passed.length >= 15, `${passed.length} passed`);
  assert.ok(passed.every(({ body }) => body.success === true));

  const [kept] = await db.query<{ sent: number }>(
    'SELECT count(*)::int AS sent FROM sandbox_message WHERE recipient = $1',
    [phone],
  );
  const here = app.sms.to(phone).length;
  assert.ok(here > 0 && Number(kept?.sent) > 0, 'only one of the processes sent');
  assert.equal(here + Number(kept?.sent), passed.length);
});
