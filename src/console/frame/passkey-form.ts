/** The form that creates or uses a passkey: its script asks the browser, and sends the response with the form. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Html } from '#platform/pages/components.ts';
import { hidden } from '#platform/pages/components.ts';
import { scriptPath } from './files.ts';

export interface PasskeyForm {
  /** The path that the form posts to; the options for the browser come from `…/options` below it. */
  readonly action: string;
  /** `create`: a new passkey; `get`: an existing one. */
  readonly kind: 'create' | 'get';
  /** Where passkeys of this service work. */
  readonly origin: string;
  /** The fault of the last try. */
  readonly fault?: string | undefined;
  readonly body: Html;
}

export const passkeyScripts = [scriptPath('passkeys.mjs')];

export function passkeyForm({ action, kind, origin, fault, body }: PasskeyForm): SafeHtml {
  return html`<form method="post" action="${action}" data-passkey="${kind}" data-origin="${origin}">${hidden('credential', '')}${body}<p class="error" id="passkey" role="alert" tabindex="-1">${fault ?? ''}</p></form>`;
}

/** The message for a form that was sent without the browser's response. */
export const noScript = 'needs JavaScript, which is off in this browser';
