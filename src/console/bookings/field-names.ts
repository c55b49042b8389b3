/** What the verbs call the fields of the forms: a fault stands at its field, and the list of faults leads there. */
import type { Refused } from '../frame/form-key/submit.ts';

const fieldNames: Readonly<Record<string, string>> = {
  carRego: 'rego',
  bookingTime: 'time',
  to: 'time',
  pickupTime: 'pickup',
  customerName: 'name',
  customerPhone: 'phone',
  customerEmail: 'email',
  customerId: 'customer',
  anyway: 'reason',
};

/** The refusal with the names of the forms' fields; null: nothing was refused. */
export const asTyped = (refused: Refused | null): Refused | null =>
  refused && {
    ...refused,
    faults: refused.faults.map((fault) => ({ ...fault, field: fieldNames[fault.field] ?? fault.field })),
  };
