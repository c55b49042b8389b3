/** The workshop itself confirms, completes or cancels a booking. It gets no notice of its own changes. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { FieldError } from '#errors.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import { valueReader } from '#platform/http/validation.ts';
import type { ChangedBooking, Holding } from '../hold.ts';
import { type BookingStatus, StatusBody } from '../schema.ts';
import { changeStatus } from '../status.ts';

const readStatus = valueReader(StatusBody, 'status');

export interface OwnStatus extends Holding {
  readonly status: BookingStatus;
  /** The reason of a cancellation: at most 500 characters. */
  readonly reason: string | undefined;
  readonly notify: boolean;
  readonly actor: Actor;
  /** The version that staff have seen; absent: any. */
  readonly seen?: number;
}

/** Throws InvalidInput for a reason that cannot be stored, 404 060001, 412 000010, and 409 060002, which names the permitted statuses. */
export async function giveStatus(
  context: ChangeContext,
  bookingId: string,
  { reason, ...change }: OwnStatus,
): Promise<ChangedBooking> {
  const read = readReason(reason);
  if (read.errors.length > 0) throw new InvalidInput(read.errors);
  return changeStatus(context, { ...change, bookingId, reason: read.reason });
}

/** A reason as it is stored, and why it can't be. */
export function readReason(typed: string | undefined): {
  readonly reason: string | null;
  readonly errors: readonly FieldError[];
} {
  const body = { reason: typed ?? null };
  const { errors } = readStatus(body);
  return { reason: body.reason, errors };
}
