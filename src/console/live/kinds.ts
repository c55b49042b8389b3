/** The hints of a workshop's event stream: which records changed, without any of their data. */
import { ownValue } from '#base/values/own-value.ts';

export const hintKinds = [
  'booking',
  'quote',
  'reminder',
  'call',
  'customer',
  /** By the ids of its conversation and of its customer. */
  'message',
  /** By the id of its booking. */
  'attendance',
  /** Notes of days, closed bays, the set-up of hours and bays; by the id of the workshop. */
  'day',
  /** People, texts, campaigns and all other settings; by the id of the workshop. */
  'settings',
] as const;
export type HintKind = (typeof hintKinds)[number];

/** `all`: more changed than one message can list, or the changes are unknown. */
export type Hint = { readonly kind: HintKind; readonly id: string } | { readonly kind: 'all' };

/** The most hints of one message; for more it says `all`. */
export const hintsAtMost = 200;

/** A change as read from the database. */
export interface Change {
  readonly workshopId: string;
  /** Subject and action: `booking.created`, `customer.tagged`, `message.failed`. */
  readonly what: string;
  readonly subjectId: string | null;
  /** The customer of the record or message; null: none, or unknown. */
  readonly customerId: string | null;
  readonly conversationId: string | null;
}

const byId: Readonly<Record<string, HintKind>> = {
  booking: 'booking',
  quote: 'quote',
  serviceReminder: 'reminder',
  callLead: 'call',
  customer: 'customer',
};
const attendances: ReadonlySet<string> = new Set(['booking.attended', 'booking.carReady']);
const ofDay: ReadonlySet<string> = new Set(['workshop.dayNoted', 'workshop.setUp']);
/** Entries of the trail that change nothing on any page. */
const ofNothing: ReadonlySet<string> = new Set([
  'workshop.dayPrinted',
  'workshop.weekPrinted',
  'customer.exported',
  // The start of an import: its records are announced when it has ended.
  'workshop.imported',
]);
/** Changes of records that the event does not name. */
const ofMuch: ReadonlySet<string> = new Set([
  'customer.erased',
  'customer.merged',
  'workshop.importEnded',
  'workshop.importTakenBack',
]);

/** The hints of a change. */
function hintsOf({ workshopId, what, subjectId, customerId, conversationId }: Change): readonly Hint[] {
  const of = (kind: HintKind, id: string | null): Hint[] => (id === null ? [] : [{ kind, id }]);
  const [subject = ''] = what.split('.');
  if (ofNothing.has(what)) return [];
  if (ofMuch.has(what)) return [{ kind: 'all' }];
  if (subject === 'message') return [...of('message', conversationId), ...of('message', customerId)];
  // Actions of staff on a conversation, whose trail is the customer's.
  const talked =
    subject === 'customer' && conversationId !== null
      ? [...of('message', conversationId), ...of('message', subjectId)]
      : [];
  if (subject === 'block' || ofDay.has(what)) return of('day', workshopId);
  const kind = ownValue(byId, subject);
  if (kind === undefined) return of('settings', workshopId);
  const attended = attendances.has(what) ? of('attendance', subjectId) : [];
  return [...attended, ...talked, ...of(kind, subjectId), ...of('customer', customerId)];
}

/** Returns the hints of one workshop's changes, each once; `all` alone where they are too many for one message. */
export function hintsOfAll(changes: readonly Change[]): readonly Hint[] {
  const hints = new Map<string, Hint>();
  for (const change of changes)
    for (const hint of hintsOf(change)) hints.set(hint.kind === 'all' ? '' : `${hint.kind} ${hint.id}`, hint);
  return hints.has('') || hints.size > hintsAtMost ? [{ kind: 'all' }] : [...hints.values()];
}
