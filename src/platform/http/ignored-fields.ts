/** `Pitlane-Ignored-Fields`: names the fields and query parameters that an operation does not know, so that a misspelt name shows; with `Pitlane-Strict: on` they are refused. */
import type { FastifyInstance } from 'fastify';
import { invalidFields } from '#errors.ts';
import { isStrict, strictFaults } from './strict.ts';
import { type UnknownField, unknownIn } from './unknown-fields.ts';
import { bodyFaults } from './validation.ts';

const namesAtMost = 20;
const lengthAtMost = 1_024;

/** The header's value: percent-encoded but for the `?` of parameters, comma-separated, the first 20 and 1 KB of them; null when there is none. */
export function ignoredFields(unknown: Iterable<UnknownField>): string | null {
  const names: string[] = [];
  let length = 0;
  for (const { path, isRefused } of unknown) {
    if (isRefused) continue;
    // The caller chooses the names: they may have any characters and any length.
    if (path.length > lengthAtMost) continue;
    const name = encodeURIComponent(path.toWellFormed()).replace(/^%3F/, '?');
    if (length + name.length + 1 > lengthAtMost) continue;
    names.push(name);
    length += name.length + 1;
    if (names.length === namesAtMost) break;
  }
  return names.length === 0 ? null : names.join(',');
}

/** Call it before any route is registered: every operation reports the fields and parameters that it ignores, or refuses them. */
export function reportIgnoredFields(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    // A strict request has no ignored fields.
    const ignored = isStrict(request) ? null : ignoredFields(unknownIn(request));
    if (ignored !== null) reply.header('pitlane-ignored-fields', ignored);
    done();
  });
  // Together with what validation found, where the handler is to judge that.
  app.addHook('preHandler', (request, _reply, done) => {
    done(strictFaults(request).length > 0 ? invalidFields(bodyFaults(request)) : undefined);
  });
}
