/** Stores the parts of customers' long SMS, in any order and by any process; the last part completes the message. */

import { newId } from '#base/values/id.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { InboundPart } from '#platform/gateways/sms/gateway.ts';
import { alone } from '#platform/work/failed/alone.ts';
import { dueLongSms, recordLong } from './record.ts';
import { addPart, endSeries, holdCurrent, type LongSms } from './store.ts';

/** Judges a part against the current message of its series: a missing part, a repeat, or the first part of the next message. */
function judge({ state, parts }: LongSms, { number, octets }: InboundPart): 'add' | 'repeat' | 'begin' {
  const before = parts[number - 1] ?? null;
  if (before !== null) return before.equals(octets) ? 'repeat' : 'begin';
  return state === 'open' ? 'add' : 'begin';
}

/**
 * Resolves once the part is stored. A complete message is recorded at once; if that fails, or a part never comes, the schedule
 * records it (`record.ts`).
 */
export async function takePart(context: Context, gateway: string, part: InboundPart): Promise<void> {
  const whole = await change(context, async ({ tx }) => {
    const current = await holdCurrent(tx, gateway, part, newId());
    const is = judge(current, part);
    if (is === 'repeat') return null;
    if (is === 'begin') await endSeries(tx, current.id);
    const { id } = is === 'begin' ? await holdCurrent(tx, gateway, part, newId()) : current;
    const added = await addPart(tx, id, part);
    return added.state === 'closed' ? added : null;
  });
  if (whole !== null) await alone(context, dueLongSms, whole.id, () => recordLong(context, whole));
}
