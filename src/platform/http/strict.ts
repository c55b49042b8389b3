/** `Pitlane-Strict: on` refuses the fields that would be ignored. */
import type { FastifyRequest } from 'fastify';
import { nearestName } from '#base/values/near-name.ts';
import { type FieldError, Problem } from '#errors.ts';
import { firstUnknown, lastNameOf } from './unknown-fields.ts';

/** True with `Pitlane-Strict: on`. Throws 400 000001 for what is neither on nor off. */
export function isStrict({ headers }: FastifyRequest): boolean {
  const wish = headers['pitlane-strict'];
  if (wish === undefined) return false;
  if (/^(?:on|off)$/i.test(String(wish))) return /^on$/i.test(String(wish));
  throw new Problem('000001', { message: 'The header Pitlane-Strict must be on or off' });
}

/** With `Pitlane-Strict: on`: the fields that would be ignored, as faults. */
export function strictFaults(request: FastifyRequest): FieldError[] {
  if (!isStrict(request)) return [];
  return firstUnknown(request)
    .filter(({ isRefused }) => !isRefused)
    .map(({ path, known }) => {
      const nearest = nearestName(lastNameOf(path), Object.keys(known));
      return {
        field: path,
        message: `is not known here${nearest === null ? '' : `: did you mean ${nearest}?`}`,
      };
    });
}
