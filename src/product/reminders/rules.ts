/** Checks of a reminder's body that the schema can't express. */
import type { FieldError } from '#errors.ts';

/** Accepts any body, also one that the schema refuses, so that one response names all faults. */
export function personErrors(body: {
  readonly customerId?: unknown;
  readonly customerPhone?: unknown;
}): FieldError[] {
  const absent = (value: unknown) => value === undefined || value === null;
  if (!absent(body.customerId) || !absent(body.customerPhone)) return [];
  return [{ field: 'customerPhone', message: 'is required when customerId is omitted' }];
}
