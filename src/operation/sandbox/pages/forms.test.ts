/** The forms of /sandbox: they work without scripts, and refuse what is wrong on the page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { sandboxGateways } from '../../../../test/harness/sandbox.ts';
import { linkedWorkshop, type SignedInPartner, signedInPartner } from '../../../../test/harness/world.ts';

let app: TestApp;
let partner: SignedInPartner;
let workshopId: string;

before(async () => {
  app = await startTestApp({ gateways: sandboxGateways });
  partner = await signedInPartner(app);
  workshopId = await linkedWorkshop(app, [partner]);
});
after(() => app.close());

async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
  return {
    status: response.status,
    to: response.headers.get('location') ?? '',
    text: await response.text(),
  };
}
const open = async (path: string) => (await fetch(`${app.url}${path}`)).text();

async function sentSms(phone: string) {
  const channels = { sms: { message: 'Ready?' } };
  await partner.call('POST', `/workshops/${workshopId}/messages`, { phone, channels });
  const [row] = await app.context.db.query<{ id: string }>(
    'SELECT id FROM sandbox_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
    [phone],
  );
  return row?.id ?? assert.fail('nothing was sent');
}

test('the clock is moved by a button and by an amount, and set back; the page says so, with its card open', async () => {
  const { status, to } = await send('/sandbox/clock/move', { seconds: '3600' });
  assert.deepEqual([status, to], [303, '/sandbox?clock=moved']);
  await send('/sandbox/clock/move', { amount: '2', unit: '60' });
  assert.equal(app.clock.advanceSeconds(), 3_720);
  const page = await open(to);
  assert.match(page, /<details class="card" id="clock" open>/);
  assert.match(page, /Moved forward by 1 hour 2 minutes\./);
  assert.equal((await send('/sandbox/clock/reset', {})).status, 303);
  assert.equal(app.clock.advanceSeconds(), 0);
});

for (const [name, fields] of Object.entries({
  'no amount': {},
  'a text': { amount: 'x', unit: '60' },
  'half a second': { amount: '0.5', unit: '1' },
  backwards: { seconds: '-60' },
  'too far': { amount: '4000', unit: '86400' },
}))
  test(`a move of the clock is refused on the page, and changes nothing: ${name}`, async () => {
    const { status, text } = await send('/sandbox/clock/move', fields as Record<string, string>);
    assert.equal(status, 422);
    assert.match(
      text,
      /<p id="clock-trouble" class="trouble" role="alert" data-live>(?:amount|advanceSeconds): /,
    );
    assert.equal(app.clock.advanceSeconds(), 0);
  });

test('an SMS is answered as the customer, who is shown with it; an empty answer is refused on the page', async () => {
  const phone = '+61491570006';
  const id = await sentSms(phone);
  const refused = await send('/sandbox/answer', { message: id, body: ' ' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Write an answer of 1 to 10,000 characters\./);
  const { status, to } = await send('/sandbox/answer', { id, body: '<b>Yes</b>' });
  assert.deepEqual([status, to], [303, `/sandbox?message=${id}`]);
  const page = await open(to);
  assert.match(page, /class="bubble answer"[^>]*><p class="text" dir="auto">&lt;b&gt;Yes&lt;\/b&gt;<\/p>/);
  const stored = await app.context.db.query(
    `SELECT body FROM message WHERE workshop_id = $1 AND direction = 'inbound'`,
    [workshopId],
  );
  assert.deepEqual(stored, [{ body: '<b>Yes</b>' }]);
  for (const unknown of [newId(), 'x'])
    assert.equal((await send('/sandbox/answer', { message: unknown, body: 'Yes' })).status, 404);
});

test('a form from another site, or one that hides its site, is refused: 403, and changes nothing', async () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign)
    for (const path of ['/sandbox/clock/move', '/sandbox/clock/reset', '/sandbox/answer'])
      assert.equal((await send(path, { seconds: '60' }, headers)).status, 403, path);
  assert.equal(app.clock.advanceSeconds(), 0);
});

test('any query shows a page: unknown values are ignored, a message that is gone is not chosen', async () => {
  for (const query of [
    'show=99999',
    'show=-1',
    'channel=x',
    'outcome=x',
    'message=x',
    `message=${newId()}`,
    'as=x',
    'to=%00',
  ])
    assert.match(await open(`/sandbox?${query}`), /<ol id="messages"/, query);
  assert.match(await open(`/sandbox?message=${newId()}`), /Choose a message\./);
  for (const query of ['outcome=toString', 'search=%00', `search=${'x'.repeat(2_000)}`])
    assert.match(await open(`/sandbox/requests.html?${query}`), /<ol id="requests"/, query);
});
