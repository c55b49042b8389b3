/** Lists and shows of what people look for: links, leads, reminders, messages, partners, workshops; pages, `--all`, `--tz`, failures as JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { callWorld } from '../fixtures/call-leads.ts';
import { linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { fail, json, runHere, succeed } from './run.ts';

const world = await callWorld();
const { app, partner, workshopId } = world;
const env = { DATABASE_URL: app.databaseUrl };
const other = await signedInPartner(app, 'Other');
const shared = await linkedWorkshop(app, [partner, other], { name: 'Shared', slug: 'shared' });
const run = (...args: string[]) => json(args, env, runHere);
const text = async (...args: string[]) => await succeed(args, env, runHere);
const fails = (code: number, message: RegExp, ...args: string[]) => fail(args, env, code, message, runHere);

test('leads and reminders as people read them: times of the workshop, or of --tz, phones as its country writes them', async () => {
  const { id } = await world.record({ workshopId: shared, calledAt: '2030-03-07T10:00:00Z' });
  await world.record({ workshopId: shared, calledAt: '2030-03-06T10:00:00Z' });
  assert.match(
    (await text('lead', 'show', id)).stdout,
    /calledAt +2030-03-07 21:00\n[\s\S]*callerPhone +0491 570 \d{3}\n/,
  );
  const { stdout, stderr } = await text('lead', 'list', '--workshop', 'shared', '--limit', '1');
  assert.match(stdout, /^LEAD +CALLED .*\n\S+ +2030-03-07 21:00 /);
  assert.match(
    stderr,
    /^There are more: --before \S+ shows the next, --all shows all\.\nTimes are those of Australia\/Melbourne; /,
  );
  assert.match((await text('lead', 'list', '--workshop', shared, '--tz', 'UTC')).stdout, /2030-03-07 10:00/);
  // 7 March in Melbourne ends at 13:00 UTC.
  assert.equal(
    (await run('lead', 'list', '--workshop', shared, '--from', '2030-03-07', '--to', '2030-03-08')).length,
    1,
  );
  await fails(2, /--tz must be an IANA time zone/, 'lead', 'list', '--workshop', shared, '--tz', 'Mars');

  const { body } = await partner.call('POST', '/reminders/services', {
    workshopId,
    customerPhone: '0491570110',
  });
  assert.match(
    (await text('reminder', 'show', body.serviceReminder.code)).stdout,
    /status +sent\n[\s\S]*phone +0491 570 \d{3}\n/,
  );
  assert.match(
    (await text('reminder', 'list', '--workshop', workshopId)).stdout,
    /^CODE +STATUS +DUE +SENT[\s\S]* 0491 570 \d{3} /,
  );
});

test('link list and show, beside link itself', async () => {
  const all: { partnerId: string; workshopId: string }[] = await run('link', 'list');
  assert.equal(all.length, 3);
  const paged: unknown[] = [];
  for (let after: string[] = []; ; ) {
    const [row] = await run('link', 'list', '--limit', '1', ...after);
    if (row === undefined) break;
    paged.push(row);
    after = ['--after', `${row.partnerId}:${row.workshopId}`];
  }
  assert.deepEqual(paged, all);
  assert.equal((await run('link', 'list', '--partner', partner.partnerId)).length, 2);
  assert.equal((await run('link', 'list', '--workshop', 'shared')).length, 2);
  assert.equal((await run('link', 'list', '--workshop', 'shared', '--partner', other.partnerId)).length, 1);
  assert.equal((await run('link', other.partnerId, 'shared', '--off')).active, false);
  const shown = await run('link', 'show', other.partnerId, shared);
  assert.deepEqual(
    [shown.active, shown.partner, shown.workshop, shown.inboxMessagingEnabled],
    [false, 'Other', 'Shared', true],
  );
  assert.match((await text('link', 'list')).stdout, /Shared +off\n/);
  await fails(1, /is not linked/, 'link', 'show', other.partnerId, workshopId);
  await fails(2, /--after is not an id/, 'link', 'list', '--after', newId());
});

test('message list by workshop, customer, channel and state; show has the text and every attempt', async () => {
  const send = (workshop: string, phone: string) =>
    partner.call('POST', `/workshops/${workshop}/messages`, {
      phone,
      channels: { sms: { message: `To ${phone}` } },
    });
  await send(workshopId, '0491570006');
  await send(shared, '0491570006');
  const list = (...more: string[]) => run('message', 'list', '--state', 'all', '--since', '1h', ...more);
  const every: { messageId: string; workshopId: string; customerId: string; channel: string }[] =
    await list();
  assert.ok(every.length >= 3);
  const newestFirst = every.map(({ messageId }) => messageId);
  assert.deepEqual(newestFirst, newestFirst.toSorted().reverse());
  for (const [option, key, value] of [
    ['--workshop', 'workshopId', workshopId],
    ['--customer', 'customerId', every[0]?.customerId],
    ['--channel', 'channel', 'sms'],
  ] as const) {
    assert.deepEqual(
      await list(option, value ?? ''),
      every.filter((row) => row[key] === value),
      option,
    );
  }
  assert.deepEqual(
    await list('--workshop', workshopId, '--limit', '2'),
    every.filter((row) => row.workshopId === workshopId).slice(0, 2),
  );
  assert.deepEqual(await run('message', 'list', '--since', '1h'), []);

  const id = every[0]?.messageId ?? '';
  const shown = await run('message', 'show', id);
  assert.deepEqual([shown.body, shown.state, shown.tries.length], ['To 0491570006', 'accepted', 1]);
  assert.equal(shown.tries[0].gateway, 'recorded');
  assert.match(
    (await text('message', 'show', id)).stdout,
    /body +To 0491570006\n[\s\S]*\nATTEMPT +GATEWAY +STATE .*\n1 +recorded +accepted /,
  );
  await fails(1, /there is no message/, 'message', 'show', newId());
  await fails(2, /--customer is not an id/, 'message', 'list', '--customer', 'x');
});

test('partner and workshop: show, a slug in place of an id, pages', async () => {
  assert.equal((await run('workshop', 'show', 'shared')).workshopId, shared);
  const shown = (await text('workshop', 'show', shared)).stdout;
  assert.match(shown, /slug +shared\n/);
  assert.match(shown, /plainPage +(?:false|no|off)\n/);
  assert.deepEqual((await run('workshop', 'list', '--partner', other.partnerId)).length, 1);
  assert.equal((await run('workshop', 'list', '--limit', '1')).length, 1);
  assert.deepEqual(await run('workshop', 'list', '--all'), await run('workshop', 'list'));
  assert.equal((await run('partner', 'show', partner.partnerId)).name, 'Example Fleet');
  assert.equal((await run('partner', 'list', '--limit', '1')).length, 1);
  assert.equal((await run('workshop', 'set', 'shared', '--name', 'Shared Motors')).name, 'Shared Motors');
  await fails(1, /there is no partner/, 'partner', 'show', newId());
  await fails(1, /there is no workshop none/, 'workshop', 'show', 'none');
});

test('--all reads part after part: one JSON value, one table', async () => {
  await app.context.db.query(
    `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
     SELECT gen_random_uuid(), 'W', 'w-' || n, 'AU', 'Australia/Sydney', '+61255501234', 'w@w.example', now(), now() FROM generate_series(1, 1100) n`,
  );
  const all: { slug: string }[] = await run('workshop', 'list', '--all');
  assert.equal(new Set(all.map(({ slug }) => slug)).size, 1_102);
  assert.equal((await text('workshop', 'list', '--all')).stdout.split('\n').length, 1_104);
  assert.equal((await run('workshop', 'list', '--limit', '1000')).length, 1_000);
});

test('a failure with --json is one object on standard error, with the options that are wrong', async () => {
  const ran = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere([...args, '--json'], env);
    assert.equal(stdout, '');
    return { code, ...JSON.parse(stderr).error };
  };
  assert.deepEqual(await ran('booking', 'list', '--workshop', shared, '--status', 'x', '--limit', '0'), {
    code: 2,
    kind: 'usage',
    message:
      '--status must be one of pending, confirmed, completed, cancelled; --limit must be a whole number from 1 to 1000',
    fields: [
      { field: '--status', message: 'must be one of pending, confirmed, completed, cancelled' },
      { field: '--limit', message: 'must be a whole number from 1 to 1000' },
    ],
  });
  assert.deepEqual(await ran('booking', 'lst'), {
    code: 2,
    kind: 'usage',
    message: "unknown command 'lst' (Did you mean list?)",
  });
  assert.deepEqual(await ran('booking', 'move', 'AAAAAAAA'), {
    code: 2,
    kind: 'usage',
    message: "required option '--to <time>' not specified",
  });
  assert.equal((await ran('booking', 'show', 'AAAAAAAA')).kind, 'refused');
});
