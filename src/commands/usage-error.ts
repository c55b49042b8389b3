import { OperatorError } from '#base/operator-error.ts';

/** A wrong command line that only the command could detect. */
export class UsageError extends OperatorError {}

/** The word among those that an option takes. Throws UsageError. */
export function oneOf<T extends string>(option: string, word: string, known: readonly T[]): T {
  const found = known.find((one) => one === word);
  if (found === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}`);
  return found;
}

/** The words among those that an option takes, given with commas between them. Throws UsageError. */
export function someOf<T extends string>(option: string, text: string, known: readonly T[]): readonly T[] {
  const words = text.split(',').map((word) => word.trim());
  const found = known.filter((one) => words.includes(one));
  if (found.length < new Set(words).size) {
    throw new UsageError(`${option} must be some of ${known.join(', ')}, with commas`);
  }
  return found;
}
