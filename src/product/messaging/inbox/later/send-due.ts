/**
 * Queues scheduled texts that are due by the business clock. Each is removed from the waiting ones in the commit that queues it, so
 * it is sent once.
 */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { findMember } from '#product/people/members/store.ts';
import { may } from '#product/people/permissions.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { queueOwnSms } from '../../staff/sms.ts';
import { findAddressee } from '../../staff/store.ts';
import { hasWrittenSince, lockTalk } from '../answered/store.ts';
import { findDueTexts, findScheduled, type ScheduledText, takeScheduled } from './store.ts';

/** Two processes may run it at once. */
export const dueTexts: Pieces = {
  job: 'sendScheduledText',
  subject: 'scheduledTextId',
  atOnce: 50,
  find: (db, now, atMost) => findDueTexts(db, now, atMost, dueTexts.job),
  run: sendTexts,
};

export const sendDueTexts = (context: Context): Promise<number> => workOff(context, dueTexts);

async function sendTexts(context: Context, ids: readonly string[]): Promise<number> {
  let ended = 0;
  for (const id of ids) if (await sendText(context, id)) ended++;
  return ended;
}

/** True when it no longer waits. A text that can't be sent becomes a failed message in the talk, with the reason. */
async function sendText(context: Context, id: string): Promise<boolean> {
  try {
    return await change(context, ({ tx }) => queueText(tx, context, id));
  } catch (error) {
    const why = whyRefused(error);
    if (why === null) throw error;
    return change(context, ({ tx, now }) => failText(tx, id, now, why));
  }
}

/** Checks now what is checked for a text that is sent immediately: author, customer, number, limits. */
async function queueText(tx: Queryable, context: Context, id: string): Promise<boolean> {
  const now = context.clock.now();
  const text = await take(tx, id, now);
  if (text === null) return false;
  const { workshopId, personId, bookingId, body, seen } = text;
  const writer = await findMember(tx, workshopId, personId);
  if (writer === null || !may(writer, 'wordTexts'))
    throw new OperatorError('whoever wrote it may not text customers of this workshop any more');
  if (await hasWrittenSince(tx, text, seen))
    throw new OperatorError('the customer wrote since: read that first');
  const to = await findAddressee(tx, workshopId, text.customerId);
  if (to === null) throw new Error('the customer of a scheduled text does not exist');
  const actor = { kind: 'person', personId, requestId: null } as const;
  await queueOwnSms(tx, context, to, { text: body, bookingId, causeId: id, actor });
  return true;
}

/** Locks in the same order as an answer does: the talk first, then the scheduled text. */
async function take(tx: Queryable, id: string, now: Date): Promise<ScheduledText | null> {
  const found = await findScheduled(tx, id);
  if (found === null || found.dueAt > now) return null;
  await lockTalk(tx, found, now);
  return takeScheduled(tx, found);
}

/** Stores it as a failed message of the talk, so that it is shown, counted and resent like any other. */
async function failText(tx: Queryable, id: string, now: Date, why: string): Promise<boolean> {
  const text = await take(tx, id, now);
  if (text === null) return false;
  const { workshopId, customerId, bookingId, body } = text;
  const to = await findAddressee(tx, workshopId, customerId);
  const message = {
    ...({ kind: 'reply', channel: 'sms', audience: 'customer', causeId: id } as const),
    ...{ workshopId, customerId: to?.customerId ?? customerId, recipient: to?.phone ?? '', bookingId, body },
    refusal: { reason: 'heldBack', detail: `Not sent: ${why}.` } as const,
  };
  const actor = actors.schedule;
  await enqueue(tx, [message], { now, actor, exemptCountries: [] });
  await recordEntry(tx, {
    ...{ actor, workshopId, subject: { kind: 'customer', id: customerId }, at: now },
    ...{ action: 'customer.textHeldBack', after: { reason: why } },
  });
  return true;
}

/** The refusal in words, without its common beginning; null: the error is not a refusal. */
function whyRefused(error: unknown): string | null {
  const isRefusal = error instanceof OperatorError || (error instanceof Problem && error.status === 429);
  if (!isRefusal) return null;
  const words = error instanceof InvalidInput ? error.errors.map(wordsOf).join('; ') : error.message;
  return words.replace(/^not sent: (?:customer \S+ (?=has ))?/, '');
}

const wordsOf = ({ field, message }: InvalidInput['errors'][number]) => `${field} ${message}`;

/**
 * After a restore it is unknown which due texts were sent since the backup, so none is sent: each becomes a failed message in its
 * talk. Returns how many.
 */
export function holdBackDueTexts(tx: Queryable, now: Date): Promise<number> {
  return inBatches(async (atMost) => {
    const ids = await findDueTexts(tx, now, atMost);
    for (const id of ids)
      await failText(tx, id, now, 'it may have been sent before the data were restored from a backup');
    return ids.length;
  }, dueTexts.atOnce);
}

/** The operator gives up a text that failed. */
export const giveUpText = (tx: Queryable, id: string, now: Date): Promise<unknown> =>
  failText(tx, id, now, 'the operator gave it up');
