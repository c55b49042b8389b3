/** The known placeholder that an unknown one most likely stands for. */
import { distance } from 'fastest-levenshtein';
import { templateFields } from './fields.ts';

const known = Object.entries(templateFields).flatMap(([root, fields]) =>
  fields.map((field) => ({ root, field, path: `${root}.${field}` })),
);

/** No placeholder is nearly as long. */
const longest = 100;

/** A wrong first part costs no more than this: `vehicle.rego` means `car.rego`. */
const rootAtMost = 3;

/** `customer.fristName` → `customer.firstName`, `rego` → `car.rego`, `booking` → a field of it. */
export function nearestPlaceholder(path: string): string {
  const [first = '', ...rest] = path.slice(0, longest).toLowerCase().split('.');
  const [root, field] = rest.length > 0 ? [first, rest.join('.')] : [null, first];
  const faults = (of: (typeof known)[number]) => {
    if (root === null && of.root === field) return 0;
    const inRoot = root === null ? 0 : Math.min(distance(root, of.root), rootAtMost);
    return inRoot + distance(field, of.field.toLowerCase());
  };
  const [nearest] = known.toSorted((one, other) => faults(one) - faults(other));
  return nearest?.path ?? '';
}
