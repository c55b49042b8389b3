/** The refusal of a name that another template of the workshop has. */
import { InvalidInput } from '#operator-error.ts';

export function nameTaken(name: string): InvalidInput {
  return new InvalidInput([{ field: 'name', message: `"${name}" is the name of another template` }]);
}
