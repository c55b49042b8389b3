/** `pitlane partner`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, find } from './world.ts';

const { env, partnerId } = await commandWorld();

test('create prints the credentials, the secret this once', async () => {
  const made = await json(['partner', 'create', '--name', 'As JSON'], env);
  assert.deepEqual(Object.keys(made), ['partnerId', 'appKey', 'secret']);
  const { stdout, stderr } = await succeed(['partner', 'create', '--name', 'In words'], env);
  assert.match(stdout, /^partnerId +[\w-]{36}\nappKey +ptl_key_[\w-]{43}\nsecret +ptl_secret_[\w-]{43}\n$/);
  assert.match(stderr, /shown this once/);
});

test('list shows them, never a secret', async () => {
  const { stdout } = await succeed(['partner', 'list'], env);
  assert.match(stdout, new RegExp(`${partnerId} +Example Fleet +active +on +on +ptl_key_`));
  assert.doesNotMatch(stdout, /ptl_secret_/);
  const listed = await json(['partner', 'list'], env);
  assert.equal(find(listed, 'partnerId', partnerId)?.['name'], 'Example Fleet');
});

test('suspend, activate, keys', async () => {
  assert.match((await succeed(['partner', 'suspend', partnerId], env)).stdout, /is suspended/);
  assert.deepEqual(await json(['partner', 'activate', partnerId], env), { partnerId, status: 'active' });
  const key = await json(['partner', 'key', 'create', partnerId], env);
  assert.deepEqual([Object.keys(key), key.partnerId], [['partnerId', 'appKey', 'secret'], partnerId]);
  const gone = { partnerId, appKey: key.appKey, deleted: true };
  assert.deepEqual(await json(['partner', 'key', 'delete', partnerId, key.appKey], env), gone);
  await fail(['partner', 'key', 'delete', partnerId, key.appKey], env, 1, /has no app key/);
});

test('set: where notices to the partner go', async () => {
  const email = 'it@fleet.example';
  assert.deepEqual(await json(['partner', 'set', partnerId, '--email', email], env), { partnerId, email });
  assert.match((await succeed(['partner', 'list'], env)).stdout, /Example Fleet +it@fleet\.example +active/);
  assert.match((await succeed(['partner', 'set', partnerId, '--email', ''], env)).stdout, /go to nobody/);
  await fail(['partner', 'set', partnerId, '--email', 'it'], env, 2, /--email is not an e-mail address/);
  await fail(['partner', 'set', partnerId], env, 2, /'--email <address>' not specified/);
  await fail(['partner', 'set', newId(), '--email', email], env, 1, /there is no partner/);
});

test('every fault is named', async () => {
  await fail(['partner', 'create'], env, 2, /'--name <name>' not specified/);
  await fail(['partner', 'create', '--name', ' '], env, 2, /--name must have 1 to 255 characters/);
  await fail(
    ['partner', 'create', '--name', 'x', '--jsn'],
    env,
    2,
    /unknown option '--jsn' \(Did you mean --json\?\)/,
  );
  await fail(['partner', 'list', 'extra'], env, 2, /too many arguments/);
  await fail(['partner', 'suspend'], env, 2, /missing required argument 'partner'/);
  await fail(['partner', 'lst'], env, 2, /unknown command 'lst'/);
  for (const verb of [['suspend'], ['activate'], ['key', 'create']]) {
    await fail(['partner', ...verb, newId(), '--json'], env, 1, /there is no partner/);
  }
  await fail(['partner', 'key', 'delete', 'nobody', 'ptl_key_x'], env, 1, /there is no partner nobody/);
});
