/** An opt-in at MessageMedia, in the forms of its documentation (Number Authorisation). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageMediaAt as at } from '../../../../../test/fixtures/messagemedia.ts';
import { startSmsProvider } from '../../../../../test/fixtures/sms-provider.ts';

/** A number on the blacklist of an account: what DELETE and `is_authorised` respond. */
function blacklist(removal: number, authorised: number | boolean | object) {
  return startSmsProvider(({ method, url }, response) => {
    if (method === 'DELETE') return void response.writeHead(removal).end();
    if (typeof authorised === 'number') return void response.writeHead(authorised).end();
    const number = decodeURIComponent(url.split('/').at(-1) ?? '');
    const body =
      typeof authorised === 'object' ? authorised : { uri: url, numbers: [{ number, authorised }] };
    response.end(JSON.stringify(body));
  });
}
const phone = '+61491570006';
const optIn = (url: string, account: string | null = null) =>
  at(url).optIn?.(
    phone,
    { account, from: null, reference: '0199b1e0-0000-7000-8000-000000000001', agreedAt: null },
    AbortSignal.timeout(10_000),
  );

test('an opt-in takes the number off the blacklist and then asks, of the same account', async () => {
  for (const account of [null, 'Garage_1']) {
    const provider = await blacklist(200, true);
    await optIn(provider.url, account);
    assert.deepEqual(
      provider.asked.map(({ method, url, headers }) => [method, url, headers['account']]),
      [
        ['DELETE', '/v1/number_authorisation/mt/blacklist/%2B61491570006', account ?? undefined],
        ['GET', '/v1/number_authorisation/is_authorised/%2B61491570006', account ?? undefined],
      ],
    );
  }
});

for (const [removal, authorised, failure] of [
  [404, true, null],
  [204, true, null],
  // What it says of a removal counts where the question is not answered.
  [200, 403, null],
  [200, {}, null],
  // Not on this list, or a list of another account: only an answer tells.
  [404, 404, /does not say whether/],
  [404, {}, /does not say whether/],
  [404, { numbers: [{ number: '+61491570007', authorised: true }] }, /does not say whether/],
  [404, false, /still on the blacklist of MessageMedia's account Garage_1/],
  [200, false, /still on the blacklist of MessageMedia's account Garage_1/],
  [401, true, /did not take the number off/],
  [500, true, /did not take the number off/],
] as const) {
  test(`an opt-in answered ${removal} and ${JSON.stringify(authorised)} ${failure ? 'failed' : 'is done'}`, async () => {
    const provider = await blacklist(removal, authorised);
    const done = optIn(provider.url, 'Garage_1') ?? assert.fail();
    await (failure === null ? done : assert.rejects(done, failure));
  });
}
