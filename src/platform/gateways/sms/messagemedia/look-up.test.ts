/** What a look-up concludes from MessageMedia's report of sent messages, in the form of its documentation (Post detail report). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, timeOfId } from '#base/values/id.ts';
import { messageMediaAt as at } from '../../../../../test/fixtures/messagemedia.ts';
import { startSmsProvider } from '../../../../../test/fixtures/sms-provider.ts';

const messageId = '04fe9a97-a579-43c5-bb1a-58ed29bf0a6a';
const reportOf = (...references: string[]) => ({
  messages: references.map((value, i) => ({
    message_id: `${messageId.slice(0, -1)}${i}`,
    direction: 'outbound',
    status: 'submitted',
    destination_address: '+61491570006',
    metadata: [
      { key: 'other', value },
      { key: 'reference', value },
    ],
  })),
  pagination: { page: 0, page_size: 10, has_next: false },
});
const lookUp = (url: string, reference: string) => at(url).lookUp(reference, AbortSignal.timeout(10_000));

test('the look-up searches for our reference among the messages of the time when the reference was made', async () => {
  const reference = newId();
  const provider = await startSmsProvider([200, reportOf(newId(), reference)]);
  assert.deepEqual(await lookUp(provider.url, reference), {
    state: 'accepted',
    gatewayId: `${messageId.slice(0, -1)}1`,
  });
  const [asked] = provider.asked;
  const { start_date: from, end_date: to, ...question } = JSON.parse(asked?.body ?? '');
  assert.equal(asked?.url, '/v2-preview/reporting/messages/detail');
  assert.deepEqual(question, {
    timezone: 'UTC',
    direction: 'outbound',
    metadata_key: 'reference',
    metadata_value: reference,
    page_size: 10,
  });
  const madeAt = timeOfId(reference)?.getTime() ?? 0;
  assert.deepEqual([Date.parse(from), Date.parse(to)], [madeAt - 600_000, madeAt + 600_000]);
});

for (const [status, status_code, final] of [
  ['failed', 332, { state: 'undelivered', detail: 'failed: no route to the number (332)' }],
  ['rejected', '302', { state: 'undelivered', detail: 'rejected: the number is blocked (302)' }],
  ['expired', 401, { state: 'expired', detail: 'expired: its time was over before it was delivered (401)' }],
  ['delivered', 220, { state: 'delivered', detail: 'delivered: delivered (220)' }],
  // Its report says of which it is a duplicate.
  ['rejected', 305, undefined],
  ['processed', 200, undefined],
] as const) {
  test(`a message that is ${status} (${status_code}) in its report ${final ? `is ${final.state}` : 'is accepted'}`, async () => {
    const reference = newId();
    const { messages } = reportOf(reference);
    const provider = await startSmsProvider([
      200,
      { messages: messages.map((message) => ({ ...message, status, status_code })) },
    ]);
    const gatewayId = `${messageId.slice(0, -1)}0`;
    const found = { state: 'accepted', gatewayId, ...(final && { final }) };
    assert.deepEqual(await lookUp(provider.url, reference), found);
  });
}

test('a message that is not in its report may still have been sent; after an hour there is no use in asking again', async () => {
  const reference = newId();
  const made = timeOfId(reference)?.getTime() ?? 0;
  for (const [body, agoMs, expected] of [
    [reportOf(), 0, { state: 'unknown' }],
    [reportOf(newId()), 3_590_000, { state: 'unknown' }],
    [reportOf(newId()), 3_610_000, { state: 'unknown', permanent: true }],
    ['not JSON', 0, { state: 'unknown' }],
    [{ messages: [{ metadata: { reference } }, 1, null] }, 0, { state: 'unknown' }],
  ] as const) {
    const provider = await startSmsProvider([200, body, { date: new Date(made + agoMs).toUTCString() }]);
    assert.deepEqual(await lookUp(provider.url, reference), expected);
  }
});
