/** `pitlane workshop sms-name`: says that the name which a workshop sends under is registered with a gateway. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { verb } from './verb.ts';

/** Adds the command to `pitlane workshop`. */
export function registerSmsName(workshop: Command): void {
  const spec = {
    usage: 'sms-name <workshop> <gateway>',
    summary:
      'say that the name it sends under is registered with this gateway, as some countries ask: doctor and config check name those of which nobody has',
    examples: [
      'workshop sms-name carlton-motors twilio',
      'workshop sms-name carlton-motors twilio --withdraw',
    ],
  };
  verb<{ withdraw?: true }>(workshop, spec, ([named = '', gateway = ''], { withdraw }) =>
    withSession(async (session) => {
      const { sayOfName } = await import('#product/workshops/senders/registered/say.ts');
      const said = { workshop: named, gateway, isRegistered: withdraw !== true };
      const rows = await sayOfName(session, said, actors.operator);
      const text = table(rows, { GATEWAY: (row) => row.gateway, NAME: (row) => row.name });
      return { json: rows, text: rows.length > 0 ? text : 'Its name is registered with no gateway.' };
    }),
  ).option('--withdraw', 'it is not registered there any more');
}
