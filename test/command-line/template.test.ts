/** `pitlane template`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, find } from './world.ts';

const { env, workshopId } = await commandWorld();

const create = (body: string) => [
  'template',
  'create',
  '--workshop',
  workshopId,
  '--name',
  'Ready',
  '--body',
  body,
];

test('create, publish, unpublish and list', async () => {
  const { templateId, ...rest } = await json(create('Hi {{ customer.firstName }}'), env);
  assert.deepEqual(rest, {});
  const status = (status: string) => ({ templateId, status });
  assert.deepEqual(await json(['template', 'publish', templateId], env), status('published'));
  assert.match(
    (await succeed(['template', 'list', '--workshop', workshopId], env)).stdout,
    /Ready +inbox +published/,
  );
  assert.match((await succeed(['template', 'unpublish', templateId], env)).stdout, /is a draft\n$/);
  const listed = await json(['template', 'list', '--workshop', workshopId], env);
  assert.deepEqual(find(listed, 'templateId', templateId)?.['placeholders'], ['customer.firstName']);
  assert.match((await succeed(create('x'), env)).stdout, /^templateId +[\w-]{36}\n$/);
});

test('a notice that is replaced is named', async () => {
  const notice = [...create('Booked'), '--purpose', 'bookingCreated.customer.sms'];
  const [first, second] = [await json(notice, env), await json(notice, env)];
  await succeed(['template', 'publish', first.templateId], env);
  const { stderr } = await succeed(['template', 'publish', second.templateId, '--json'], env);
  assert.match(stderr, new RegExp(`${first.templateId} is a draft again`));
});

test('every fault is named', async () => {
  await fail(create('{{ shoe.size }}'), env, 2, /--body unknown placeholder shoe/);
  await fail([...create('x'), '--purpose', 'post'], env, 2, /--purpose must be inbox or a notice/);
  await fail([...create('x'), '--workshop', newId()], env, 1, /there is no workshop/);
  await fail(['template', 'create', '--name', 'x', '--body', 'x'], env, 2, /--workshop/);
  await fail(['template', 'publish', newId()], env, 1, /there is no template/);
  await fail(['template', 'unpublish', 'none'], env, 1, /there is no template none/);
  await fail(['template', 'list', '--workshop', newId()], env, 1, /there is no workshop/);
  await fail(['template', 'list'], env, 2, /--workshop/);
});
