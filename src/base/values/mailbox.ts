/** A name with an e-mail address, as headers show it: `Main St Motors <desk@motors.example>`. */
import { cleanEmail, isEmail } from './email.ts';

export interface Mailbox {
  /** Empty where there is only the address. */
  readonly name: string;
  readonly address: string;
}

/** Reads `Name <address>`, `"Name" <address>` or an address alone; null for any other text. */
export function parseMailbox(text: string): Mailbox | null {
  const [, named, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = cleanEmail(inBrackets ?? text);
  const name = (named ?? '').trim().replace(/^"(.*)"$/, '$1');
  return isEmail(address) && !/\p{Cc}/u.test(name) ? { name, address } : null;
}

/** For people to read; headers need more quoting than this. */
export function mailboxText({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** `motors.example` of `desk@motors.example`, in lower case. */
export function domainOf({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
