/** The limits of what visitors of pages may trigger within an hour; pure decisions. */
import { createHash } from 'node:crypto';
import { networkOf } from '#base/values/network.ts';
import { isAbroad } from '#base/values/phone.ts';

/** Changes (bookings, moves, cancellations, answers to quotes) of one address: at one workshop, and at all of them. */
const changesAtMost = { addressAtWorkshop: 20, address: 100 } as const;
/** To one customer, at all workshops together: SMS to a phone of the workshop's country or of another, e-mails to an address. */
const toCustomerAtMost = { sms: 5, smsAbroad: 3, emails: 5 } as const;

export const windowSeconds = 3_600;

/** The kinds of use that are counted: changes of an address, SMS to a phone, e-mails to an e-mail address, SMS of a workshop. */
export type UseKind = 'address' | 'addressAtWorkshop' | 'phone' | 'email' | 'workshop';

/** The key that it is counted for: a digest, or a workshop's id. */
export interface UseKey {
  readonly kind: UseKind;
  readonly subject: string;
}

/** A change that a visitor makes on a page. Its customer gets notices, unless there is none. */
export interface PageChange {
  /** Null: it counts under no workshop's ceiling. */
  readonly workshopId: string | null;
  /** The country of the workshop, ISO 3166. */
  readonly country: string;
  /** The visitor's address: `request.ip`. Null: no visitor; a text that was triggered earlier is due. */
  readonly address: string | null;
  /** Phone in E.164; empty or null: has none. */
  readonly customer: { readonly phone: string | null; readonly email: string | null } | null;
  /** To how many phones the workshop is notified. */
  readonly workshopSms: number;
}

/** A notice that is not sent: audience and channel. */
export type Withheld = 'customer sms' | 'customer email' | 'workshop sms';

/** How many uses are added to a key; `isOver`: the ceiling of a workshop withheld something. */
export interface Take extends UseKey {
  readonly amount: number;
  readonly isOver: boolean;
}

export interface Verdict {
  /** The ceiling of changes that is reached, for which the change is refused; null: none. */
  readonly refusedBy: 'addressAtWorkshop' | 'address' | null;
  readonly takes: readonly Take[];
  readonly withheld: readonly Withheld[];
  /** The ceiling of the customer's phone is reached. */
  readonly isPhoneOver: boolean;
}

const digestOf = (...parts: readonly string[]) =>
  createHash('sha256').update(parts.join(' ')).digest('base64url');

/** A tag after `+` leads to the same mailbox; so do dots at Gmail, which has two names. */
function mailboxOf(email: string): string {
  const [whole = '', domain = ''] = email.toLowerCase().split('@');
  const [local = ''] = whole.split('+');
  return /^g(?:oogle)?mail\.com$/.test(domain)
    ? `${local.replaceAll('.', '')}@gmail.com`
    : `${local}@${domain}`;
}

/** The key of a map entry. */
export const nameOf = ({ kind, subject }: UseKey) => `${kind} ${subject}`;

/** The keys that a change counts for. */
export function keysOf({ workshopId, address, customer, workshopSms }: PageChange): UseKey[] {
  const { phone = null, email = null } = customer ?? {};
  const keys: UseKey[] = [];
  if (address !== null) {
    const network = networkOf(address);
    keys.push({ kind: 'address', subject: digestOf(network) });
    keys.push({ kind: 'addressAtWorkshop', subject: digestOf(network, workshopId ?? '') });
  }
  if (phone) keys.push({ kind: 'phone', subject: digestOf(phone) });
  if (email) keys.push({ kind: 'email', subject: digestOf(mailboxOf(email)) });
  if (workshopId !== null && (phone || workshopSms > 0)) keys.push({ kind: 'workshop', subject: workshopId });
  return keys;
}

/**
 * Decides on a change by the uses of its keys (`nameOf`) within the last hour. `smsPerWorkshop` is how many SMS the pages of one
 * workshop may send. Withheld notices do not count: each ceiling limits what is sent.
 */
export function judgeChange(
  change: PageChange,
  used: ReadonlyMap<string, number>,
  smsPerWorkshop: number,
): Verdict {
  const keys = new Map(keysOf(change).map((key) => [key.kind, key]));
  const room = (kind: UseKind, atMost: number) => {
    const key = keys.get(kind);
    return atMost - ((key && used.get(nameOf(key))) ?? 0);
  };
  const refusedBy =
    (['addressAtWorkshop', 'address'] as const).find(
      (kind) => keys.has(kind) && room(kind, changesAtMost[kind]) < 1,
    ) ?? null;

  const isForeign = keys.has('phone') && isAbroad(change.customer?.phone ?? '', change.country);
  const smsAtMost = isForeign ? toCustomerAtMost.smsAbroad : toCustomerAtMost.sms;
  const isPhoneOver = keys.has('phone') && room('phone', smsAtMost) < 1;
  const isEmailOver = keys.has('email') && room('email', toCustomerAtMost.emails) < 1;
  const customerSms = keys.has('phone') && !isPhoneOver ? 1 : 0;
  const sms = customerSms + change.workshopSms;
  const isWorkshopOver = keys.has('workshop') && sms > 0 && room('workshop', smsPerWorkshop) < sms;

  const amounts: Readonly<Record<UseKind, number>> = {
    address: 1,
    addressAtWorkshop: 1,
    phone: isWorkshopOver ? 0 : customerSms,
    email: isEmailOver ? 0 : 1,
    workshop: isWorkshopOver ? 0 : sms,
  };
  return {
    refusedBy,
    takes: [...keys.values()].map((key) => ({
      ...key,
      amount: amounts[key.kind],
      isOver: key.kind === 'workshop' && isWorkshopOver,
    })),
    withheld: [
      ...(keys.has('phone') && (isPhoneOver || isWorkshopOver) ? (['customer sms'] as const) : []),
      ...(isEmailOver ? (['customer email'] as const) : []),
      ...(isWorkshopOver && change.workshopSms > 0 ? (['workshop sms'] as const) : []),
    ],
    isPhoneOver,
  };
}
