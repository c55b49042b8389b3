/** `pitlane customer`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { customerId, db, env, newCustomer, workshopId } = await commandWorld();

test('list and show', async () => {
  const listed = await json(['customer', 'list', '--workshop', workshopId, '--phone', '0491 570 313'], env);
  assert.deepEqual(
    listed.map((row: { customerId: string }) => row.customerId),
    [customerId],
  );
  assert.match(
    (await succeed(['customer', 'list'], env)).stdout,
    /Ava Nguyen +0491 570 313 +ava@mail.example +no/,
  );
  assert.match((await succeed(['customer', 'show', customerId], env)).stdout, /name +Ava Nguyen\n/);
  const shown = await json(['customer', 'show', customerId], env);
  assert.deepEqual([shown.customerId, shown.cars], [customerId, []]);
  const next = await newCustomer('+61491570737');
  const { stderr } = await succeed(['customer', 'list', '--limit', '1', '--json'], env);
  assert.match(stderr, new RegExp(`--after ${customerId}`));
  const page = await json(['customer', 'list', '--after', customerId], env);
  assert.equal(page[0].customerId, next);
});

test('opt-out, opt-in and erase', async () => {
  const id = await newCustomer('+61491571266');
  assert.match((await json(['customer', 'opt-out', id], env)).optedOutAt, /Z$/);
  assert.equal((await json(['customer', 'opt-in', id], env)).optedOutAt, null);
  assert.match((await succeed(['customer', 'opt-out', id], env)).stdout, /has opted out/);
  await fail(['customer', 'erase', id], env, 2, /--yes/);
  assert.equal((await json(['customer', 'show', id], env)).name, 'Ava Nguyen');
  assert.equal((await json(['customer', 'erase', id, '--yes'], env)).customerId, id);
  assert.match((await succeed(['customer', 'erase', id, '--yes'], env)).stdout, /^customerId +/);
  assert.equal((await json(['customer', 'show', id], env)).name, 'Erased');
});

test('opt-in keeps how and when the customer agreed; what is wrong with either is named', async () => {
  const id = await newCustomer('+61491570156');
  await succeed(['customer', 'opt-out', id], env);
  await fail(['customer', 'opt-in', id, '--how', 'They rang'], env, 2, /--how and --on belong together/);
  await fail(
    ['customer', 'opt-in', id, '--how', 'ab', '--on', '2999-01-01'],
    env,
    2,
    /--how must have 3 to 255 characters; --on must not be in the future/,
  );
  assert.notEqual((await json(['customer', 'show', id], env)).optedOutAt, null);
  const agreed = ['--how', 'They rang', '--on', '2026-01-02'];
  assert.equal((await json(['customer', 'opt-in', id, ...agreed], env)).optedOutAt, null);
  const [event] = await db.query(
    `SELECT after FROM event WHERE subject_id = $1 AND kind = 'customer.optedIn'`,
    [id],
  );
  assert.deepEqual(event, { after: { optedOut: false, agreement: 'They rang', agreedOn: '2026-01-02' } });
});

test('export prints all that is held, in words and as JSON, with an entry of the trail for each', async () => {
  const id = await newCustomer('+61491570157');
  const { stdout } = await succeed(['customer', 'export', id], env);
  assert.match(stdout, /^CUSTOMER\n\nid +[\s\S]*name +Ava Nguyen[\s\S]*\nBOOKINGS\nnone/);
  const all = await json(['customer', 'export', id], env);
  assert.equal(all.customer[0].phone, '+61491570157');
  assert.deepEqual(all.bookings, []);
  assert.equal(all.changes.length, 2);
  await fail(['customer', 'export', newId()], env, 1, /there is no customer/);
  await succeed(['customer', 'erase', id, '--yes'], env);
  await fail(['customer', 'export', id], env, 1, /erased|not/i);
});

test('merge: the older stays, whichever is named first; only with --yes', async () => {
  const [older, newer] = [await newCustomer('+61491575254'), await newCustomer('+61491575789')];
  await fail(['customer', 'merge', newer, older], env, 2, /--yes/);
  const { stdout } = await succeed(['customer', 'merge', newer, older, '--yes'], env);
  assert.match(stdout, new RegExp(`^customer ${older} stays; ${newer} was merged`));
  assert.equal((await json(['customer', 'show', newer], env)).mergedInto, older);
  await fail(['customer', 'merge', newer, older, '--yes'], env, 1, /was merged into .* before/);
  await fail(['customer', 'merge', older, newId(), '--yes'], env, 1, /there is no customer/);
});

test('an address that bounced is shown, and mailed again when staff say so', async () => {
  const id = await newCustomer('+61491570110');
  await db.query(
    `UPDATE customer SET bounced_email = 'AVA@mail.example', email_bounced_at = now(), email_bounce = '550 5.1.1 gone' WHERE id = $1`,
    [id],
  );
  const shown = await json(['customer', 'show', id], env);
  assert.equal(shown.emailBounce, '550 5.1.1 gone');
  assert.match(
    (await succeed(['customer', 'show', id], env)).stdout,
    /emailBouncedAt +20.*\nemailBounce +550 5\.1\.1 gone\n/,
  );
  const { stdout } = await succeed(['customer', 'list', '--phone', '+61491570110'], env);
  assert.match(stdout, /BOUNCED[\s\S]* yes /);
  const after = await json(['customer', 'email-again', id], env);
  assert.deepEqual([after.emailBouncedAt, after.emailBounce], [null, null]);
  await fail(['customer', 'email-again', 'x'], env, 1, /there is no customer x/);
});

test('every fault is named', async () => {
  await fail(
    ['customer', 'list', '--limit', '0', '--phone', 'x'],
    env,
    2,
    /--phone is not a phone .*; --limit must be/,
  );
  await fail(['customer', 'list', '--workshop', newId()], env, 1, /there is no workshop/);
  for (const verb of ['show', 'opt-out', 'opt-in']) {
    await fail(['customer', verb, newId()], env, 1, /there is no customer/);
    await fail(['customer', verb], env, 2, /missing required argument/);
  }
  await fail(['customer', 'erase', newId(), '--yes', '--json'], env, 1, /there is no customer/);
});
