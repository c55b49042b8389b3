/** The form that a passkey is made or used by: its script asks the browser, and sends the answer with it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Html } from '#platform/pages/components.ts';
import { hidden } from '#platform/pages/components.ts';
import { scriptPath } from './files.ts';

export interface PasskeyForm {
  /** The path that it is sent to; what the browser is asked comes from `…/options` below it. */
  readonly action: string;
  /** `create`: a new one; `get`: one that there is. */
  readonly kind: 'create' | 'get';
  /** Where passkeys of this service work. */
  readonly origin: string;
  /** What was wrong with the last one. */
  readonly fault?: string | undefined;
  readonly body: Html;
}

export const passkeyScripts = [scriptPath('passkeys.mjs')];

export function passkeyForm({ action, kind, origin, fault, body }: PasskeyForm): SafeHtml {
  return html`<form method="post" action="${action}" data-passkey="${kind}" data-origin="${origin}">${hidden('credential', '')}${body}<p class="error" id="passkey" role="alert" tabindex="-1">${fault ?? ''}</p></form>`;
}

/** For a form that was sent without an answer of the browser. */
export const noScript = 'needs JavaScript, which is off in this browser';
