/**
 * Links to the booking page: /book/{slug}?k={sealed}. Whose bookings they make, and what they fill in, is sealed for the workshop,
 * so that neither logs nor referrers carry a name, and nobody changes a link.
 */

import type { Context } from '#platform/context.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';

/** What a link fills in. */
export interface Prefill {
  readonly name?: string;
  /** E.164 */
  readonly phone?: string;
  readonly email?: string;
  readonly rego?: string;
  readonly serviceCategory?: ServiceCategory;
  readonly catalogId?: string;
  readonly externalId?: string;
  /** The code of the service reminder that the booking follows. */
  readonly reminderCode?: string;
  /** Whom a reminder led here, and the car that it is about (`carText`): whoever has the reminder's code may know as much. */
  readonly reminded?: { readonly firstName?: string; readonly car?: string };
}

export interface BookingLink {
  readonly partnerId: string;
  /** `booking_page_version` of the link of partner and workshop. */
  readonly version: number;
  /** By the business clock; null: it lasts until it is revoked. */
  readonly expiresAt: Date | null;
  readonly prefill: Prefill;
}

/** The same with short names: it stands in an address. */
interface Sealed {
  readonly p: string;
  readonly v: number;
  readonly e?: number;
  readonly f?: Prefill;
}

const lifeDays = 30;
const ofPerson = ['name', 'phone', 'email', 'rego', 'reminderCode', 'reminded'] as const;

/** 30 days from now for a link that fills in a person's details; null for another, as a button on a website needs. */
export function expiryOf(prefill: Prefill, now: Date): Date | null {
  const isPersonal = ofPerson.some((name) => prefill[name] !== undefined);
  return isPersonal ? new Date(now.getTime() + lifeDays * 86_400_000) : null;
}

/** The path below the installation's public address. */
export function bookingPath(
  { sealing }: Pick<Context, 'sealing'>,
  workshop: { readonly workshopId: string; readonly slug: string },
  { partnerId, version, expiresAt, prefill }: BookingLink,
): string {
  const content: Sealed = {
    p: partnerId,
    v: version,
    ...(expiresAt && { e: expiresAt.getTime() }),
    ...(Object.keys(prefill).length > 0 && { f: prefill }),
  };
  const k = sealing.seal('bookingLink', JSON.stringify(content), workshop.workshopId);
  return `/book/${workshop.slug}?k=${k}`;
}

/** Null for one that was changed, or was made for another workshop or by another installation. */
export function openLink(
  { sealing }: Pick<Context, 'sealing'>,
  workshopId: string,
  k: string,
): BookingLink | null {
  const text = sealing.open('bookingLink', k, workshopId);
  if (text === null) return null;
  const { p, v, e, f = {} } = JSON.parse(text) as Sealed;
  return { partnerId: p, version: v, expiresAt: e === undefined ? null : new Date(e), prefill: f };
}
