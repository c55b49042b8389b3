/** An instant whose form the schema of the request has checked. */

import { parseInstant } from '#base/values/instant.ts';
import { Problem } from '#errors.ts';

export function checkedInstant(text: string): Date {
  const date = parseInstant(text);
  if (date === null) throw new Problem('000001');
  return date;
}
