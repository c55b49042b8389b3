/** An instant whose form the schema of the request has checked. */
import { Problem } from '#errors.ts';
import { parseInstant } from '#values/instant.ts';

export function checkedInstant(text: string): Date {
  const date = parseInstant(text);
  if (date === null) throw new Problem('000001');
  return date;
}
