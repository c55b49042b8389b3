/** The settings of a workshop that an operator may change, with all checks. */

import { InvalidInput } from '#base/operator-error.ts';
import { visible } from '#base/values/bidi.ts';
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { nameFault } from '#base/values/name.ts';
import { oneLine } from '#base/values/one-line.ts';
import { isCountry, parsePhone } from '#base/values/phone.ts';
import { smsGatewayNames } from '#base/values/sms-gateways.ts';
import { readSender } from '#base/values/sms-sender.ts';
import { normaliseString } from '#base/values/text.ts';
import { isTimezone, timezoneFault } from '#base/values/timezone.ts';
import type { FieldError } from '#errors.ts';
import { colourPattern } from '#platform/http/fields.ts';
import { isSlug, slugOf } from './slug.ts';
import { inboxNotices, type WorkshopSettings } from './store.ts';

/** As typed; an absent field keeps its value. */
export interface SettingsInput {
  readonly name?: string;
  readonly slug?: string;
  /** ISO 3166-1 alpha-2, in either case. */
  readonly country?: string;
  readonly timezone?: string;
  readonly phone?: string;
  readonly email?: string;
  /** A postal address on one line; empty: unknown. */
  readonly address?: string;
  /** Each entry may be a list with commas; an empty list restores the workshop's own phone. */
  readonly notifyPhones?: readonly string[];
  readonly notifyEmails?: readonly string[];
  /** Empty: the gateway chooses. */
  readonly smsSender?: string;
  /** Each entry may be a list with commas; an empty list restores the installation's gateways. */
  readonly smsGateways?: readonly string[];
  /** `on` or `off`. */
  readonly inboxMessaging?: string;
  /** Channels of inbox digests: `email`, `sms`, `both` or `off`. */
  readonly inboxNotices?: string;
  /** `#rrggbb`; empty: the default. */
  readonly colour?: string;
}

/** Each recipient gets an SMS or an e-mail for every booking. */
const recipientsAtMost = 20;

/** The most characters of a postal address. */
export const addressAtMost = 255;

/** The settings after the change. Throws InvalidInput that names every bad field; `present` is null for a new workshop. */
export function readSettings(input: SettingsInput, present: WorkshopSettings | null): WorkshopSettings {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ field, message });

  /** The sent value, checked, or the present one; `fault` returns the fault of a value, or null. */
  function take(field: RequiredField, fault: (value: string) => string | null): string {
    const sent = input[field];
    if (sent === undefined) {
      if (present) return present[field];
      refuse(field, 'is required');
      return '';
    }
    const text = normaliseString(sent);
    const value = field === 'country' ? text.toUpperCase() : field === 'email' ? cleanEmail(text) : text;
    const message = fault(value);
    if (message) refuse(field, message);
    return value;
  }

  const name = take('name', nameFault);
  const country = take('country', (value) =>
    isCountry(value) ? null : `${quote(value)} is not a country code of two letters, such as AU`,
  );
  const timezone = take('timezone', (value) =>
    isTimezone(value) ? null : `${quote(value)} is not ${timezoneFault(value)}`,
  );
  const email = take('email', emailFault);
  const address =
    input.address === undefined ? (present?.address ?? '') : oneLine(visible(normaliseString(input.address)));
  if (address.length > addressAtMost) refuse('address', `must have at most ${addressAtMost} characters`);
  // A number can't be checked without a valid country: then only the country is reported.
  const phoneFault = (value: string) =>
    isCountry(country) && !parsePhone(value, country)
      ? `${quote(value)} is not a phone number in ${country}`
      : null;
  const phone = take('phone', phoneFault);

  function list(
    field: 'notifyPhones' | 'notifyEmails' | 'smsGateways',
    fault: (value: string) => string | null,
  ): string[] | null {
    const values = (input[field] ?? [])
      .flatMap((text) => text.split(','))
      .map(normaliseString)
      .map((value) => (field === 'notifyEmails' ? cleanEmail(value) : value))
      .filter(Boolean);
    if (values.length > recipientsAtMost) refuse(field, `has more than ${recipientsAtMost} entries`);
    for (const message of values.map(fault)) if (message) refuse(field, message);
    return values.length > 0 ? values : null;
  }
  const unique = <T>(values: readonly T[] | null) => values && [...new Set(values)];
  const phones = list('notifyPhones', phoneFault);
  const emails = list('notifyEmails', emailFault);
  const gateways = list('smsGateways', gatewayFault);

  const slug = input.slug === undefined ? (present?.slug ?? slugOf(name)) : normaliseString(input.slug);
  if (!isSlug(slug)) refuse('slug', `${quote(slug)} is not 1 to 63 lower-case letters, digits and hyphens`);

  const sender =
    input.smsSender === undefined ? (present?.smsSender ?? null) : normaliseString(input.smsSender);
  // A stored sender is checked again when the country, and so its rules, change.
  const isNews = input.smsSender !== undefined || country !== present?.country;
  const read =
    sender && isNews && isCountry(country) ? readSender(sender, country) : { sender: sender || null };
  if ('fault' in read) refuse('smsSender', read.fault);
  const inbox = input.inboxMessaging;
  if (inbox !== undefined && inbox !== 'on' && inbox !== 'off') refuse('inboxMessaging', 'must be on or off');

  const told = inboxNotices.find((way) => way === input.inboxNotices);
  if (input.inboxNotices !== undefined && !told) {
    refuse('inboxNotices', `must be one of ${inboxNotices.join(', ')}`);
  }

  const colour =
    input.colour === undefined ? (present?.colour ?? null) : normaliseString(input.colour) || null;
  if (input.colour && !new RegExp(colourPattern).test(colour ?? ''))
    refuse('colour', `${quote(input.colour)} is not a colour such as #0a7d5a`);

  if (errors.length > 0) throw new InvalidInput(errors);
  const e164 = (text: string) => parsePhone(text, country) ?? text;
  return {
    name,
    slug,
    country,
    timezone,
    email,
    address: address === '' ? null : address,
    phone: e164(phone),
    notifyPhones: input.notifyPhones ? unique(phones?.map(e164) ?? null) : (present?.notifyPhones ?? null),
    notifyEmails: input.notifyEmails ? unique(emails) : (present?.notifyEmails ?? null),
    smsSender: 'sender' in read ? read.sender : null,
    smsGateways: input.smsGateways ? unique(gateways) : (present?.smsGateways ?? null),
    inboxMessagingEnabled: inbox === undefined ? (present?.inboxMessagingEnabled ?? true) : inbox === 'on',
    inboxNotices: told ?? present?.inboxNotices ?? 'email',
    colour,
  };
}

type RequiredField = 'name' | 'country' | 'timezone' | 'phone' | 'email';

const quote = (value: string) => JSON.stringify(value.slice(0, 60));

const gatewayFault = (value: string) =>
  smsGatewayNames.some((name) => name === value)
    ? null
    : `${quote(value)} is not one of: ${smsGatewayNames.join(', ')}`;

const emailFault = (value: string) => (isEmail(value) ? null : `${quote(value)} is not an e-mail address`);
