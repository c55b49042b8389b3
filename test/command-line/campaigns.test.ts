/** `pitlane automation`, `pitlane blast`, `pitlane customer tag`: as text, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { automationWorld } from '../fixtures/campaigns.ts';
import { fail, json, succeed } from './run.ts';

const { app, workshopId, template, customers, trigger, work } = await automationWorld();
const env = { DATABASE_URL: app.databaseUrl };
const templateId = await template();
const [customerId = ''] = await customers(2);
const of = ['--workshop', workshopId, '--name', 'N', '--template', templateId];
const run = (...args: string[]) => json(args, env);

test('automation: create, list, pause, resume, runs', async () => {
  const made = await run(
    'automation',
    'create',
    ...of,
    '--trigger',
    'manual',
    '--offset-minutes',
    '5',
    '--quiet-hours',
    'off',
    '--service-category',
    'tyres',
  );
  assert.deepEqual(
    [made.type, made.offsetMinutes, made.quietHours, made.conditions, made.status],
    ['manual', 5, null, { serviceCategories: ['tyres'] }, 'active'],
  );
  const id = made.automationId;
  assert.equal((await run('automation', 'pause', id)).status, 'paused');
  await trigger(id, { customerId });
  assert.equal((await run('automation', 'resume', id)).status, 'active');
  await trigger(id, { customerId });
  const runs = await run('automation', 'runs', id);
  assert.deepEqual(
    runs.map(({ status, reason }: Record<string, unknown>) => [status, reason]),
    [
      ['scheduled', null],
      ['skipped', 'paused'],
    ],
  );
  assert.equal((await run('automation', 'runs', id, '--status', 'skipped', '--limit', '1')).length, 1);
  assert.match(
    (await succeed(['automation', 'list', '--workshop', workshopId], env)).stdout,
    /N +manual +5 +active/,
  );
  await fail(['automation', 'runs', id, '--status', 'x'], env, 2, /scheduled, sent, failed, skipped/);
  for (const verb of ['pause', 'runs'])
    await fail(['automation', verb, newId()], env, 1, /there is no automation/);
});

test('automation create names every bad field', async () => {
  const bad = [
    '--workshop',
    workshopId,
    '--name',
    ' ',
    '--template',
    newId(),
    '--trigger',
    'never',
    '--offset-minutes',
    '-1',
  ];
  const more = ['--quiet-hours', '20:00-20:00', '--min-days-since-last-booking', 'x'];
  await fail(
    ['automation', 'create', ...bad, ...more],
    env,
    2,
    /--name must .*--trigger must be one of .*--offset-minutes .*--quiet-hours .*--min-days-since-last-booking.*--template is not a template/,
  );
  const needs = await template('{{ booking.code }}');
  await fail(
    [
      'automation',
      'create',
      '--workshop',
      workshopId,
      '--name',
      'N',
      '--template',
      needs,
      '--trigger',
      'callMissed',
    ],
    env,
    2,
    /--template needs a booking/,
  );
});

test('blast: create, preview, trigger, pause, resume, cancel, show, list; tags of customers', async () => {
  assert.deepEqual((await run('customer', 'tag', customerId, '--add', 'vip', '--add', 'fleet')).tags, [
    'fleet',
    'vip',
  ]);
  assert.deepEqual((await run('customer', 'tag', customerId, '--remove', 'fleet')).tags, ['vip']);
  await fail(['customer', 'tag', newId(), '--add', 'x'], env, 1, /there is no customer/);
  await fail(['customer', 'tag', customerId, '--add', ' '], env, 2, /--add must have 1 to 64/);
  const { blastId } = await run('blast', 'create', ...of, '--audience', '{"tags":["vip"]}');
  assert.equal((await run('blast', 'preview', blastId)).recipients, 1);
  assert.match(
    (await succeed(['blast', 'preview', blastId], env)).stdout,
    /^recipients +1\nNAME +PHONE +PARTS +TEXT\n.* 04\d\d \d{3} \d{3} /,
  );
  const triggered = await run('blast', 'trigger', blastId, '--at', '2040-05-01 09:00');
  assert.deepEqual([triggered.status, triggered.scheduledAt], ['scheduled', '2040-04-30T23:00:00.000Z']);
  await fail(['blast', 'trigger', blastId], env, 1, /is scheduled; only a draft/);
  assert.equal((await run('blast', 'pause', blastId)).status, 'paused');
  assert.equal((await run('blast', 'resume', blastId)).status, 'scheduled');
  assert.equal((await run('blast', 'cancel', blastId)).status, 'cancelled');
  const second = (await run('blast', 'create', ...of)).blastId;
  await run('blast', 'trigger', second);
  await work();
  assert.deepEqual((await run('blast', 'show', second)).counts.sent, 2);
  assert.match((await succeed(['blast', 'list', '--workshop', workshopId], env)).stdout, /N +completed/);
  await fail(['blast', 'trigger', second, '--at', 'soon'], env, 2, /--at must be like 2030-03-03/);
  for (const verb of ['show', 'preview', 'pause', 'trigger'])
    await fail(['blast', verb, newId()], env, 1, /there is no blast/);
  await fail(['blast', 'create', ...of, '--audience', '{"x":1}'], env, 2, /audience.*x.* is unknown/);
});
