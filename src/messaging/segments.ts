/** A text may be as long as 10 SMS (decisions, section 5). */
import type { FieldError } from '#errors.ts';

export const segmentsAtMost = 10;

export function tooLong(field: string, segments: number): FieldError {
  return { field, message: `is ${segments} SMS segments long; at most ${segmentsAtMost} are sent` };
}
