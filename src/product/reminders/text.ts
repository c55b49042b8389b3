/** The SMS of a service reminder: the workshop, the car, the link and the code. */
import { isolated, visible } from '#base/values/bidi.ts';
import { withoutLinks } from '#base/values/callers-links.ts';
import { carText } from '#base/values/car-text.ts';
import { phoneFor } from '#base/values/phone.ts';
import { shorten } from '#base/values/shorten.ts';
import { measureSms } from '#base/values/sms-text.ts';
import type { WayOut } from '#product/way-out/way-out.ts';
import type { KnownCar, KnownCustomer } from './known.ts';

export interface ReminderFacts {
  readonly code: string;
  /** `country`: ISO 3166. */
  readonly workshop: { readonly name: string; readonly phone: string; readonly country: string };
  /** The sentence that says how to stop such texts, of `wayOutFor`. */
  readonly wayOut: Pick<WayOut, 'text'>;
  readonly customer: Pick<KnownCustomer, 'firstName'>;
  /** The customer's, E.164; the workshop's phone is shown in the notation for its country. Null: unknown. */
  readonly phone: string | null;
  readonly car: KnownCar | null;
  /** The installation's public address, without a slash at its end; null: unknown, and the text has no link. */
  readonly publicUrl: string | null;
}

export interface ReminderText {
  readonly body: string;
  readonly encoding: 'gsm7' | 'ucs2';
  readonly segments: number;
}

export const reminderPath = (code: string) => `/r/${code}`;

/** At most two segments, unless a name is outside the SMS alphabet. */
export function reminderText({
  code,
  workshop,
  customer,
  phone,
  car,
  publicUrl,
  wayOut,
}: ReminderFacts): ReminderText {
  const firstName = withoutLinks(visible(customer.firstName ?? ''));
  const whose = firstName === '' ? 'Your' : `${isolated(shorten(firstName, 20))}, your`;
  const link = publicUrl === null ? '' : `at ${publicUrl}${reminderPath(code)} or `;
  const body =
    `${isolated(shorten(visible(workshop.name), 40))}: ${whose} ${shorten(carText(car), 40)} is due for a service. ` +
    `Book ${link}on ${phoneFor(phone, workshop)} with code ${code}. ${wayOut.text}`.trimEnd();
  const { encoding, segments } = measureSms(body);
  return { body, encoding, segments };
}
