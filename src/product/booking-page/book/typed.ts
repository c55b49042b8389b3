/** Restrictions on typed texts beyond those for partners: notices contain them, in the workshop's name, and go to any number. */

import { holdsLink } from '#base/values/callers-links.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';

export const regoAtMost = 12;
const regoForm = new RegExp(`^[\\p{L}\\p{M}\\p{N} .·-]{0,${regoAtMost}}$`, 'u');

/** Faults of the registration and the name, in plain words; an empty field has none here. */
export function faultsOfTyped(form: Form): FieldError[] {
  const faults: FieldError[] = [];
  const rego = normaliseString(form['carRego'] ?? '');
  if (!regoForm.test(rego))
    faults.push({
      field: 'carRego',
      message: `A registration has letters, digits, spaces, hyphens and dots, at most ${regoAtMost} of them`,
    });
  else if (holdsLink(rego))
    faults.push({
      field: 'carRego',
      message: 'Enter the registration without dots: with them it reads like the address of a website',
    });
  if (holdsLink(normaliseString(form['customerName'] ?? '')))
    faults.push({ field: 'customerName', message: 'Enter your name without the address of a website' });
  return faults;
}
