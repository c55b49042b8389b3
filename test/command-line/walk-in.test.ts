/** Walk-ins at the command line: what is not given is said so (specification: The workshop's own bookings 3 and 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { fail, json, succeed } from './run.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const env = { DATABASE_URL: app.databaseUrl, PITLANE_WORKSHOP: workshopId };
const run = (...args: string[]) => json(args, env);
const fails = (code: number, message: RegExp, ...args: string[]) => fail(args, env, code, message);

test('create: a name alone, or a rego; what is not given is said so, and joins a known customer later', async () => {
  const at = ['booking', 'create', '--booking-time', 'tomorrow 16:00'];
  const wendy = await run(...at, '--customer-name', 'Wendy');
  assert.deepEqual([wendy.car.rego, wendy.customer.phone, wendy.customer.email], [null, null, null]);
  const shown = await succeed(['booking', 'show', wendy.code], env);
  assert.match(
    shown.stdout,
    /customer +Wendy\nphone +not given\nemail +not given\n[\s\S]*car +not given\n[\s\S]*link *\n/,
  );
  const { code, customerId } = await run(...at, '--car-rego', 'rego 1');
  const { stdout } = await succeed(['booking', 'list', '--day', 'tomorrow'], env);
  assert.match(stdout, new RegExp(`${wendy.code} .* not given +Wendy +not given`));
  assert.match(stdout, new RegExp(`${code} .* REGO1 +not given +not given`));
  assert.match(
    (await succeed(['customer', 'show', customerId], env)).stdout,
    /name +not given\n[\s\S]*phone +not given\n/,
  );
  await fails(2, /--customer-name is wanted, or the car's registration/, ...at);
  await fails(
    2,
    /--customer-id is no customer of this workshop/,
    ...at,
    '--customer-name',
    'W',
    '--customer-id',
    'x',
  );
  await fails(
    1,
    /not sent: customer \S+ has no phone: it is not given/,
    'message',
    'send',
    '--booking',
    code,
    '--text',
    'x',
  );
  assert.equal((await run(...at, '--customer-name', 'Wanda')).status, 'confirmed');
  assert.equal((await run(...at, '--customer-name', 'Walt', '--pending')).status, 'pending');
  assert.equal(
    (await run(...at, '--car-rego', 'rego 2', '--customer-id', customerId)).customerId,
    customerId,
  );
  const known = (await partner.call('POST', '/bookings', bookingBody(workshopId, { skipNotification: true })))
    .body.booking;
  assert.equal(
    (await run('booking', 'set', code, '--customer-phone', '+61491570006')).customerId,
    known.customerId,
  );
  await app.drain();
  assert.deepEqual([...app.sms.sent, ...app.email.sent], []);
  const again = await succeed([...at, '--car-rego', 'rego 1', '--customer-name', 'Someone'], env);
  assert.match(
    again.stderr,
    /rego 1 is known as a car of Sam Taylor: pitlane booking set \w{8} --customer-phone "0491 570 006"/,
  );
});

test('create --here: it begins at the next quarter of an hour, marked so; only today', async () => {
  const now = Date.now();
  const { id, date } = await run('booking', 'create', '--here', '--car-rego', 'HERE1');
  const late = Date.parse(date) - now;
  assert.ok(Date.parse(date) % 900_000 === 0 && late >= 0 && late < 1_000_000, date);
  const [row] = await app.context.db.query<{ state: string }>(
    'SELECT state FROM attendance WHERE booking_id = $1',
    [id],
  );
  assert.equal(row?.state, 'here');
  const tomorrow = ['--booking-time', 'tomorrow 16:00', '--customer-name', 'Will'];
  await fails(2, /--here is for a time of today/, 'booking', 'create', '--here', ...tomorrow);
  await fails(
    2,
    /--booking-time is a required option, unless there is --here/,
    'booking',
    'create',
    '--customer-name',
    'W',
  );
});
