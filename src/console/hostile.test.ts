/** Long because its tests share one office, whose records take a second to make. */
/**
 * Every address and form of the console with what nobody types by mistake, at records of a partner and a customer who mean harm: nothing
 * fails, nothing of theirs becomes markup, and whoever may not see phones and e-mails reads none.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { fieldAtMost } from '#platform/pages/field-lengths.ts';
import { labels } from '#product/booking-page/book/fields.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { createBlast } from '#product/campaigns/blasts/create.ts';
import { addNote } from '#product/messaging/inbox/desk/add-note.ts';
import { talksAt } from '../../test/fixtures/conversations.ts';
import { type FoundForm, postedForms } from '../../test/fixtures/forms.ts';
import { baseOf, type Person, type Shown, signedInPerson } from '../../test/fixtures/office.ts';
import { publishedTemplate } from '../../test/fixtures/templates.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { personRoutes, workshopRoutes } from './routes.ts';

const app = await startTestApp();
const { context } = app;
const { db, clock } = context;
const phone = '0491 570 156';
const email = 'sam@secret.example';
const markup = `<img src=x onerror=alert(1)>"'<script>alert(2)</script>`;
const bad = `${markup} ${phone} ${email} \u202e`;

let base = '';
let owner: Person;
let blind: Person;
let ids: Readonly<Record<string, string>> = {};

before(async () => {
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  await db.query('UPDATE partner SET name = $1', [`=cmd()${markup}`]);
  base = await baseOf(app, workshopId);
  owner = await signedInPerson(app, [workshopId]);
  blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  const made = async (path: string, record: string, body: object) => {
    const answer = await partner.call('POST', path, { workshopId, ...body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return String(answer.body[record].id);
  };
  const talks = talksAt(app, partner, workshopId);
  const customer = { customerName: `Sam ${bad}`, customerEmail: email };
  const services = [{ title: bad }];
  const talk = await talks.known(phone, { ...customer, services, notes: bad });
  await talks.heard({ phone: '+61491570156' }, `${bad}\0`);
  const message = await talks.answered(owner, talk, bad);
  await db.query(`UPDATE message SET state = 'failed', reason = 'refused' WHERE id = $1`, [message]);
  const at = { workshopId, conversationId: talk.conversationId };
  await addNote(context, { ...at, text: bad }, actors.person(owner.personId, 'r-1'));
  const [now, later] = [0, 86_400_000].map((ms) => new Date(clock.now().getTime() + ms).toISOString());
  const called = { callerPhone: phone, calledAt: now, outcome: 'missed', customerName: `Sam ${bad}` };
  const recordingUrl = 'https://recordings.example/0491570156';
  ids = {
    ...{ bookings: talk.bookingId, customers: talk.customerId, inbox: talk.conversationId },
    calls: await made('/leads/calls', 'callLead', { ...called, recordingUrl, notes: bad, source: phone }),
    quotes: await made('/quotes', 'quote', {
      ...{ ...customer, customerPhone: phone, carRego: 'ABC123', services, notes: bad },
    }),
    reminders: await made('/reminders/services', 'serviceReminder', { customerPhone: phone, sendAt: later }),
  };
  const campaign = {
    ...{ workshop: workshopId, name: `Winter ${markup}` },
    template: await publishedTemplate({ db, clock }, { workshopId, name: `T ${markup}`, body: bad }),
  };
  const automation = await createAutomation(
    { db, clock },
    { ...campaign, trigger: 'manual', quietHours: 'off' },
    actors.operator,
  );
  const blast = await createBlast(
    { db, clock },
    { ...campaign, audience: JSON.stringify({ tags: [`<img src=x onerror=alert(1)> ${phone}`] }) },
    actors.operator,
  );
  ids = { ...ids, automations: automation.id, blasts: blast.id };
  await app.drain();
});

const addressOf = (path: string, id = ids[path.split('/')[0] ?? ''] ?? newId()) =>
  `${base}/${path.replaceAll(/:\w+/g, id)}`;

const values = [
  '\0',
  '1e308',
  '-1',
  '0000-00-00',
  '9999-12-31',
  '__proto__',
  'toString',
  '9'.repeat(400),
  newId(),
];
/** What stands in a page where a name of every object was looked up. */
const ofEveryObject = /native code|\[object Object\]|\bfunction [\w ]*\(/;
const fields = [
  ...[
    'after',
    'answer',
    'anyway',
    'at',
    'bays',
    'before',
    'block',
    'booking',
    'by',
    'call',
    'change',
    'code',
  ],
  ...[
    'conversation',
    'customer',
    'date',
    'dates',
    'do',
    'doing',
    'done',
    'earlier',
    'email',
    'event',
    'fill',
  ],
  ...[
    'filter',
    'from',
    'how',
    'id',
    'like',
    'message',
    'name',
    'note',
    'notes',
    'number',
    'on',
    'page',
    'phone',
  ],
  ...['period', 'price1', 'q', 'quantity1', 'reason', 'rego', 'replaces', 'role', 'seen', 'service', 'state'],
  ...[
    'table',
    'template',
    'text',
    'time',
    'title1',
    'title999',
    'to',
    'twice',
    'validDays',
    'version',
    'which',
  ],
  ...['with', '__proto__', 'constructor'],
];
const bodies = [
  ...values.map((value) => fields.map((field) => `${field}=${encodeURIComponent(value)}`).join('&')),
  ...['a=1&'.repeat(500), 'q=%ED%A0%80&note=%ED%A0%80&answer=%ED%A0%80', 'q[]=1&q[a]=2&from=1&from=2&%zz=%'],
];

async function ask(method: string, path: string, body: string): Promise<Response> {
  const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' };
  if (method === 'GET') return fetch(`${app.url}${path}?${body}`, { redirect: 'manual', headers });
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const key = `key=${newId()}`;
  return fetch(`${app.url}${path}`, { method, redirect: 'manual', headers: form, body: `${body}&${key}` });
}

for (const { method, path } of workshopRoutes) {
  test(`${method} ${path}: what is sent never makes it fail, and no text becomes markup`, async () => {
    // Neither the posts of a minute nor the customers of an hour are tried here.
    await db.query('DELETE FROM attempt');
    for (const body of bodies) {
      const answer = await ask(method, addressOf(path), body);
      const text = await answer.text();
      const what = `${answer.status} ${body.slice(0, 60)}`;
      assert.ok(answer.status < 500 && answer.status !== 429, what);
      const type = answer.headers.get('content-type') ?? '';
      if (type.startsWith('text/html')) assert.doesNotMatch(text, /<img src=x|<script>alert/, what);
      if (type.startsWith('text/html')) assert.doesNotMatch(text, ofEveryObject, what);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/, what);
      if (answer.status !== 200) continue;
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, what);
      assert.doesNotMatch(policy, /unsafe/, what);
    }
    for (const id of ['x', '%00', '%ED%A0%80', 'a'.repeat(300)])
      if (path.includes(':')) {
        const { status } = await ask(method, addressOf(path, id), '');
        assert.ok(status >= 300 && status < 500, `${id}: ${status}`);
      }
  });
}

test('whoever may not see phones and e-mails finds none in any page, nor what is kept in its attributes (specification: The console 4)', async () => {
  await db.query('DELETE FROM attempt');
  const secret = /(?:0491 ?570 ?156|61 ?491 ?570 ?156|secret\.example)/;
  const queries = ['', '?filter=all', '?filter=failed', '?text=yes', `?call=${ids['calls']}`];
  for (const { path } of workshopRoutes.filter(({ method }) => method === 'GET'))
    for (const query of queries) {
      const { status, text } = await blind.get(`${addressOf(path)}${query}`);
      assert.ok(status < 500, path);
      const at = secret.exec(text)?.index ?? -1;
      assert.equal(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 20), '', `${path}${query}`);
    }
});

/** The names that the console's source reads from addresses: `query['said']`, `const { next } = queryOf(request)`. */
const parameters = [
  ...new Set(
    globSync(`${import.meta.dirname}/**/*.ts`).flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      return [
        ...[...source.matchAll(/\bquery\['(\w+)'\]/g)].map(([, name = '']) => name),
        ...[...source.matchAll(/\{ ([\w, ]+) \} = (?:queryOf\(|(?:\w+\.)?query\b)/g)].flatMap(
          ([, names = '']) => names.split(', '),
        ),
      ];
    }),
  ),
];

const fewAtATime = 8;

test('no parameter of a page takes the name of something that every object has', async () => {
  await db.query('DELETE FROM attempt');
  for (const name of ['said', 'done', 'filter', 'q', 'before', 'state', 'table', 'next'])
    assert.ok(parameters.includes(name), `${name} is not among ${parameters}`);
  const addresses = [
    ...workshopRoutes.filter(({ method }) => method === 'GET').map(({ path }) => addressOf(path)),
    ...personRoutes.filter(({ method }) => method === 'GET').map(({ path }) => `/console/${path}`),
    '/console/sign-in',
  ];
  for (const address of addresses) {
    const plain = (await owner.get(address)).status;
    const all = ['constructor', '__proto__', 'hasOwnProperty'].map((value) =>
      parameters.map((name) => `${name}=${value}`).join('&'),
    );
    // Some at a time: one that is refused may hide what the others do.
    const few = Array.from({ length: Math.ceil(parameters.length / fewAtATime) }, (_, n) =>
      parameters
        .slice(fewAtATime * n, fewAtATime * (n + 1))
        .map((name) => `${name}=toString`)
        .join('&'),
    );
    await Promise.all(
      [...all, ...few].map(async (query) => {
        const { status, text } = await owner.get(`${address}?${query}`);
        assert.ok(status < 500 && status !== 429, `${plain}, ${status}: ${address}?${query}`);
        assert.doesNotMatch(text, ofEveryObject, `${address}?${query}`);
      }),
    );
  }
});

/** Every form of the console as its pages have it, and the forms of customers' pages and the sign-in. */
async function everyForm(): Promise<FoundForm[]> {
  await db.query('DELETE FROM attempt');
  const forms = new Map<string, FoundForm>();
  const paths = [
    ...workshopRoutes.filter(({ method }) => method === 'GET').map(({ path }) => addressOf(path)),
    ...personRoutes.filter(({ method }) => method === 'GET').map(({ path }) => `/console/${path}`),
  ];
  for (const path of paths) {
    const { text } = await owner.get(path);
    for (const { action, fields: found } of postedForms(text, path)) {
      const { key: _, ...others } = { ...forms.get(action)?.fields, ...found };
      forms.set(action, { action, fields: others });
    }
  }
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'typed']));
  const slug = base.split('/').at(-1);
  const manage = await manageCode(db, ids['bookings'] ?? '');
  const [{ code } = { code: '' }] = await db.query<{ code: string }>('SELECT code FROM quote');
  return [
    ...forms.values(),
    { action: `/book/${slug}`, fields: of('service', 'time', 'formId', ...Object.keys(labels)) },
    { action: `/book/${slug}/manage`, fields: of('code', 'phone') },
    ...['move', 'cancel'].map((what) => ({
      action: `/b/${manage}/${what}`,
      fields: of('time', 'version', 'reason'),
    })),
    ...['accept', 'decline', 'again'].map((what) => ({
      action: `/q/${code}/${what}`,
      fields: of('time', 'version'),
    })),
    { action: '/console/sign-in', fields: of('email', 'next') },
    { action: '/console/sign-in/second', fields: of('code', 'recoveryCode', 'next') },
    { action: '/sandbox/answer', fields: of('message', 'body') },
    { action: '/sandbox/clock/move', fields: of('amount', 'unit') },
  ];
}

/** Sends it, and fails where that fails or keeps the process busy. */
async function quickly({ action, fields: sent }: FoundForm): Promise<Shown> {
  const before = process.cpuUsage();
  const answer = await owner.post(action, { ...sent, key: newId() });
  const tookMs = process.cpuUsage(before).user / 1_000;
  assert.ok(answer.status < 500, `${answer.status} ${action}`);
  assert.ok(tookMs < 1_500, `${tookMs} ms: ${action}`);
  return answer;
}

test('a field that is too long is refused at the field, and nothing of what was typed is lost (specification: The console 22)', async () => {
  const forms = await everyForm();
  assert.ok(forms.length > 40, `${forms.length} forms`);
  const [long, spaced] = ['x'.repeat(12_000), `1${' '.repeat(30_000)}1`];
  for (const { action, fields: sent } of forms) {
    await db.query('DELETE FROM attempt');
    const names = Object.keys(sent).filter((name) => fieldAtMost(name) < long.length);
    const pairs = names.flatMap((_, n) => (n % 2 === 0 ? [names.slice(n, n + 2)] : []));
    const tries = [...pairs.map((pair) => [pair, long] as const), [names.slice(0, 1), spaced] as const];
    for (const [those, value] of names.length > 0 ? tries : []) {
      const typed = { ...sent, other: '"kept"', ...Object.fromEntries(those.map((name) => [name, value])) };
      const { status, text } = await quickly({ action, fields: typed });
      assert.equal(status, 422, `${action} ${those}`);
      assert.equal(text.split(`>\n${value}</textarea>`).length, those.length + 1, `${action} ${those}`);
      assert.ok(text.includes(`name="other" value="&quot;kept&quot;"`), action);
      for (const name of those)
        assert.match(text, new RegExp(`<a href="#${name}">[A-Z].* has (?:12,000|30,002) characters`), action);
    }
  }
});

test('a field as long as it may be, in a form or an address, never fails', async () => {
  const opened = new Set(
    workshopRoutes.flatMap(({ method, path }) => (method === 'GET' ? addressOf(path) : [])),
  );
  for (const { action, fields: sent } of await everyForm()) {
    await db.query('DELETE FROM attempt');
    const longest = (name: string) => '[(1 '.repeat(Math.min(fieldAtMost(name), 12_000) / 4);
    // A form has at most 32 KB.
    for (let rest = Object.keys(sent); rest.length > 0; ) {
      const few = rest
        .slice(0, fieldAtMost(rest[0] ?? '') > 2_000 ? 1 : 5)
        .filter((name, n) => n === 0 || fieldAtMost(name) <= 2_000);
      rest = rest.filter((name) => !few.includes(name));
      await quickly({
        action,
        fields: { ...sent, ...Object.fromEntries(few.map((name) => [name, longest(name)])) },
      });
    }
    if (!opened.has(action)) continue;
    const query = Object.keys(sent).map(
      (name) => `${name}=${'x'.repeat(Math.floor(3_600 / Object.keys(sent).length) - name.length)}`,
    );
    const { status } = await owner.get(`${action}?${query.join('&')}`);
    assert.ok(status < 500, `${status} ${action}`);
  }
});
