/** Campaigns in words: whom a blast is for, and when, how much later and for what an automation sends. */

import { localDateTime } from '#base/values/local-time.ts';
import { ownValue } from '#base/values/own-value.ts';
import type { Conditions, TriggerType } from '#product/campaigns/automations/schema.ts';
import type { AutomationRow } from '#product/campaigns/automations/store.ts';
import type { Audience } from '#product/campaigns/blasts/audience.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

type Workshop = Pick<WorkshopVisit['workshop'], 'timezone' | 'seesPhones'>;

/** Shorter than customers read them. */
const categories: Readonly<Record<ServiceCategory, string>> = {
  ...{ service: 'Maintenance', tyres: 'Tyres', repair: 'Repair', others: 'Other services' },
};
const categoryInWords = (name: string): string => ownValue<string>(categories, name) ?? name;

/** `a, b or c`. */
function oneOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** A date: `3 March 2026`; or an instant, which audiences may name too. */
const dayInWords = (day: string, timezone: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? Temporal.PlainDate.from(day).toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
    : localDateTime(new Date(day), timezone);

function yearsInWords({ carYearFrom: from, carYearTo: to }: Audience): string | null {
  if (from === undefined) return to === undefined ? null : `cars of ${to} or earlier`;
  if (to === undefined) return `cars of ${from} or later`;
  return from === to ? `cars of ${from}` : `cars of ${from} to ${to}`;
}

/** `Not here since 3 March 2026, Maintenance or Tyres, cars of 2010 to 2015, tag fleet`. */
export function audienceInWords(audience: Audience, workshop: Workshop): string {
  const { lastVisitBefore, lastVisitAfter, serviceCategories, tags, neverVisited } = audience;
  const { timezone } = workshop;
  const conditions = [
    neverVisited === undefined ? null : neverVisited ? 'never here yet' : 'here before',
    lastVisitAfter === undefined ? null : `here since ${dayInWords(lastVisitAfter, timezone)}`,
    lastVisitBefore === undefined ? null : `not here since ${dayInWords(lastVisitBefore, timezone)}`,
    serviceCategories === undefined ? null : oneOf(serviceCategories.map(categoryInWords)),
    yearsInWords(audience),
    tags === undefined ? null : `tag ${oneOf(tags.map((tag) => textShown(tag, workshop)))}`,
  ].filter((each) => each !== null);
  const words = conditions.join(', ');
  return words === '' ? 'All customers' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const triggers: Readonly<Record<TriggerType, string>> = {
  manual: 'A partner asks for it',
  bookingCreated: 'A booking is made',
  bookingConfirmed: 'A booking is confirmed',
  bookingCompleted: 'A booking is completed',
  bookingCancelled: 'A booking is cancelled',
  beforeBooking: 'A booking comes up',
  callMissed: 'A call is missed',
  reminderSent: 'A service reminder is sent',
};
export const triggerInWords = ({ type }: Pick<AutomationRow, 'type'>): string => triggers[type];

const many = (count: number, what: string) =>
  count === 0 ? null : `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** `2 hours after`, `1 day before`, `at once`. */
export function delayInWords({ type, offsetMinutes }: Pick<AutomationRow, 'type' | 'offsetMinutes'>): string {
  const isBefore = type === 'beforeBooking';
  const [days, rest] = [Math.floor(offsetMinutes / 1_440), offsetMinutes % 1_440];
  const span = [many(days, 'day'), many(Math.floor(rest / 60), 'hour'), many(rest % 60, 'minute')]
    .filter((part) => part !== null)
    .join(' ');
  if (span === '') return isBefore ? 'at its time' : 'at once';
  return `${span} ${isBefore ? 'before' : 'after'}`;
}

/** Empty: for all. */
export function conditionsInWords({ serviceCategories, minDaysSinceLastBooking }: Conditions): string {
  const days = many(minDaysSinceLastBooking ?? 0, 'day');
  return [
    serviceCategories === undefined ? null : oneOf(serviceCategories.map(categoryInWords)),
    days === null ? null : `${days} or more after their last other booking`,
  ]
    .filter((each) => each !== null)
    .join(', ');
}

export const quietInWords = ({ quietHours }: Pick<AutomationRow, 'quietHours'>): string =>
  quietHours === null ? 'None: at any time' : `${quietHours.from} to ${quietHours.to}`;
