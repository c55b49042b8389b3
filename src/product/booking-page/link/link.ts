/**
 * Links to the booking page: /book/{slug}?k={sealed}. The partner and the filled-in values are sealed for the workshop, so that
 * neither logs nor referrers contain a name, and nobody can change a link.
 */

import type { Context } from '#platform/context.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';

/** The values that a link fills in. */
export interface Prefill {
  readonly name?: string;
  /** E.164 */
  readonly phone?: string;
  readonly email?: string;
  readonly rego?: string;
  readonly serviceCategory?: ServiceCategory;
  readonly catalogId?: string;
  readonly externalId?: string;
  /** The code of the service reminder that led here. */
  readonly reminderCode?: string;
  /** The first name and the car (`carText`) of a reminder: anybody with the reminder's code may see these. */
  readonly reminded?: { readonly firstName?: string; readonly car?: string };
}

export interface BookingLink {
  readonly partnerId: string;
  /** `booking_page_version` of the link of partner and workshop. */
  readonly version: number;
  /** By the business clock; null: until it is revoked. */
  readonly expiresAt: Date | null;
  readonly prefill: Prefill;
}

/** The same with short keys, since it is part of an address. */
interface Sealed {
  readonly p: string;
  readonly v: number;
  readonly e?: number;
  readonly f?: Prefill;
}

const lifeDays = 30;
const ofPerson = ['name', 'phone', 'email', 'rego', 'reminderCode', 'reminded'] as const;

/** 30 days from now for a link with personal details; null for other links, such as a button on a website. */
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

/** Null for a link that was changed, or made for another workshop or by another installation. */
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
