/**
 * Whether staff may send a custom text to a number: the first text to a number without a booking needs a reason, and a number of
 * another country needs an owner's permission.
 */
import { InvalidInput } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { oneLine } from '#base/values/one-line.ts';
import { isAbroad } from '#base/values/phone.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';
import { keepGround, readGround } from './store.ts';

/** The reasons that the sender gives. */
export interface Ground {
  /** Why a number without a booking may be texted: 3 to 255 characters, stored. */
  readonly reason?: string;
  /** An owner permits texts to this number of another country from now on. The caller checks that the person is an owner. */
  readonly allowAbroad?: true;
}

export interface Texted {
  readonly workshopId: string;
  readonly customerId: string;
  /** E.164 */
  readonly phone: string;
}

/** Stores the given reason or permission when the number needs it. Throws InvalidInput, which names what is missing. */
export async function requireGround(
  tx: Queryable,
  to: Texted,
  { reason: typed, allowAbroad }: Ground,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<void> {
  const known = await readGround(tx, to);
  const isFirst = !(known.booked || known.texted || known.reason !== null);
  const reason = typed === undefined ? null : oneLine(normaliseString(typed));
  if (reason !== null && (reason.length < 3 || reason.length > 255))
    throw new InvalidInput([{ field: 'reason', message: 'must have 3 to 255 characters' }]);
  const needsAllowance = isAbroad(to.phone, known.country) && !known.reachedUs && !known.abroadAllowed;
  const errors = [
    ...(isFirst && reason === null
      ? [{ field: 'reason', message: 'is needed: no booking has this number, so say why it may be texted' }]
      : []),
    ...(needsAllowance && !allowAbroad
      ? [
          {
            field: 'allowAbroad',
            message:
              'is needed: the number is of another country, and nobody has written or booked from it; an owner may allow it',
          },
        ]
      : []),
  ];
  if (errors.length > 0) throw new InvalidInput(errors);
  if (!isFirst && !needsAllowance) return;
  await keepGround(tx, { ...to, reason, abroadAllowed: needsAllowance, actor: storedActor(actor), at });
  const { workshopId, customerId } = to;
  await recordEntry(tx, {
    ...{
      actor,
      workshopId,
      subject: { kind: 'customer', id: customerId },
      action: 'customer.textAllowed',
      at,
    },
    after: { ...(reason !== null && { reason }), ...(needsAllowance && { abroadAllowed: true }) },
  });
}
