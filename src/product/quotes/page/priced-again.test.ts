/** Answers to a quote that was priced again since its page was opened; and accepting in a process that has just started. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { openDatabase } from '#platform/db/database.ts';
import { acceptQuote } from '#product/quotes/accept.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { quoteWorld } from '../../../../test/fixtures/quote-api.ts';
import { freeTimes, pricedQuote } from '../../../../test/fixtures/quote-pages.ts';

const world = await quoteWorld();
const { app, read } = world;

async function open(path: string, form?: Readonly<Record<string, string>>) {
  const response = await fetch(`${app.url}${path}`, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, text: await response.text() };
}

test('an answer to another price than the present one is shown the new offer, and changes nothing', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570360' });
  const [time = ''] = await freeTimes(world, 3);
  const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
  const confirm = `/q/${quote.code}/accept?time=${encodeURIComponent(time)}`;
  const version = versionIn((await open(confirm)).text);
  assert.equal(version, versionIn((await open(`/q/${quote.code}/decline`)).text));
  await priceQuote(app.context, {
    actor: actors.operator,
    ...{ quoteId: quote.id, lines: ['Brake pads:2:499'], validDays: '14', message: undefined },
  });
  for (const [path, form] of [
    ['accept', { time, version }],
    ['decline', { version }],
  ] as const) {
    const { status, text } = await open(`/q/${quote.code}/${path}`, form);
    assert.equal(status, 409, path);
    assert.match(text, /The workshop has changed its offer/);
    assert.match(text, /\$998/);
    assert.equal((await read(quote.id)).status, 'quoted');
  }
  assert.equal((await read(quote.id)).bookingId, null);
  const again = await open(`/q/${quote.code}/accept`, {
    time,
    version: versionIn((await open(confirm)).text),
  });
  assert.deepEqual([again.status, (await read(quote.id)).status], [303, 'accepted']);
});

test('accepting takes one connection, also in a process that knows nothing of the workshop yet', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570361' });
  const [time = ''] = await freeTimes(world, 3);
  const own = openDatabase({ url: app.databaseUrl, poolSize: 1, applicationName: 'alone' });
  try {
    const result = await acceptQuote({ ...app.context, db: own }, quote.id, time, actors.customerByLink('r'));
    assert.equal(result?.accepted, true);
  } finally {
    await own.close();
  }
});
