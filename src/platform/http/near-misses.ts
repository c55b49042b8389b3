/** A required field that is missing while a similar unknown one was sent. */
import type { FastifyRequest } from 'fastify';
import { lettersOf, nearestName } from '#base/values/near-name.ts';
import { type FieldError, Problem } from '#errors.ts';
import { firstUnknown, lastNameOf, type UnknownField } from './unknown-fields.ts';

const isMissing = ({ message }: FieldError) => message.startsWith('is required');
const parentOf = (path: string) => path.slice(0, -lastNameOf(path).length);

/** The refusal of a body: a required field that is missing names a similar one that was sent instead. */
export function withNearMisses(request: FastifyRequest, problem: Problem): Problem {
  const { errors = [], errorCode, status, message, details, headers } = problem;
  const [first] = errors;
  if (first === undefined || !errors.some(isMissing)) return problem;
  const unknown = firstUnknown(request);
  if (unknown.length === 0) return problem;
  const named = errors.map((error) => (isMissing(error) ? withSent(error, unknown) : error));
  return new Problem(errorCode, {
    ...{ status, errors: named, headers, ...(details && { details }) },
    // It begins with the first of the faults.
    message: message.replace(first.message, () => named[0]?.message ?? ''),
  });
}

function withSent(error: FieldError, unknown: readonly UnknownField[]): FieldError {
  const beside = unknown.filter(({ path }) => parentOf(path) === parentOf(error.field));
  const sent = similarTo(
    lastNameOf(error.field),
    beside.map(({ path }) => lastNameOf(path)),
  );
  return sent === null ? error : { ...error, message: `${error.message}; you sent ${sent}` };
}

/** `customerPhoen` for `customerPhone`, and `phone` too: a name that is the end of the right one. */
function similarTo(name: string, sent: readonly string[]): string | null {
  const isEnd = (end: string) => end.length >= 4 && lettersOf(name).endsWith(end);
  return nearestName(name, sent) ?? sent.find((each) => isEnd(lettersOf(each))) ?? null;
}
