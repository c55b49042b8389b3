/** `pitlane sms preview`: a text, a template, each notice; in words, as JSON, and what is wrong with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { messagingWorld } from '../fixtures/messaging.ts';
import { quoteBody } from '../fixtures/quote-api.ts';
import { fail, json, succeed } from './run.ts';

const { app, partner, workshopId, customer, book, template } = await messagingWorld();
const env = { DATABASE_URL: app.databaseUrl };
const preview = (...args: string[]) => ['sms', 'preview', ...args];
const link = `https://harbour.example/${'p'.repeat(120)}`;

test('a text: what carriers count, its parts, and what may break', async () => {
  const { stdout } = await succeed(preview('--text', 'Ready – at 5'), env);
  assert.match(stdout, /encoding +ucs2\nsegments +1\nunits +12\nperSegment +70\nunitsLeft +58\n/);
  assert.match(stdout, /outsideGsm +–\n/);
  assert.doesNotMatch(stdout, /part|Warning/);
  const text = `Your car is ready: ${link}.`;
  const inWords = await succeed(preview('--text', text), env);
  assert.match(
    inWords.stdout,
    /\npart 1 +Your car is ready:\npart 2 +https:\S+\nWarning: https:\S+ ends with \., /,
  );
  assert.deepEqual(await json(preview('--text', text), env), {
    ...{
      text,
      encoding: 'gsm7',
      segments: 2,
      units: text.length,
      perSegment: 153,
      unitsLeft: 306 - text.length,
    },
    ...{ outsideGsm: [], tooLong: false, parts: ['Your car is ready: ', `${link}.`] },
    warnings: [`${link}. ends with ., which phones may take for part of the link: put a space before it`],
  });
});

test('a template, filled with a customer or a booking', async () => {
  const { id, phone } = await customer();
  const templateId = await template('Hi {{ customer.name }}', { draft: true });
  const shown = await json(preview('--template', templateId, '--customer', id), env);
  assert.deepEqual([shown.text, shown.segments, shown.unitsLeft], ['Hi Ava Nguyen', 1, 147]);
  const bookingId = await book(phone);
  const about = await template('{{ car.rego }}: https://a.example/{{ booking.code }}');
  const filled = await json(preview('--template', about, '--booking', bookingId), env);
  assert.match(filled.text, /^ABC123: https:\/\/a\.example\/\w{8}$/);
  assert.deepEqual(filled.warnings, []);
});

test('a notice of a booking', async () => {
  const { phone } = await customer();
  const bookingId = await book(phone);
  await app.drain();
  const args = preview('--notice', 'bookingCreated.customer.sms', '--booking', bookingId);
  const { text, segments } = await json(args, env);
  assert.deepEqual([text, segments], [app.sms.to(phone)[0]?.body, 1]);
  assert.match((await succeed(args, env)).stdout, /^text +Harbour Motors: we have received/);
});

test('a notice of a quote', async () => {
  const { status, body } = await partner.call('POST', '/quotes', quoteBody(workshopId));
  assert.equal(status, 201);
  await priceQuote(app.context, {
    quoteId: body.quote.id,
    lines: ['Brake pads:2:94.50'],
    validDays: '14',
    message: undefined,
    actor: actors.operator,
  });
  const { text } = await json(preview('--notice', 'quoteQuoted.customer.sms', '--about', body.quote.id), env);
  assert.match(text, /^Harbour Motors: your quote for ABC123 is \$189\.00, valid until /);
});

test('template create warns of links that are likely to break', async () => {
  const { workshopId } = await json(['workshop', 'create', '--slug', 'links', ...workshop], env);
  const create = (body: string, ...more: string[]) =>
    succeed(
      ['template', 'create', '--workshop', workshopId, '--name', body, '--body', body, '--json', ...more],
      env,
    );
  const { stdout, stderr } = await create('Book: https://a.example/{{ workshop.slug }}. Or b.example');
  assert.equal(JSON.parse(stdout).warnings.length, 2);
  assert.match(stderr, /Warning: https:\/\/a\.example\/x\. ends with \., .*\nWarning: b\.example is no link/);
  for (const fine of [
    ['See https://a.example/{{ workshop.slug }} or call'],
    ['See https://a.example.', '--purpose', 'bookingCreated.customer.email'],
  ] as const) {
    const [body, ...more] = fine;
    assert.doesNotMatch((await create(body, ...more)).stderr, /Warning/);
  }
});

const workshop = [
  ...['--name', 'Carlton Motors', '--phone', '03 5550 0101', '--email', 'desk@carlton.example'],
  ...['--country', 'AU', '--timezone', 'Australia/Melbourne'],
];

test('every fault is named', async () => {
  await fail(preview(), env, 2, /give one of --text, --template and --notice/);
  await fail(preview('--text', ' '), env, 2, /--text must not be blank/);
  await fail(preview('--text', 'x', '--notice', 'y'), env, 2, /give one of/);
  await fail(preview('--text', 'x', '--customer', newId()), env, 2, /--customer goes with --template/);
  await fail(preview('--text', 'x', '--booking', newId()), env, 2, /--booking goes with/);
  await fail(preview('--notice', 'bookingCreated.customer.sms'), env, 2, /needs a --booking/);
  await fail(preview('--text', 'x', '--about', newId()), env, 2, /--about goes with --notice/);
  const both = ['--about', newId(), '--booking', newId()];
  await fail(preview('--notice', 'quoteQuoted.customer.sms', ...both), env, 2, /give one of --about/);
  const about = preview('--notice', 'quoteQuoted.customer.sms', '--about', newId());
  await fail(about, env, 1, /there is no quote/);
  await fail(
    preview('--notice', 'x', '--booking', newId()),
    env,
    2,
    /--notice must be one of bookingCreated/,
  );
  await fail(preview('--template', newId()), env, 1, /there is no template/);
  await fail(preview('--notice', 'bookingCreated.customer.sms', '--booking', newId()), env, 1, /no booking/);
});
