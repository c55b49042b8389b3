/** The trail of one record, for its page: who changed what, and when. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { ownValue } from '#base/values/own-value.ts';
import { changesSince, listTrail, type TrailEntry } from '#platform/audit/read/store.ts';
import { actorInWords, personOf } from '#platform/audit/words.ts';
import type { Queryable } from '#platform/db/database.ts';
import { namesOf } from '#product/people/names/store.ts';
import { nameText } from '../frame/masked.ts';
import { reasonInWords } from '../frame/reasons.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

const shownAtMost = 30;

/** The newest changes of a record, the newest first. */
export const readTrail = ({ context, workshop }: WorkshopVisit, subjectId: string): Promise<TrailEntry[]> =>
  listTrail(context.db, { workshopId: workshop.workshopId, subjectId, before: null, limit: shownAtMost });

/** Merges several trails, newest first, and cuts them to the number that is listed. */
export const newestOf = (trails: readonly (readonly TrailEntry[])[]): TrailEntry[] =>
  trails
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, shownAtMost);

/** Null: there are none. */
export async function trailCard(
  visit: WorkshopVisit,
  entries: readonly TrailEntry[],
): Promise<SafeHtml | null> {
  if (entries.length === 0) return null;
  return html`<section class="card"><h2>What changed</h2><ol class="story">${await inWords(visit, entries)}</ol></section>`;
}

export const trailOf = async (visit: WorkshopVisit, subjectId: string): Promise<SafeHtml | null> =>
  trailCard(visit, await readTrail(visit, subjectId));

/** The changes after a version; null: unknown. */
export async function changesAfter(
  visit: WorkshopVisit,
  subjectId: string,
  version: number,
): Promise<SafeHtml[] | null> {
  const { context, workshop } = visit;
  const entries = await changesSince(context.db, { workshopId: workshop.workshopId, subjectId, version });
  return entries.length === 0 ? null : inWords(visit, entries);
}

/** Each as an item of a list. */
export async function inWords(visit: WorkshopVisit, entries: readonly TrailEntry[]): Promise<SafeHtml[]> {
  const names = await namesFor(visit.context.db, entries);
  return entries.map((entry) => item(visit, entry, names));
}

async function namesFor(db: Queryable, entries: readonly TrailEntry[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.flatMap(({ actor }) => personOf(actor) ?? []))];
  return ids.length === 0 ? new Map() : namesOf(db, ids);
}

function item({ workshop }: WorkshopVisit, entry: TrailEntry, names: ReadonlyMap<string, string>): SafeHtml {
  const { actor, partner, occurredAt } = entry;
  const person = names.get(personOf(actor) ?? '') ?? null;
  const fields = fieldsOf(entry, workshop).map(([name, words]) => html`<br>${name}: ${words}`);
  return html`<li><strong>${actorInWords(actor, { person, partner })}</strong> ${actionInWords(entry)} <span class="quiet">${localDateTime(occurredAt, workshop.timezone)}</span>${fields}</li>`;
}

/** `booking.updated` → `changed it`. */
const actions: Readonly<Record<string, string>> = {
  created: 'made it',
  updated: 'changed it',
  confirmed: 'confirmed it',
  cancelled: 'cancelled it',
  completed: 'completed it',
  undone: 'took a change back',
  begun: 'began to send it',
  triggered: 'had it sent',
  attended: 'marked the attendance',
  bookedAnyway: 'wanted it anyway',
  corrected: 'corrected the details',
  carCorrected: 'corrected a car',
  sameCar: 'said that cars are one',
  textAllowed: 'said why this number may be texted',
  texted: 'sent a text',
  textScheduled: 'wrote a text for later',
  textCancelled: 'cancelled a text for later',
  textHeldBack: 'held a text back',
  carReady: 'said that the car is ready',
  calledBack: 'marked the call as called back',
  waitsAgain: 'took back that somebody called back',
  missed: 'said that nobody took it',
  sendAsked: 'had it sent now',
  scheduled: 'scheduled it',
  sent: 'sent it',
  failed: 'could not send it',
  booked: 'booked again with it',
  tagged: 'changed the tags',
  requested: 'asked for a price',
  quoted: 'sent a price',
  declined: 'declined it',
  accepted: 'accepted it',
  expired: 'ended it: its time was over',
  optedOut: 'opted out of SMS',
  optedOutAgain: 'said STOP again',
  optedIn: 'opted in to SMS',
  imported: 'imported a file',
  importEnded: 'ended the import of a file',
  importTakenBack: 'took the import of a file back',
  exported: 'exported the data',
  erased: 'erased the data',
  merged: 'merged two customers',
  talkDone: 'marked the conversation as done',
  talkReopened: 'marked the conversation as waiting again',
  talkAskedToStop: 'may have asked for no more texts',
  talkMayHaveMeantBooking: 'may have meant a booking by an opt-out word',
  talkStopMeant: 'said that they asked for no more texts',
  talkStopNotMeant: 'said that they did not ask for no more texts',
  talkAssigned: 'assigned the conversation',
  talkUnassigned: 'assigned the conversation to nobody',
  noted: 'added a note',
  added: 'added them',
  changed: 'changed it',
  removed: 'removed them',
  codePrinted: 'printed a code to sign in with',
  signedIn: 'signed in',
  signedOut: 'signed out',
  signInFailed: 'failed to sign in',
  passkeyAdded: 'added a passkey',
  passkeyRemoved: 'removed a passkey',
  totpSet: 'set up an authenticator app',
  totpRemoved: 'removed the authenticator app',
  recoveryCodesMade: 'made new recovery codes',
  recoveryCodeUsed: 'used a recovery code',
  factorsReset: 'removed all second factors',
  switched: 'came back by PIN at a shared desk',
  pinFailed: 'typed a wrong PIN',
  pinSet: 'set a PIN',
  pinRemoved: 'removed the PIN',
  emailChanged: 'changed the e-mail address',
};

/** Words for the new state of a blast or an automation. */
const campaigns: Readonly<Record<string, string>> = {
  ...{ paused: 'paused it', cancelled: 'stopped it', active: 'resumed it' },
  ...{ scheduled: 'resumed it', sending: 'resumed it' },
};
const ofCampaigns: ReadonlySet<string> = new Set(['blast.changed', 'automation.changed']);
/** Nothing of these is ever changed: their pages show it. */
const madeCampaigns: ReadonlySet<string> = new Set(['blast.created', 'automation.created']);

function actionInWords({ action, actor, after }: TrailEntry): string {
  if (ofCampaigns.has(action)) return ownValue(campaigns, String(after?.['status'])) ?? 'changed it';
  const [, verb = action] = action.split('.');
  // Quotes are usually accepted by customers.
  if (action === 'quote.accepted' && personOf(actor) !== null) return 'accepted it for the customer';
  return ownValue(actions, verb) ?? verb;
}

/** Names in words, and values from → to; without unchanged values, empty ones and ids. */
function fieldsOf(
  { action, before, after }: TrailEntry,
  workshop: WorkshopVisit['workshop'],
): (readonly [name: string, words: string])[] {
  if (madeCampaigns.has(action)) return [];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.slice(0, 20).flatMap((name) => {
    // The new state is the action.
    if (ofCampaigns.has(action) && name === 'status') return [];
    if (ofCampaigns.has(action) && name === 'reason')
      return [[name, reasonInWords(String(after?.[name]))] as const];
    const [was, is] = [shown(before?.[name], workshop), shown(after?.[name], workshop)];
    if (was === is || isId(is) || isId(was)) return [];
    return [[nameInWords(name), was === '' ? is : `${was} → ${is === '' ? 'none' : is}`] as const];
  });
}

/** `pickupTime` → `pickup time`. */
const nameInWords = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const shownAtMostCharacters = 120;

/** A text is masked before it is cut: the rest of a cut number would stay readable. */
function shown(value: unknown, workshop: WorkshopVisit['workshop']): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && instant.test(value))
    return localDateTime(new Date(value), workshop.timezone);
  if (Array.isArray(value)) return value.map((each) => nameText(titleOf(each), workshop)).join(', ');
  const words = typeof value === 'object' ? titleOf(value) : String(value);
  const text = typeof value === 'number' || isId(words) ? words : nameText(words, workshop);
  return text.length > shownAtMostCharacters ? `${text.slice(0, shownAtMostCharacters - 1)}…` : text;
}

function titleOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const { title, catalogCode, name, rego } = value as Record<string, unknown>;
  return String(title ?? catalogCode ?? name ?? rego ?? JSON.stringify(value));
}
