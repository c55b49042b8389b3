/** The workshop itself confirms, completes or cancels a booking. It gets no notice of its own changes. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import { valueReader } from '#platform/http/validation.ts';
import { type BookingStatus, StatusBody } from '../schema.ts';
import { changeStatus } from '../status.ts';

const readStatus = valueReader(StatusBody, 'status');

export interface OwnStatus {
  readonly status: BookingStatus;
  /** The reason of a cancellation: at most 500 characters. */
  readonly reason: string | undefined;
  readonly notify: boolean;
  readonly actor: Actor;
}

/** Throws InvalidInput for a reason that cannot be stored, 404 060001, and 409 060002, which names the permitted statuses. */
export async function giveStatus(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  bookingId: string,
  { status, reason, notify, actor }: OwnStatus,
): Promise<void> {
  const body = { reason: reason ?? null };
  const { errors } = readStatus(body);
  if (errors.length > 0) throw new InvalidInput(errors);
  await changeStatus(context, {
    ...{ actor, bookingId, status, notify, ifMatch: undefined },
    reason: body.reason,
  });
}
