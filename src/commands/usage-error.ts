import { OperatorError } from '#operator-error.ts';

/** The command line was wrong in a way that only the command could see. */
export class UsageError extends OperatorError {}
