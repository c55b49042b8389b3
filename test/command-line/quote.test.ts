/** `pitlane quote`: list, show, price and decline, as text, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { quoteWorld } from '../fixtures/quote-api.ts';
import { fail, json, succeed } from './run.ts';

const { app, partner, workshopId, ask, read } = await quoteWorld();
const env = { DATABASE_URL: app.databaseUrl, PITLANE_PUBLIC_URL: 'https://quotes.example' };
const lines = ['--line', 'Brake pads:2:94.50', '--line', 'Labour:1.5:120'];

test('price sets what GET /quotes/{id} shows; list and show find it by its id and its code', async () => {
  const asked = await ask({ carMake: 'Toyota' });
  const price = [
    'quote',
    'price',
    asked.code.toLowerCase(),
    ...lines,
    '--valid-days',
    '14',
    '--message',
    'Soon.',
  ];
  const priced = await json(price, env);
  const quote = await read(asked.id);
  assert.deepEqual([quote.status, quote.total, quote.message], ['quoted', 369, 'Soon.']);
  assert.equal(quote.url, `https://quotes.example/q/${asked.code}`);
  const { partnerId, partner: name, timezone, country, ...rest } = priced;
  assert.deepEqual(rest, quote);
  assert.deepEqual([partnerId, name], [partner.partnerId, 'Example Fleet']);
  assert.deepEqual([timezone, country], ['Australia/Melbourne', 'AU']);
  for (const named of [quote.id, quote.code]) {
    assert.deepEqual(await json(['quote', 'show', named], env), priced);
  }
  const shown = await succeed(['quote', 'show', quote.id], env);
  assert.match(shown.stdout, /Brake pads: 2 × 94\.50 = 189\.00, Labour: 1\.5 × 120\.00 = 180\.00/);
  assert.match(shown.stdout, /phone +04\d\d \d{3} \d{3}\n/);
  assert.match(shown.stdout, /total +369\.00 AUD\n/);
});

test('list, as people read it', async () => {
  await ask();
  const text = await succeed(['quote', 'list', '--workshop', workshopId], env);
  assert.match(text.stdout, /^CODE +CREATED +STATUS +CAR +CUSTOMER +SERVICES +TOTAL +PARTNER/);
});

test('decline: once or twice, then it can be neither priced nor changed', async () => {
  const { id, code } = await ask();
  for (let times = 0; times < 2; times++) {
    const { stdout } = await succeed(['quote', 'decline', code], env);
    assert.equal(stdout, `quote ${code} is declined\n`);
  }
  assert.equal((await read(id)).status, 'declined');
  const price = ['quote', 'price', id, ...lines, '--valid-days', '1'];
  await fail(price, env, 1, /a quote that is declined can't be priced/);
});

test('bad options name the option, and unknown quotes are named', async () => {
  const { id } = await ask();
  const bad = ['quote', 'price', id, '--line', 'Pads', '--valid-days', '0'];
  await fail(bad, env, 2, /--line\[0\] .*--valid-days /s);
  for (const [code, args, message] of [
    [1, ['quote', 'show', newId()], /no quote/],
    [1, ['quote', 'decline', 'AAAAAAAAAA'], /no quote/],
    [1, ['quote', 'price', 'x', ...lines, '--valid-days', '1'], /no quote/],
    [2, ['quote', 'price', id, '--valid-days', '1'], /--line/],
  ] as const) {
    await fail([...args], env, code, message);
  }
});
