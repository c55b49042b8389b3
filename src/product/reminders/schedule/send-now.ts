/** The workshop sends a scheduled reminder before it is due. Of this and the schedule, the first one sends it, once. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { countStaffSms } from '#product/sending/staff-bounds/count.ts';
import { keepWayOuts } from '#product/way-out/store.ts';
import { type WayOutSettings, wayOutFor } from '#product/way-out/way-out.ts';
import { messageOf } from './message.ts';
import { type DueReminder, takeOne, versionOfReminder } from './store.ts';

export interface SendReminderNow {
  readonly workshopId: string;
  readonly reminderId: string;
  /** The version that staff have seen; absent: any. */
  readonly seen?: number;
  readonly actor: Actor;
}

/**
 * The due date stays. If the schedule would end it unsent, the call is refused and the reminder stays scheduled. It counts under
 * the limits on staff texts. Throws 404 080001, 412 000010, 429 as `countStaffSms`, and OperatorError when it can't be sent, or was
 * sent in between.
 */
export async function sendReminderNow(
  context: ChangeContext & Pick<Context, 'config'>,
  { actor, seen, ...of }: SendReminderNow,
): Promise<{ readonly messageId: string }> {
  const { workshopId, reminderId } = of;
  if (!isId(reminderId)) throw new Problem('080001');
  const { config } = context;
  return change(context, async ({ tx, now }) => {
    const reminder = await takeOne(tx, now, of);
    const present = await versionOfReminder(tx, of);
    if (present === null) throw new Problem('080001');
    if (seen !== undefined && present !== seen) throw new Problem('000010');
    if (reminder === null)
      throw new OperatorError('this reminder is not scheduled any more, or is on its way');
    const fault = whyNot(reminder, config);
    if (fault !== null) throw new OperatorError(`not sent: ${fault}`);
    const { message, wayOut } = messageOf(reminder, config, { keepsQuiet: false });
    if (wayOut !== null) await keepWayOuts(tx, [wayOut], now);
    const [queued] = await enqueue(tx, [message], { now, actor, exemptCountries: [] });
    if (queued?.state === 'optedOut') throw new OperatorError('not sent: the customer has opted out of SMS');
    if (queued?.state === 'mayHaveOptedOut')
      throw new OperatorError(
        'not sent: the customer may have asked for no more texts: decide in their conversation first',
      );
    if (queued?.state !== 'queued') throw new OperatorError('this reminder was sent before');
    await countStaffSms(tx, config, { workshopId, actor });
    const { messageId } = queued;
    await recordEntry(tx, {
      ...{ actor, workshopId, subject: { kind: 'serviceReminder', id: reminderId }, at: now },
      ...{ action: 'serviceReminder.sendAsked', after: { messageId } },
    });
    return { messageId };
  });
}

const noWayOut =
  'the customer could not stop such texts: they come from a name, and this service has no public address (PITLANE_PUBLIC_URL)';

/** Why a scheduled reminder can't be sent, in words; null: no reason is known. */
export function whyNot(
  { isNeedless, isOpen, phone, workshop }: DueReminder,
  settings: WayOutSettings,
): string | null {
  if (phone === null) return 'the customer has no phone any more';
  if (!isOpen) return 'its partner may not send texts for the workshop any more';
  if (wayOutFor(workshop, settings).way === 'none') return noWayOut;
  return isNeedless ? 'the car has been booked since: stop the reminder instead' : null;
}
