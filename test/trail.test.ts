/** Long because it is one table of acts. What changes without an event, by each edge: its entry in the audit trail, which holds no secret; and the list of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, runHere, succeed } from './command-line/run.ts';
import { automationWorld } from './fixtures/campaigns.ts';
import { signedInPerson } from './fixtures/office.ts';

const { app, partner, workshopId, template, customers, trigger } = await automationWorld();
const { db } = app.context;
const env = { DATABASE_URL: app.databaseUrl, PITLANE_PUBLIC_URL: 'https://book.example' };
const pitlane = (...args: string[]) => json(args, env, runHere);
const templateId = await template();
const [customerId = '', erasedId = ''] = await customers(2);
await db.query('UPDATE workshop SET booking_page = true');

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly requestId: string | null;
  readonly workshopId: string | null;
  readonly partnerId: string | null;
  readonly subjectId: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}
const entries = () =>
  db.query<Entry>(
    'SELECT id, action, actor, request_id, workshop_id, partner_id, subject_id, before, after FROM audit_entry ORDER BY id',
  );
/** The entries that the act leaves. */
async function left(act: () => Promise<unknown>): Promise<Entry[]> {
  const before = new Set((await entries()).map(({ id }) => id));
  await act();
  return (await entries()).filter(({ id }) => !before.has(id));
}

const secrets: string[] = [];
/** Of an answer that shows secrets. */
function secretOf(answer: Readonly<Record<string, string>>, field: string): string {
  const value = answer[field] ?? assert.fail(`the answer has no ${field}`);
  secrets.push(value);
  return value;
}

let asked = 0;
async function call(method: string, path: string, body?: object) {
  const headers = { 'x-request-id': `asked-${++asked}` };
  const answer = await partner.call(method, path, body, { headers });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

const made: Record<string, string> = {};
const the = (name: string) => made[name] ?? assert.fail(`nothing made ${name}`);
const ofWorkshop = () => ['--workshop', workshopId];

/** Each act by its actions, in their order; those of the API begin with its method. */
const acts: Readonly<Record<string, readonly [actions: readonly string[], act: () => Promise<unknown>]>> = {
  'workshop create': [
    ['workshop.created'],
    () =>
      pitlane(
        ...['workshop', 'create', '--name', 'Second', '--phone', '03 5550 0100', '--email', 'a@b.example'],
        ...['--country', 'AU', '--timezone', 'Australia/Melbourne'],
      ),
  ],
  'workshop set': [['workshop.changed'], () => pitlane('workshop', 'set', workshopId, '--colour', '#123456')],
  'workshop calendar': [
    ['workshop.calendarMade', 'workshop.calendarRevoked'],
    async () => {
      secretOf(await pitlane('workshop', 'calendar', workshopId), 'url');
      await pitlane('workshop', 'calendar', workshopId, '--revoke');
    },
  ],
  'workshop sms-account': [
    ['workshop.smsAccountSet'],
    () => pitlane('workshop', 'sms-account', workshopId, 'messagemedia', 'sub-1'),
  ],
  'workshop sms-name': [
    ['workshop.changed', 'workshop.smsNameRegistered', 'workshop.smsNameWithdrawn'],
    async () => {
      await pitlane('workshop', 'set', workshopId, '--sms-sender', 'Harbour');
      await pitlane('workshop', 'sms-name', workshopId, 'twilio');
      await pitlane('workshop', 'sms-name', workshopId, 'twilio', '--withdraw');
    },
  ],
  'workshop booking-link': [
    ['link.bookingLinkShown', 'link.bookingLinksRevoked'],
    async () => {
      const of = ['workshop', 'booking-link', workshopId, '--partner', partner.partnerId];
      secretOf(await pitlane(...of), 'url');
      await pitlane(...of, '--revoke');
    },
  ],
  'partner create, set, suspend and activate': [
    ['partner.created', 'partner.emailSet', 'partner.statusSet', 'partner.statusSet', 'partner.featureSet'],
    async () => {
      const created = await pitlane('partner', 'create', '--name', 'New');
      secretOf(created, 'secret');
      made['partner'] = created.partnerId;
      await pitlane('partner', 'set', the('partner'), '--email', 'it@new.example');
      await pitlane('partner', 'suspend', the('partner'));
      await pitlane('partner', 'activate', the('partner'));
      await pitlane('feature', the('partner'), 'messaging', 'off');
    },
  ],
  'partner key': [
    ['partner.keyCreated', 'partner.keyDeleted'],
    async () => {
      const key = await pitlane('partner', 'key', 'create', the('partner'));
      secretOf(key, 'secret');
      await pitlane('partner', 'key', 'delete', the('partner'), key.appKey);
    },
  ],
  link: [
    ['link.changed', 'link.changed'],
    async () => {
      await pitlane('link', the('partner'), workshopId);
      await pitlane('link', the('partner'), workshopId);
      await pitlane('link', the('partner'), workshopId, '--off');
    },
  ],
  'template create, set, publish and unpublish': [
    ['template.created', 'template.changed', 'template.published', 'template.unpublished'],
    async () => {
      const { templateId: id } = await pitlane(
        ...['template', 'create', ...ofWorkshop(), '--name', 'Hello', '--body', 'Hi'],
      );
      await pitlane('template', 'update', id, '--body', 'Hi {{ customer.name }}');
      await pitlane('template', 'publish', id);
      await pitlane('template', 'unpublish', id);
    },
  ],
  'automation create, pause and resume': [
    ['automation.created', 'automation.changed', 'automation.changed'],
    async () => {
      const { automationId: id } = await pitlane(
        ...['automation', 'create', ...ofWorkshop(), '--name', 'A', '--trigger', 'manual'],
        ...['--template', templateId],
      );
      made['automation'] = id;
      for (const change of ['pause', 'pause', 'resume']) await pitlane('automation', change, id);
    },
  ],
  'blast create, trigger and cancel': [
    ['blast.created', 'blast.triggered', 'blast.changed'],
    async () => {
      const { blastId: id } = await pitlane(
        ...['blast', 'create', ...ofWorkshop(), '--name', 'B', '--template', templateId],
      );
      await pitlane('blast', 'trigger', id, '--at', '2039-05-01 09:00');
      await pitlane('blast', 'cancel', id);
    },
  ],
  'booking block and unblock': [
    ['block.made', 'block.ended'],
    async () => {
      const { id } = await pitlane(
        ...['booking', 'block', workshopId, '--from', '2039-05-01', '--to', '2039-05-02'],
        ...['--reason', 'Broken hoist'],
      );
      await pitlane('booking', 'unblock', id);
    },
  ],
  'customer tag': [
    ['customer.tagged'],
    async () => {
      await pitlane('customer', 'tag', customerId, '--add', 'fleet');
      await pitlane('customer', 'tag', customerId, '--add', 'fleet');
    },
  ],
  'customer email-again': [['customer.emailedAgain'], () => pitlane('customer', 'email-again', customerId)],
  'message send': [
    ['customer.textAllowed', 'customer.texted'],
    () =>
      pitlane(
        'message',
        'send',
        ...ofWorkshop(),
        '--customer',
        customerId,
        '--text',
        'At 5 pm, dear Quentin.',
        ...['--reason', 'They asked for it'],
      ),
  ],
  'customer export': [['customer.exported'], () => pitlane('customer', 'export', erasedId)],
  'customer erase': [['customer.erased'], () => pitlane('customer', 'erase', erasedId, '--yes')],
  'POST, PATCH and DELETE /webhooks, POST /webhooks/{id}/rotate-secret': [
    ['webhook.created', 'webhook.changed', 'webhook.secretRotated', 'webhook.deleted'],
    async () => {
      const { webhook, secret } = await call('POST', '/webhooks', {
        ...{ url: 'https://hooks.example/in?key=SECRETQUERY', actions: ['bookingCreate'] },
      });
      secrets.push(secret, 'SECRETQUERY');
      await call('PATCH', `/webhooks/${webhook.id}`, { description: 'Ours' });
      await call('PATCH', `/webhooks/${webhook.id}`, { description: 'Ours' });
      secretOf(await call('POST', `/webhooks/${webhook.id}/rotate-secret`, {}), 'secret');
      await call('DELETE', `/webhooks/${webhook.id}`);
    },
  ],
  'webhook disable and enable': [
    ['webhook.changed', 'webhook.changed'],
    async () => {
      const { webhook, secret } = await call('POST', '/webhooks', {
        ...{ url: 'https://hooks.example/in', actions: ['bookingCreate'] },
      });
      secrets.push(secret);
      await pitlane('webhook', 'disable', webhook.id);
      await pitlane('webhook', 'enable', webhook.id);
    },
  ],
  'person sign-out': [
    ['person.signedOut'],
    async () => {
      const { email } = await signedInPerson(app, [workshopId]);
      await pitlane('person', 'sign-out', email);
      await pitlane('person', 'sign-out', email);
    },
  ],
  'dead-letter retry and discard': [
    ['deadLetter.retried', 'deadLetter.discarded'],
    async () => {
      const letter = async () => {
        const id = newId();
        await db.query(
          `INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
           VALUES ($1, 'expireQuote', $2, 'error', 'x', 12, now())`,
          [id, JSON.stringify({ quoteId: newId() })],
        );
        return id;
      };
      await pitlane('dead-letter', 'retry', await letter());
      await pitlane('dead-letter', 'discard', await letter());
    },
  ],
  'POST an automation’s trigger': [
    ['automation.triggered'],
    () => trigger(the('automation'), { customerId }),
  ],
};

for (const [name, [actions, act]] of Object.entries(acts)) {
  test(`${name}: ${actions.join(', ')} (specification: Audit trail 1)`, async () => {
    const found = (await left(act)).filter(({ action }) => actions.includes(action));
    assert.deepEqual(
      found.map(({ action }) => action),
      actions,
    );
    const isOfApi = /^[A-Z]/.test(name);
    for (const { action, actor, requestId, subjectId, workshopId: where, partnerId, ...of } of found) {
      assert.equal(actor, isOfApi ? partner.appKey : 'operator', action);
      assert.equal(requestId === null, !isOfApi, action);
      assert.ok(subjectId, action);
      if (isOfApi) assert.equal(partnerId, partner.partnerId);
      if (/^(?:link|block|customer|blast|automation|template)\./.test(action))
        assert.equal(where, workshopId);
      if (/changed$|Set$/.test(action)) assert.ok(of.after && Object.keys(of.after).length > 0, action);
      if (of.before && of.after) assert.notDeepEqual(of.before, of.after, action);
    }
  });
}

test('an import of a set-up names the sections that differ, of lists their entries (specification: Audit trail 5)', async () => {
  const setup = await pitlane('workshop', 'export', workshopId);
  const { importWorkshop } = await import('#product/availability/set-up/import.ts');
  const { actors } = await import('#base/values/actor.ts');
  const again = () => importWorkshop({ db, clock: app.clock }, JSON.stringify(setup), actors.operator);
  assert.deepEqual(await left(again), []);
  setup.settings.reminderMonths = 7;
  setup.custom.push({ date: '2039-12-25', hours: [] });
  const [entry, ...more] = await left(again);
  assert.deepEqual([entry?.action, more.length], ['workshop.setUp', 0]);
  assert.equal(entry?.after?.['reminderMonths'], 7);
  assert.equal([entry?.after?.['custom']].flat().length, 1);
  assert.deepEqual(Object.keys(entry?.before ?? {}).sort(), ['custom', 'reminderMonths']);
});

test('that a text was handed over by the schedule is no entry (specification: Audit trail 6)', async () => {
  await app.drain();
  const later = await db.query<{ actor: string }>(`SELECT actor FROM event WHERE kind LIKE 'message.%'`);
  assert.ok(later.some(({ actor }) => actor === 'schedule'));
  const kept = (await entries()).filter(({ actor }) => actor === 'schedule' || actor === 'gateway');
  assert.deepEqual(
    kept.filter(({ action }) => action.startsWith('message.')),
    [],
  );
});

test('no entry holds a secret, a text or what an erasure took (specification: Audit trail 3)', async () => {
  assert.ok(secrets.length > 7);
  const all = JSON.stringify(await entries());
  for (const secret of secrets) assert.ok(!all.includes(secret), secret);
  assert.doesNotMatch(all, /ptl_secret_|whsec_|ptl_cal_|SECRETQUERY|Quentin/);
  const [erased] = (await entries()).filter(({ action }) => action === 'customer.erased');
  assert.deepEqual(
    Object.values(erased?.after ?? {}).filter((value) => typeof value !== 'number'),
    [],
  );
});

test('audit list: of a workshop, a subject by id or code, a person; by pages, as text and JSON', async () => {
  const all = await pitlane('audit', 'list', '--all');
  assert.ok(all.length > 25);
  const page = await pitlane('audit', 'list', '--limit', '2', '--before', all[2].id);
  assert.deepEqual(page, all.slice(3, 5));
  const ofIt = await pitlane('audit', 'list', ...ofWorkshop(), '--all');
  assert.ok(ofIt.length > 10 && ofIt.length < all.length);
  const tagged = await pitlane('audit', 'list', '--subject', customerId);
  assert.deepEqual([...new Set(tagged.map(({ subjectId }: Entry) => subjectId))], [customerId]);
  const { booking } = await call('POST', '/bookings', {
    ...{ workshopId, carRego: 'ABC 123', bookingTime: '2030-06-03T00:00:00Z', customerPhone: '0491 570 006' },
    ...{ customerName: 'Sam Taylor', customerEmail: 'sam@customer.example' },
  });
  const [first, ...more] = await pitlane('audit', 'list', '--subject', booking.code.toLowerCase());
  assert.deepEqual([first.action, more.length], ['booking.created', 0], 'before it is relayed');
  const { stdout } = await succeed(['audit', 'list', '--subject', customerId], env, runHere);
  assert.match(stdout, /^TIME +WHO +WHAT +SUBJECT/);
  assert.match(stdout, /Command line +customer\.tagged/);
  assert.deepEqual(await pitlane('audit', 'list', '--person', customerId), []);
  const bad = (option: string, value: string, said: RegExp) =>
    fail(['audit', 'list', option, value], env, 2, said, runHere);
  await bad('--subject', 'ZZZZZZZZ', /subject is neither an id nor the code/);
  await bad('--person', 'kim', /person is not an id/);
  await fail(['audit', 'list', '--workshop', 'none'], env, 1, /there is no workshop none/, runHere);
});
