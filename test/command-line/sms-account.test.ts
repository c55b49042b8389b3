/** `pitlane workshop sms-account`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { env, workshopId } = await commandWorld();

test('set, changed, and taken away again', async () => {
  const command = ['workshop', 'sms-account', workshopId, 'messagemedia'];
  for (const account of ['Harbour', 'Carlton']) {
    assert.deepEqual(await json([...command, account], env), [
      { workshopId, gateway: 'messagemedia', account },
    ]);
  }
  assert.match((await succeed([...command, 'Carlton'], env)).stdout, /^messagemedia +Carlton$/m);
  assert.match((await succeed(command, env)).stdout, /the installation's accounts/);
  await fail(['workshop', 'sms-account', newId(), 'twilio', 'x'], env, 1, /the account must be a Messaging/);
});
