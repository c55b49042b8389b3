/** Takes the parts of customers' long SMS, in any order and by any process, and stores the message with the last of them. */
import type { Context } from '#context.ts';
import { decodeOctets } from '#gateways/sms/charset.ts';
import type { InboundPart } from '#gateways/sms/gateway.ts';
import { newId } from '#values/id.ts';
import { recordLong } from './record.ts';
import { addPart, endSeries, holdCurrent, type LongSms, type StoredPart } from './store.ts';

/** What a part is to the message that its series has now: a missing part, one that came before, or the first of the next message. */
function judge(
  { state, texts, octets }: LongSms,
  { number, ...part }: StoredPart,
): 'add' | 'repeat' | 'begin' {
  const before = texts[number - 1] ?? null;
  const asItCame = octets?.[number - 1] ?? null;
  if (asItCame !== null) return asItCame.equals(part.octets) ? 'repeat' : 'begin';
  if (before !== null) return before.equals(part.text) ? 'repeat' : 'begin';
  return state === 'open' ? 'add' : 'begin';
}

/**
 * Resolves once the part is stored. A message that is whole by then is stored with it; when that fails, or some part never comes, the
 * schedule stores it (`record.ts`).
 */
export async function takePart(context: Context, gateway: string, part: InboundPart): Promise<void> {
  const stored = { ...part, text: Buffer.from(decodeOctets(part.octets, part.charset), 'utf16le') };
  const whole = await context.db.transaction(async (tx) => {
    const current = await holdCurrent(tx, gateway, part, newId());
    const is = judge(current, stored);
    if (is === 'repeat') return null;
    if (is === 'begin') await endSeries(tx, current.id);
    const { id } = is === 'begin' ? await holdCurrent(tx, gateway, part, newId()) : current;
    const added = await addPart(tx, id, stored);
    return added.state === 'closed' ? added : null;
  });
  if (whole !== null) await recordLong(context, whole);
}
