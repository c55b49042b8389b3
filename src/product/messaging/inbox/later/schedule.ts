/** Scheduled texts: written now, and stored until they are due. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { PersonActor } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireAddressee, type To } from '../../staff/addressee.ts';
import { type Ground, requireGround } from '../../staff/ground.ts';
import { type Addressee, judgeText, requireReachable } from '../../staff/sms.ts';
import { requireUnanswered } from '../answered/answered.ts';
import { lockTalk } from '../answered/store.ts';
import { countScheduled, insertScheduled, type ScheduledText, takeScheduled } from './store.ts';

/** How many days ahead, and how many may wait: for each person over all workshops, and for each workshop. */
export const scheduledAtMost = { days: 90, ofPerson: 100, ofWorkshop: 500 } as const;
const dayMs = 24 * 60 * 60_000;

export interface NewScheduledText {
  readonly workshopId: string;
  readonly to: To;
  /** The customer's booking that it is about; absent or null: none, or that of the text that this one replaces. */
  readonly bookingId?: string | null;
  /** As typed. */
  readonly text: string;
  /** Business time. */
  readonly dueAt: Date;
  /** The newest message of the talk that the author was shown; null: none. */
  readonly seen: string | null;
  /** The scheduled text that this one replaces. */
  readonly replaces?: string | undefined;
  readonly actor: PersonActor;
  /** Why the number may be texted, when that is required. */
  readonly ground?: Ground;
}

/**
 * Throws InvalidInput for a text as `judgeText` does, for a time (`time`) that is past or too far ahead, and as `requireGround`
 * does; OperatorError when the customer can't get SMS or too many texts wait; AnsweredMeanwhile.
 */
export async function scheduleText(context: ChangeContext, asked: NewScheduledText): Promise<ScheduledText> {
  const { clock } = context;
  const { workshopId, dueAt, seen, replaces, actor, ground = {} } = asked;
  const body = judgeText(asked.text);
  const now = clock.now();
  judgeTime(dueAt, now);
  return change(context, async ({ tx }) => {
    const to = await requireAddressee(tx, asked, now);
    const { customerId } = to;
    await lockTalk(tx, to, now);
    const replaced = replaces === undefined ? null : await requireScheduled(tx, to, replaces);
    await requireUnanswered(tx, to, seen);
    const phone = requireReachable(to);
    await requireRoom(tx, workshopId, actor.personId);
    await requireGround(tx, { workshopId, customerId, phone }, ground, { actor, at: now });
    const bookingId = asked.bookingId ?? replaced?.bookingId ?? null;
    const text = {
      id: newId(),
      workshopId,
      customerId,
      personId: actor.personId,
      bookingId,
      body,
      seen,
      dueAt,
    };
    await insertScheduled(tx, text, now);
    await recordEntry(tx, {
      ...{ actor, workshopId, subject: { kind: 'customer', id: customerId }, at: now },
      ...(replaced !== null && { before: { dueAt: replaced.dueAt.toISOString() } }),
      ...{ action: 'customer.textScheduled', after: { dueAt: dueAt.toISOString(), scheduledId: text.id } },
    });
    return text;
  });
}

export interface CancelledText {
  readonly workshopId: string;
  readonly conversationId: string;
  readonly id: string;
  readonly actor: PersonActor;
}

/** Cancels it. Throws OperatorError when it is not waiting: it was sent, or somebody cancelled it. */
export async function cancelText(
  context: ChangeContext,
  { workshopId, conversationId, id, actor }: CancelledText,
): Promise<void> {
  await change(context, async ({ tx, now }) => {
    const to = await requireAddressee(tx, { workshopId, to: { conversationId } }, now);
    await lockTalk(tx, to, now);
    const text = await requireScheduled(tx, to, id);
    await recordEntry(tx, {
      ...{ actor, workshopId, subject: { kind: 'customer', id: text.customerId }, at: now },
      ...{ action: 'customer.textCancelled', before: { dueAt: text.dueAt.toISOString() } },
    });
  });
}

/** Removes a waiting text while the talk is locked. Throws OperatorError when it is not waiting. */
export async function requireScheduled(tx: Queryable, to: Addressee, id: string): Promise<ScheduledText> {
  const { workshopId, customerId } = to;
  const text = isId(id) ? await takeScheduled(tx, { workshopId, customerId, id }) : null;
  if (text === null)
    throw new OperatorError('that text does not wait any more: it was sent, changed or cancelled meanwhile');
  return text;
}

function judgeTime(dueAt: Date, now: Date): void {
  const refuse = (message: string) => new InvalidInput([{ field: 'time', message }]);
  if (dueAt <= now) throw refuse('is past: choose a time that is still to come, or send it now');
  if (dueAt.getTime() > now.getTime() + scheduledAtMost.days * dayMs)
    throw refuse(`is too far ahead: at most ${scheduledAtMost.days} days`);
}

async function requireRoom(tx: Queryable, workshopId: string, personId: string): Promise<void> {
  const { ofPerson, ofWorkshop } = await countScheduled(tx, workshopId, personId);
  if (ofPerson >= scheduledAtMost.ofPerson)
    throw new OperatorError(`at most ${scheduledAtMost.ofPerson} texts of a person wait to be sent`);
  if (ofWorkshop >= scheduledAtMost.ofWorkshop)
    throw new OperatorError(`at most ${scheduledAtMost.ofWorkshop} texts of a workshop wait to be sent`);
}
