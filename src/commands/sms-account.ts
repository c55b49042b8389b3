/** `pitlane workshop sms-account`: the provider account that a workshop's SMS are sent with. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { verb } from './verb.ts';

/** Adds the commands to `pitlane workshop`. */
export function registerSmsAccount(workshop: Command): void {
  const spec = {
    usage: 'sms-account <workshop> <gateway> [account]',
    summary:
      "set its own account at a provider: twilio's Messaging Service, a subaccount of messagemedia or clicksend; without one, the installation's again",
    examples: [
      'workshop sms-account carlton-motors twilio MG0123456789abcdef0123456789abcdef',
      'workshop sms-account carlton-motors messagemedia HarbourMotors',
      'workshop sms-account carlton-motors messagemedia',
    ],
  };
  verb(workshop, spec, ([named = '', gateway = '', account]) =>
    withSession(async ({ db, clock }) => {
      const { setSmsAccount } = await import('#product/workshops/sms-accounts/set.ts');
      const { listSmsAccounts } = await import('#product/workshops/sms-accounts/store.ts');
      const workshopId = await setSmsAccount({ db, clock }, named, gateway, account || null, actors.operator);
      const rows = (await listSmsAccounts(db)).filter((row) => row.workshopId === workshopId);
      const text = table(rows, { GATEWAY: (row) => row.gateway, ACCOUNT: (row) => row.account });
      return { json: rows, text: rows.length > 0 ? text : "It sends under the installation's accounts." };
    }),
  );
}
