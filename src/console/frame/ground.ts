/** The ground for texting a number. It is required for a first text without a booking, and for a number of another country. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { field } from '#platform/pages/components.ts';
import type { Ground } from '#product/messaging/staff/ground.ts';
import { faultOf } from './form.ts';
import type { Refused } from './form-key/submit.ts';
import type { WorkshopVisit } from './visit.ts';

/** The form's choices. Only an owner may allow a number of another country. */
export function groundOf({ form, workshop }: WorkshopVisit): Ground {
  return {
    ...(form['reason'] ? { reason: form['reason'] } : {}),
    ...(form['allowAbroad'] === 'yes' && workshop.role === 'owner' ? { allowAbroad: true } : {}),
  };
}

/** Shown once the ground is required. */
export function groundFields({ form, workshop }: WorkshopVisit, refused: Refused | null): SafeHtml | null {
  const reason = faultOf(refused, 'reason');
  const abroad = faultOf(refused, 'allowAbroad');
  if (reason === undefined && abroad === undefined) return null;
  return html`${reason === undefined && !form['reason'] ? null : field({ name: 'reason', label: 'Why may this number be texted?', value: form['reason'], isUnmarked: true, error: reason })}${
    abroad !== undefined && workshop.role === 'owner'
      ? html`<div class="check"><input type="checkbox" id="allowAbroad" name="allowAbroad" value="yes"><label for="allowAbroad">Let this number of another country be texted</label></div>`
      : null
  }`;
}
