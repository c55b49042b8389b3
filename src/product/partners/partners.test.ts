import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { cheapHash } from '../../../test/harness/world.ts';
import { createPartner } from './create.ts';
import { setPartnerEmail } from './email.ts';
import { setFeature } from './features.ts';
import { createKey, deleteKey } from './keys.ts';
import { verifySecret } from './secret.ts';
import { setPartnerStatus } from './status.ts';
import { findPartner, listPartners } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock('2030-01-15T00:00:00Z');
const unknown = /there is no partner/;

async function secretHash(appKey: string): Promise<string> {
  const [row] = await db.query<{ hash: string }>('SELECT secret_hash AS hash FROM app_key WHERE id = $1', [
    appKey,
  ]);
  return row?.hash ?? '';
}

test('a new partner is active, may send messages, and has one key whose secret is stored only as a hash', async () => {
  const credentials = await createPartner({ db, clock }, '  Example Fleet ', actors.operator);
  const { partnerId, appKey, secret } = credentials;
  assert.deepEqual(await findPartner(db, partnerId), {
    partnerId,
    name: 'Example Fleet',
    email: null,
    status: 'active',
    messagingEnabled: true,
    campaignsEnabled: true,
    isDemo: false,
    appKeys: [appKey],
    createdAt: clock.now(),
  });
  const hash = await secretHash(appKey);
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(!hash.includes(secret));
  assert.equal(await verifySecret(secret, hash), true);
});

test('a name that is empty or too long is refused by field', async () => {
  for (const name of ['', '   ', 'x'.repeat(256), 'a\0b']) {
    await assert.rejects(createPartner({ db, clock }, name, actors.operator), (error: Error) => {
      assert.ok(error instanceof InvalidInput);
      assert.deepEqual(
        error.errors.map(({ field }) => field),
        ['name'],
      );
      return true;
    });
  }
});

test('several keys work side by side, and deleting one deletes its sign-ins and tokens', async () => {
  const first = await createPartner({ db, clock }, 'Two keys', actors.operator);
  const second = await createKey({ db, clock }, first.partnerId.toUpperCase(), actors.operator);
  assert.equal(second.partnerId, first.partnerId);
  assert.deepEqual(
    (await findPartner(db, first.partnerId))?.appKeys.toSorted(),
    [first.appKey, second.appKey].toSorted(),
  );

  const signIns = { [first.appKey]: newId(), [second.appKey]: newId() };
  for (const [appKey, id] of Object.entries(signIns)) {
    await db.query(`INSERT INTO sign_in (id, partner_id, app_key_id, created_at) VALUES ($1, $2, $3, $4)`, [
      id,
      first.partnerId,
      appKey,
      clock.now(),
    ]);
    await db.query(
      `INSERT INTO access_token (hash, sign_in_id, number, expires_at) VALUES (decode(md5($1), 'hex'), $2, 1, $3)`,
      [id, id, clock.now()],
    );
  }
  await deleteKey({ db, clock }, first.partnerId, first.appKey, actors.operator);
  assert.deepEqual((await findPartner(db, first.partnerId))?.appKeys, [second.appKey]);
  const left = await db.query<{ id: string }>('SELECT sign_in_id AS id FROM access_token');
  assert.deepEqual(left, [{ id: signIns[second.appKey] }]);
  await assert.rejects(
    deleteKey({ db, clock }, first.partnerId, first.appKey, actors.operator),
    /has no app key/,
  );
});

test("a partner's key can't be deleted as another's", async () => {
  const [one, two] = [
    await createPartner({ db, clock }, 'One', actors.operator),
    await createPartner({ db, clock }, 'Two', actors.operator),
  ];
  await assert.rejects(deleteKey({ db, clock }, one.partnerId, two.appKey, actors.operator), OperatorError);
  assert.deepEqual((await findPartner(db, two.partnerId))?.appKeys, [two.appKey]);
});

test('suspend and activate, messaging off and on: each is idempotent', async () => {
  const { partnerId } = await createPartner({ db, clock }, 'Switches', actors.operator);
  for (const status of ['suspended', 'suspended', 'active'] as const) {
    await setPartnerStatus({ db, clock }, partnerId, status, actors.operator);
    assert.equal((await findPartner(db, partnerId))?.status, status);
  }
  for (const enabled of [false, false, true]) {
    await setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled }, actors.operator);
    assert.equal((await findPartner(db, partnerId))?.messagingEnabled, enabled);
  }
});

test('the address of notices is set and cleared, and an invalid one changes nothing', async () => {
  const { partnerId } = await createPartner({ db, clock }, 'Address', actors.operator, cheapHash);
  const email = async () => (await findPartner(db, partnerId))?.email;
  assert.equal(
    await setPartnerEmail({ db, clock }, partnerId, ' it@partner.example ', actors.operator),
    'it@partner.example',
  );
  assert.equal(await email(), 'it@partner.example');
  for (const bad of ['it', 'it@', 'a b@partner.example', 'x@partner.example\r\nBcc: y@z.example'])
    await assert.rejects(setPartnerEmail({ db, clock }, partnerId, bad, actors.operator), InvalidInput);
  assert.equal(await email(), 'it@partner.example');
  assert.equal(await setPartnerEmail({ db, clock }, partnerId, '', actors.operator), null);
  assert.equal(await email(), null);
});

test('the refusal of an unknown partner names the id, whether it is a UUID or not', async () => {
  for (const partnerId of [newId(), 'nobody', '']) {
    await assert.rejects(createKey({ db, clock }, partnerId, actors.operator), unknown);
    await assert.rejects(deleteKey({ db, clock }, partnerId, 'ptl_key_x', actors.operator), unknown);
    await assert.rejects(
      setPartnerEmail({ db, clock }, partnerId, 'it@partner.example', actors.operator),
      unknown,
    );
    await assert.rejects(setPartnerStatus({ db, clock }, partnerId, 'suspended', actors.operator), unknown);
    await assert.rejects(
      setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled: false }, actors.operator),
      unknown,
    );
  }
});

test('partners are listed oldest first', async () => {
  const names = (await listPartners(db, null, 100)).map((partner) => partner.name);
  clock.advance({ seconds: 1 });
  await createPartner({ db, clock }, 'Newest', actors.operator);
  assert.deepEqual(
    (await listPartners(db, null, 100)).map((partner) => partner.name),
    [...names, 'Newest'],
  );
});
