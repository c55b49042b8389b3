/** The form of every change: it carries the version that its sender has seen, and a key by which it is done once. */

import { randomUUID } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { faults, focused, type Html, hidden } from '#platform/pages/components.ts';
import { labelOf } from '#platform/pages/labels.ts';
import type { Refused } from './form-key/submit.ts';

export interface ChangeForm {
  /** The path that the form posts to. */
  readonly action: string;
  /** The version of the record that it changes; absent: it changes none. */
  readonly version?: number;
  /** It sends a file. */
  readonly isUpload?: boolean;
  /** The form's id, for buttons outside of it. */
  readonly id?: string;
  readonly body: Html;
}

/** The one-time key of a form: a repeat has no effect. */
export const hiddenKey = (): SafeHtml => hidden('key', randomUUID());

export function changeForm({ action, version, id, isUpload, body }: ChangeForm): SafeHtml {
  return html`<form method="post" action="${action}"${id ? html` id="${id}"` : null}${isUpload ? html` enctype="multipart/form-data"` : null}>${hiddenKey()}${version === undefined ? null : hidden('version', String(version))}
${body}
</form>`;
}

/** The first button of a form, so that Enter submits the form rather than pressing another button. */
export const enterButton = html`<button class="unseen" tabindex="-1" aria-hidden="true"></button>`;

/** The refusal above a form; null: nothing was refused. `changes`: who has changed what since the form was shown. */
export function refusal(refused: Refused | null, changes: Html = null): SafeHtml | null {
  if (refused === null) return null;
  if (refused.faults.length > 0)
    return faults(
      refused.faults.map(({ field, message }) => ({ field, message: `${labelOf(field)} ${message}` })),
    );
  if (refused.isStale)
    return focused(
      html`<p><strong>Somebody changed this meanwhile.</strong> Nothing was overwritten; look at it again, and send it once more.</p>${changes}`,
    );
  return focused(html`<p>${refused.message ?? 'That did not work.'}</p>`);
}

/** The fault of a field. */
export const faultOf = (refused: Refused | null, field: string): string | undefined =>
  refused?.faults.find((fault) => fault.field === field)?.message;
