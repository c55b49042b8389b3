/** The From header of an e-mail. */
import type { Mailbox } from '#base/values/mailbox.ts';
import { oneLine } from '#base/values/one-line.ts';
import type { OutboundEmail } from './gateway.ts';

const nameAtMost = 60;

/** The name on one line, no longer than inboxes show. */
function shownName(name: string): string {
  return [...oneLine(name)].slice(0, nameAtMost).join('').trim();
}

/** The installation's address with the name that the e-mail is sent for: mailboxes check the address, people read the name. */
export function senderOf({ onBehalfOf }: Pick<OutboundEmail, 'onBehalfOf'>, installation: Mailbox): Mailbox {
  const name = shownName(onBehalfOf ?? '');
  if (name === '' || name === installation.name) return installation;
  return { ...installation, name: installation.name === '' ? name : `${name} via ${installation.name}` };
}
