/** Sets the provider account that a workshop's SMS are sent with. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { ownValue } from '#base/values/own-value.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '../store.ts';
import { deleteSmsAccount, putSmsAccount } from './store.ts';

/** The form of accounts as each provider defines it; other gateways have no such accounts. */
const forms: Readonly<Record<string, { readonly form: RegExp; readonly words: string }>> = {
  twilio: {
    form: /^MG[0-9a-f]{32}$/i,
    words: 'a Messaging Service: MG and 32 hexadecimal digits, as Twilio’s console shows it',
  },
  messagemedia: { form: /^[\w.@-]{1,100}$/, words: 'the name of a subaccount' },
  clicksend: {
    form: /^[^\s:,]{1,100}$/,
    words: 'the user name of a subaccount, whose key is in CLICKSEND_SUBACCOUNTS',
  },
};

export const gatewaysWithAccounts = Object.keys(forms);

/**
 * `account` null: back to the installation's account. Throws OperatorError for an unknown workshop or gateway, or an invalid
 * account.
 */
export async function setSmsAccount(
  context: ChangeContext,
  workshopId: string,
  gateway: string,
  account: string | null,
  actor: Actor,
): Promise<string> {
  const { form, words } = ownValue(forms, gateway) ?? {};
  if (form === undefined)
    throw new OperatorError(`the gateway must be one of: ${gatewaysWithAccounts.join(', ')}`);
  if (account !== null && !form.test(account)) throw new OperatorError(`the account must be ${words}`);
  const { workshopId: id } = await requireWorkshop(context.db, workshopId);
  await change(context, async ({ tx, now: at }) => {
    if (account === null) await deleteSmsAccount(tx, id, gateway);
    else await putSmsAccount(tx, { workshopId: id, gateway, account });
    const subject = { kind: 'workshop', id };
    const done = { action: 'workshop.smsAccountSet', after: { gateway, account }, at };
    await recordEntry(tx, { actor, workshopId: id, subject, ...done });
  });
  return id;
}
