/**
 * A refusal of an operator's verb. The message is one sentence that is right wherever it is read; the way out is worded at the edge,
 * which knows how it is taken there: `src/commands/hints.ts` for the command line.
 */

import { isId } from '#base/values/id.ts';
import type { FieldError } from '#errors.ts';

/** The nouns that people name by an id, a code or a slug. */
export const nouns = [
  'app key',
  'attachment',
  'automation',
  'blast',
  'block',
  'booking',
  'conversation',
  'customer',
  'dead letter',
  'lead',
  'message',
  'partner',
  'person',
  'quote',
  'reminder',
  'template',
  'version',
  'webhook endpoint',
  'workshop',
] as const;
export type Noun = (typeof nouns)[number];

export interface Named {
  readonly what: Noun;
  readonly id: string;
}

/** Why, for an edge that has words of its own for it. */
export type Refusal =
  | (Named & { readonly code: 'notFound' })
  /** It does not belong to this one: a version of a template, an app key of a partner. */
  | (Named & { readonly code: 'notOf'; readonly of: Named })
  /** The staff can begin one. */
  | { readonly code: 'noConversation'; readonly booking: string }
  | { readonly code: 'noConversation'; readonly phone: string }
  /** An inbound SMS matches no workshop. */
  | { readonly code: 'noWorkshop' };

/** The verb can't be done: an unknown id, a name that is taken. */
export class OperatorError extends Error {
  /** Null where no edge has anything to add. */
  readonly refusal: Refusal | null;

  constructor(message: string, options: { readonly refusal?: Refusal; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.refusal = options.refusal ?? null;
  }
}

export const notFound = (what: Noun, id: string) =>
  new OperatorError(`there is no ${what} ${id}`, { refusal: { code: 'notFound', what, id } });

export const notOf = (of: Named, what: Noun, id: string) =>
  new OperatorError(`${of.what} ${of.id} has no ${what} ${id}`, { refusal: { code: 'notOf', what, id, of } });

/** Returns the result of a look-up, or of a change, by `id`. Throws OperatorError where it is null or false. */
export function found<T>(what: Noun, id: string, result: T | null | false): T {
  if (result === null || result === false) throw notFound(what, id);
  return result;
}

/** As `found`, for what goes by a UUID alone: `work` does not run for another text. */
export async function foundById<T>(
  what: Noun,
  id: string,
  work: () => Promise<T | null | false>,
): Promise<T> {
  return found(what, id, isId(id) && (await work()));
}

/** Why a value can't be taken, for an edge that has words of its own for it. */
export type FaultCode =
  | 'dayAndPeriod'
  | 'doubledTime'
  | 'needsBooking'
  | 'needsWorkshop'
  | 'notRendered'
  | 'skippedTime'
  | 'templateDraft'
  | 'templateUnknown'
  | 'templateUnpublished';

/** `field` in camel case. */
export interface FieldFault extends FieldError {
  readonly code?: FaultCode;
}

/** Values that can't be taken; every failing one is named. */
export class InvalidInput extends OperatorError {
  readonly errors: readonly FieldFault[];

  constructor(errors: readonly FieldFault[]) {
    super(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.errors = errors;
  }
}

/** A value that one alone may have. */
export const takenByAnother = (what: Noun, field: string, value: string) =>
  new InvalidInput([{ field, message: `"${value}" is the ${field} of another ${what}` }]);
