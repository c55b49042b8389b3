/** Restrictions on typed texts beyond those for partners: notices contain them, in the workshop's name, and go to any number. */

import { holdsLink } from '#base/values/callers-links.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';

export const regoAtMost = 12;
const regoForm = new RegExp(`^[\\p{L}\\p{M}\\p{N} -]{0,${regoAtMost}}$`, 'u');

/** Faults of the registration and the name, in plain words; an empty field has none here. */
export function faultsOfTyped(form: Form): FieldError[] {
  const faults: FieldError[] = [];
  if (!regoForm.test(normaliseString(form['carRego'] ?? '')))
    faults.push({
      field: 'carRego',
      message: `A registration has letters, digits, spaces and hyphens, at most ${regoAtMost} of them`,
    });
  if (holdsLink(normaliseString(form['customerName'] ?? '')))
    faults.push({ field: 'customerName', message: 'Enter your name without the address of a website' });
  return faults;
}
