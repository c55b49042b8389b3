import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { hashSecret, newAppKey, newSecret, verifySecret } from './secret.ts';

test('keys and secrets have their prefix and 256 random bits (specification: Signing in 4)', () => {
  assert.match(newAppKey(), /^ptl_key_[\w-]{43}$/);
  assert.match(newSecret(), /^ptl_secret_[\w-]{43}$/);
  assert.notEqual(newAppKey(), newAppKey());
  assert.notEqual(newSecret(), newSecret());
});

test('a hash is argon2id with its parameters and a new salt', async () => {
  const [one, two] = await Promise.all([hashSecret('ptl_secret_x'), hashSecret('ptl_secret_x')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, two);
});

test('a secret is verified by its hash, and no other secret is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: anyCharacter }),
      async (secret, other) => {
        const hash = await hashSecret(secret);
        assert.equal(await verifySecret(secret, hash), true);
        assert.equal(await verifySecret(other, hash), other === secret);
      },
    ),
    { numRuns: 8 },
  );
});

test('a hash made with other parameters still verifies', async () => {
  const hash = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$';
  const { argon2Sync } = await import('node:crypto');
  const nonce = Buffer.from('somesaltsomesalt');
  const parameters = { message: 'secret', nonce, memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', parameters).toString('base64').replace('=', '');
  assert.equal(await verifySecret('secret', hash + tag), true);
  assert.equal(await verifySecret('Secret', hash + tag), false);
});

test('a text that is not a hash verifies no secret', async () => {
  for (const hash of ['', 'secret', '$argon2i$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA', '$argon2id$v=19$m=64$x$y']) {
    assert.equal(await verifySecret('secret', hash), false);
  }
});
