/** A required field that is missing while a similar unknown one was sent. */
import type { FastifyRequest } from 'fastify';
import { lettersOf, nearestName } from '#base/values/near-name.ts';
import { type FieldError, Problem } from '#errors.ts';
import { firstUnknown, lastNameOf, type UnknownField } from './unknown-fields.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The names that other interfaces have for fields of this operation. */
    meanings?: Meanings;
  }
}

/** By the path of a field, the unknown names that mean it, in small letters. */
export type Meanings = Readonly<Record<string, readonly string[]>>;

const isMissing = ({ message }: FieldError) => /^(?:is required|must have a)\b/.test(message);
const parentOf = (path: string) => path.slice(0, -lastNameOf(path).length);

/** The refusal of a body: a required field that is missing names a similar one that was sent instead. */
export function withNearMisses(request: FastifyRequest, problem: Problem): Problem {
  const { errors = [], errorCode, status, message, details, headers } = problem;
  const [first] = errors;
  if (first === undefined || !errors.some(isMissing)) return problem;
  const unknown = firstUnknown(request);
  if (unknown.length === 0) return problem;
  const { meanings = {} } = request.routeOptions.config;
  const named = errors.map((error) => (isMissing(error) ? withSent(error, unknown, meanings) : error));
  return new Problem(errorCode, {
    ...{ status, errors: named, headers, ...(details && { details }) },
    // It begins with the first of the faults.
    message: message.replace(first.message, () => named[0]?.message ?? ''),
  });
}

function withSent(error: FieldError, unknown: readonly UnknownField[], meanings: Meanings): FieldError {
  const beside = unknown.filter(({ path }) => parentOf(path) === parentOf(error.field));
  const sent = similarTo(
    lastNameOf(error.field),
    beside.map(({ path }) => lastNameOf(path)),
  );
  if (sent !== null) return { ...error, message: `${error.message}; you sent ${sent}` };
  const meant = meantBy(error.field, unknown, meanings);
  return meant === null ? error : { ...error, message: `${error.message}; you sent ${meant}` };
}

/** A field that other interfaces call by an unknown name that was sent: `to`, or `text: it is channels.sms.message`. */
function meantBy(missing: string, unknown: readonly UnknownField[], meanings: Meanings): string | null {
  for (const [field, names] of Object.entries(meanings)) {
    if (field !== missing && !field.startsWith(`${missing}.`)) continue;
    const found = unknown.find(({ path }) => names.includes(lastNameOf(path).toLowerCase()));
    if (found === undefined) continue;
    const { path } = found;
    return parentOf(path) === parentOf(field) ? lastNameOf(path) : `${path}: it is ${field}`;
  }
  return null;
}

/** `customerPhoen` for `customerPhone`, and `phone` too: a name that is the end of the right one. */
function similarTo(name: string, sent: readonly string[]): string | null {
  const isEnd = (end: string) => end.length >= 4 && lettersOf(name).endsWith(end);
  return nearestName(name, sent) ?? sent.find((each) => isEnd(lettersOf(each))) ?? null;
}
