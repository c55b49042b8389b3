/** The refusal of a slug that another workshop has. */
import { InvalidInput } from '#operator-error.ts';

export function slugTaken(slug: string): InvalidInput {
  return new InvalidInput([{ field: 'slug', message: `"${slug}" is another workshop's` }]);
}
