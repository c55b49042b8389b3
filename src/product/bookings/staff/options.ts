/** How the workshop's staff make or change a booking. */

import type { Actor } from '#base/values/actor.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';

export interface OwnOptions<Written> {
  /** False: nobody is told. */
  readonly notify: boolean;
  /** Why it is wanted whatever speaks against it, 3 to 255 characters: then it is held to nothing. Null: it is held to the rules. */
  readonly anyway: string | null;
  readonly actor: Actor;
  /** Refuses a time that clocks skip or show twice, so that whoever typed it is asked; else as `parseTypedTime` takes it. */
  readonly asksClock?: boolean;
  readonly alongside?: Alongside<Written>;
}

const [reasonAtLeast, reasonAtMost] = [3, 255];

/** The reason as it is stored; its fault is one of `anyway`. */
export function readAnyway(typed: string | null): { reason: string | null; errors: FieldError[] } {
  if (typed === null) return { reason: null, errors: [] };
  const reason = oneLine(normaliseString(typed));
  const length = [...reason].length;
  const isFit = length >= reasonAtLeast && length <= reasonAtMost;
  const message = `must say why, in ${reasonAtLeast} to ${reasonAtMost} characters`;
  return isFit ? { reason, errors: [] } : { reason: null, errors: [{ field: 'anyway', message }] };
}

/** One of them says whose booking it is. */
export const noName = { field: 'customerName', message: "is wanted, or the car's registration" } as const;
