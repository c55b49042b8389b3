/** Removes personal details from stored JSON: event payloads and responses stored for idempotent replay. */
import { ownValue } from '#base/values/own-value.ts';

/** Fields with personal details, and free texts, by the names that the API and our events use. */
const personal = new Set([
  ...['name', 'firstName', 'lastName', 'email', 'phone', 'company', 'address', 'postcode', 'suburb'],
  ...['customerName', 'customerEmail', 'customerPhone', 'customerCompany', 'callerPhone'],
  ...['contactName', 'contactEmail', 'contactPhone', 'contactCompany'],
  ...['rego', 'vin', 'carRego', 'carVin', 'notes', 'jobNotes', 'productNotes', 'cancelReason'],
  ...['body', 'message', 'detail', 'recipient', 'recordingUrl'],
]);

/** Fields that are never null on the wire. */
const required: Readonly<Record<string, string>> = {
  name: 'Erased',
  customerName: 'Erased',
  contactName: 'Erased',
  body: 'Erased',
  rego: 'ERASED',
  carRego: 'ERASED',
};

/** The value of an erased field, of the type that readers expect. */
function erased(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return value === null ? null : (ownValue(required, key) ?? null);
}

/** A copy without personal details. A workshop's own details are public and stay. */
export function scrub(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'workshop') return [key, inner];
      const isDetail = personal.has(key) && (typeof inner !== 'object' || Array.isArray(inner));
      return [key, isDetail ? erased(key, inner) : scrub(inner)];
    }),
  );
}
