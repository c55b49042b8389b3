/** Options of the workshop's staff when they make or change a booking. */

import type { Actor } from '#base/values/actor.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import type { Reason } from '#base/values/unavailable.ts';
import type { FieldError } from '#errors.ts';

/** The objections of the rules to the time of a booking that staff make or move. */
export interface Against {
  /** Null: nothing. */
  readonly against: Reason | null;
}

export interface OwnOptions {
  /** False: no notices. */
  readonly notify: boolean;
  /** The reason for booking against the rules, 3 to 255 characters; the place is not checked then. Null: the rules apply. */
  readonly anyway: string | null;
  readonly actor: Actor;
  /**
   * Refuses a local time that daylight saving skips or repeats, so that the user can choose; otherwise it is read as by
   * `parseTypedTime`.
   */
  readonly asksClock?: boolean;
  /** A day that is past needs a reason also where nothing is enforced: a form asks again, and the command line warns. */
  readonly asksPastDay?: boolean;
}

const [reasonAtLeast, reasonAtMost] = [3, 255];

/** The reason as it is stored; its fault names the field `anyway`. */
export function readAnyway(typed: string | null): { reason: string | null; errors: FieldError[] } {
  if (typed === null) return { reason: null, errors: [] };
  const reason = oneLine(normaliseString(typed));
  const length = [...reason].length;
  const isFit = length >= reasonAtLeast && length <= reasonAtMost;
  const message = `must say why, in ${reasonAtLeast} to ${reasonAtMost} characters`;
  return isFit ? { reason, errors: [] } : { reason: null, errors: [{ field: 'anyway', message }] };
}

/** One of the two identifies the booking. */
export const noName = { field: 'customerName', message: "is wanted, or the car's registration" } as const;
