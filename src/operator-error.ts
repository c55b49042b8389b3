/** What an operator's verb refuses: the message is one line, for the person at the command line. */
import type { FieldError } from '#errors.ts';

/** The verb can't be done: an unknown id, a name that is taken. */
export class OperatorError extends Error {}

/** Values that can't be taken; every failing one is named, by the field's name in camel case. */
export class InvalidInput extends OperatorError {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.errors = errors;
  }
}
