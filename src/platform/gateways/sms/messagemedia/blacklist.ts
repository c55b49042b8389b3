/** Takes numbers off MessageMedia's blacklist (its "Number Authorisation"), which STOP puts them on. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { jsonFields, listIn, textIn } from '../fields.ts';

/** Makes a request of the account's; `path` is below the API's address. */
type Call = (method: 'GET' | 'DELETE', path: string) => Promise<HttpResponse>;

const statusOf = (answer: HttpResponse) => (answer.state === 'answered' ? answer.status : null);

/**
 * Rejects while the number is on the list. 404 is the response for a number that is not on it, but the header for a subaccount is
 * documented for other APIs only: it may be about the list of another account. So MessageMedia is asked afterwards whether it
 * sends to the number. `account` is for people.
 */
export async function takeOffBlacklist(phone: string, account: string | null, call: Call): Promise<void> {
  const number = encodeURIComponent(phone);
  const removal = statusOf(await call('DELETE', `/v1/number_authorisation/mt/blacklist/${number}`));
  const isRemoved = removal === 200 || removal === 204;
  if (!isRemoved && removal !== 404)
    throw new Error('MessageMedia did not take the number off its blacklist');
  const isAuthorised = authorisedIn(
    await call('GET', `/v1/number_authorisation/is_authorised/${number}`),
    phone,
  );
  const whose = account === null ? '' : ` ${account}`;
  if (isAuthorised === false)
    throw new Error(
      `The number is still on the blacklist of MessageMedia's account${whose}: take it off there`,
    );
  if (isAuthorised === null && !isRemoved)
    throw new Error(
      `MessageMedia does not say whether the number is on the blacklist of its account${whose}`,
    );
}

/** Null when the answer does not say. */
function authorisedIn(answer: HttpResponse, phone: string): boolean | null {
  const fields = answer.state === 'answered' && answer.status === 200 ? jsonFields(answer.body) : null;
  const ours = listIn(fields ?? {}, 'numbers').find((each) => textIn(each, 'number') === phone);
  const authorised = ours?.['authorised'];
  return typeof authorised === 'boolean' ? authorised : null;
}
