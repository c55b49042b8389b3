/** Answers for passkeys that no browser makes: each is refused in words, or stored as it may be. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { fieldsOf, signedInPerson } from '../../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const [path, signIn] = ['/console/me/passkeys', '/console/sign-in/passkey'];
const { at, kim } = await (async () => {
  const person = await signedInPerson(app, [await linkedWorkshop(app, [])]);
  return { kim: person, at: (await signInAt(app, person.email)).at };
})();

const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
});

/** As an authenticator with a finger would make it, without an attestation. */
function registration(challenge: string, rawId: Buffer, transports: unknown): string {
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rawId.length);
  const authData = Buffer.concat([
    createHash('sha256').update('localhost').digest(),
    Buffer.from([0x45, 0, 0, 0, 0]),
    ...[Buffer.alloc(16), length, rawId, key],
  ]);
  const attestation = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]),
  );
  const client = { type: 'webauthn.create', challenge, origin: app.url.replace('127.0.0.1', 'localhost') };
  const id = rawId.toString('base64url');
  return JSON.stringify({
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports,
    },
  });
}

async function add(rawId: Buffer, transports: unknown) {
  const form = fieldsOf((await at.get(`${path}/new`)).text, path);
  const { challenge } = JSON.parse((await at.post(`${path}/options`)).text);
  return at.post(path, { ...form, name: 'Key', credential: registration(challenge, rawId, transports) });
}
const passkeys = () =>
  db.query<{ transports: string[] }>('SELECT transports FROM passkey WHERE person_id = $1 ORDER BY id', [
    kim.personId,
  ]);

test('ways to reach an authenticator are taken where they are texts', async () => {
  assert.equal((await add(randomBytes(32), ['usb', ['nfc']])).status, 200);
  assert.deepEqual(await passkeys(), [{ transports: ['usb'] }]);
});

test('an id longer than authenticators make is refused', async () => {
  const before = (await passkeys()).length;
  assert.equal((await add(randomBytes(1_024), [])).status, 422);
  assert.equal((await add(randomBytes(3_000), [])).status, 422);
  assert.equal((await passkeys()).length, before);
});

test('whatever is sent as an answer to a challenge of the sign-in is refused on its page', async () => {
  for (const credential of [
    '{"id":"\\u0000","response":{}}',
    '{"id":"\\ud800","response":{"userHandle":{}}}',
    `{"id":"${'x'.repeat(20_000)}","response":[]}`,
    '{"id":["x"],"response":{}}',
    '['.repeat(9_000),
    'null',
  ]) {
    const browser = visit(app);
    assert.equal((await browser.post(`${signIn}/options`)).status, 200);
    const refused = await browser.post(signIn, { credential });
    assert.equal(refused.status, 422, credential.slice(0, 40));
    assert.match(refused.text, /The passkey is not known here/);
  }
});
