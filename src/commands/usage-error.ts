import { OperatorError } from '#operator-error.ts';

/** A wrong command line that only the command could detect. */
export class UsageError extends OperatorError {}
