/** The From header of an e-mail. */
import type { Mailbox } from '#base/values/mailbox.ts';
import { oneLine } from '#base/values/one-line.ts';
import type { OutboundEmail } from './gateway.ts';

const nameAtMost = 60;

/** The installation's sender. */
export interface Sender extends Mailbox {
  /** The name behind a workshop's; empty: none; absent or null: the installation's name. */
  readonly via?: string | null;
}

/** The name on one line, no longer than inboxes show. */
function shownName(name: string): string {
  return [...oneLine(name)].slice(0, nameAtMost).join('').trim();
}

/** The installation's address with the name that the e-mail is sent for: mailboxes check the address, people read the name. */
export function senderOf({ onBehalfOf }: Pick<OutboundEmail, 'onBehalfOf'>, installation: Sender): Mailbox {
  const { name: own, address } = installation;
  const via = installation.via ?? own;
  const name = shownName(onBehalfOf ?? '');
  if (name === '') return { name: own, address };
  return { address, name: via === '' || name === via ? name : `${name} via ${via}` };
}
