/** `pitlane template`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, find } from './world.ts';

const { env, workshopId } = await commandWorld();

let made = 0;
const create = (body: string, name = `Ready ${++made}`) =>
  ['template', 'create', '--workshop', workshopId, '--name', name, '--body', body] as string[];

test('create, publish, unpublish and list', async () => {
  const { templateId, ...rest } = await json(create('Hi {{ customer.firstName }}', 'Ready'), env);
  assert.deepEqual(rest, { version: 1, warnings: [] });
  const status = (status: string) => ({ templateId, status });
  assert.deepEqual(await json(['template', 'publish', templateId], env), status('published'));
  assert.match(
    (await succeed(['template', 'list', '--workshop', workshopId], env)).stdout,
    /Ready +inbox +published/,
  );
  assert.match((await succeed(['template', 'unpublish', templateId], env)).stdout, /is a draft\n$/);
  const listed = await json(['template', 'list', '--workshop', workshopId], env);
  assert.deepEqual(find(listed, 'templateId', templateId)?.['placeholders'], ['customer.firstName']);
  assert.match((await succeed(create('x'), env)).stdout, /^templateId +[\w-]{36}\nversion +1\n$/);
});

test('a notice that is replaced is named', async () => {
  const notice = () => json([...create('Booked'), '--purpose', 'bookingCreated.customer.sms'], env);
  const [first, second] = [await notice(), await notice()];
  await succeed(['template', 'publish', first.templateId], env);
  const { stderr } = await succeed(['template', 'publish', second.templateId, '--json'], env);
  assert.match(stderr, new RegExp(`${first.templateId} is a draft again`));
});

test('update makes versions, versions lists them, preview shows one', async () => {
  const { templateId } = await json(create('Hi {{ customer.firstName }}', 'Changing'), env);
  const update = ['template', 'update', templateId];
  const changed = await json([...update, '--body', 'Hello {{ customer.fristName }}'], env);
  assert.deepEqual([changed.templateId, changed.version], [templateId, 2]);
  assert.match(changed.warnings[0], /customer\.fristName .* did you mean customer\.firstName\?$/);
  const { stderr } = await succeed([...update, '--body', 'Hello {{ customer.frstName }}'], env);
  assert.match(stderr, /did you mean customer\.firstName\?\nIts text is changed by pitlane template update /);
  const versions = await json(['template', 'versions', templateId], env);
  assert.deepEqual(
    versions.map(({ version, body }: { version: number; body: string }) => [version, body]),
    [
      [3, 'Hello {{ customer.frstName }}'],
      [2, 'Hello {{ customer.fristName }}'],
      [1, 'Hi {{ customer.firstName }}'],
    ],
  );
  assert.match(
    (await succeed(['template', 'versions', templateId, '--limit', '1'], env)).stdout,
    /^VERSION .*\n3 .* Hello \{\{ customer\.frstName \}\}\n$/,
  );
  const preview = ['template', 'preview', templateId];
  assert.match(
    (await succeed([...preview, '--version', '1'], env)).stdout,
    /^Hi Sam\n\n(?:.*\n)*segments +1\n/,
  );
  const shown = await json(preview, env);
  assert.deepEqual([shown.version, shown.text, shown.sample], [3, 'Hello', ['customer.frstName']]);
  assert.equal(shown.sms.segments, 1);
});

test('every fault is named', async () => {
  await fail(create('{{ shoe.size }}'), env, 2, /--body unknown placeholder shoe/);
  await fail([...create('x'), '--purpose', 'post'], env, 2, /--purpose must be inbox or a notice/);
  await fail([...create('x'), '--workshop', newId()], env, 1, /there is no workshop/);
  await fail(['template', 'create', '--name', 'x'], env, 2, /--body/);
  await fail(['template', 'publish', newId()], env, 1, /there is no template/);
  await fail(['template', 'unpublish', 'none'], env, 1, /there is no template none/);
  await fail(
    create('{{ firstName }}'),
    env,
    2,
    /--body unknown placeholder firstName: did you mean customer\.firstName\?/,
  );
  await succeed(create('x', 'Taken'), env);
  await fail(create('x', 'TAKEN'), env, 2, /--name "TAKEN" is the name of another template/);
  const { templateId } = await json(create('x'), env);
  await fail(['template', 'update', templateId], env, 2, /at least one of --name, --body and --subject/);
  await fail(['template', 'update', templateId, '--name', 'taken'], env, 2, /--name "taken" is the name/);
  await fail(['template', 'update', newId(), '--body', 'x'], env, 1, /there is no template/);
  await fail(['template', 'versions', newId()], env, 1, /there is no template/);
  await fail(['template', 'preview', newId()], env, 1, /there is no template/);
  await fail(
    ['template', 'preview', templateId, '--version', '2'],
    env,
    1,
    /has no version 2 \(pitlane template versions/,
  );
  await fail(
    ['template', 'preview', templateId, '--version', '0'],
    env,
    2,
    /--version must be a whole number/,
  );
  await fail(['template', 'list', '--workshop', newId()], env, 1, /there is no workshop/);
});
