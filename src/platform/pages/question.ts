/** The confirmation form of a page: it asks again before something is changed. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, hidden, linkButton } from './components.ts';

export interface Question {
  /** The address that the form posts to. */
  readonly action: string;
  /**
   * The hidden fields. They carry the version that the page shows: nothing is changed if the version has changed since
   * (`versionOf`).
   */
  readonly sent: { readonly version: number; readonly time?: Date };
  readonly yes: string;
  readonly isDangerous?: boolean;
  readonly no: { readonly label: string; readonly href: string };
  /** Above the buttons. */
  readonly about?: SafeHtml | null;
}

export function question({ action, sent, yes, isDangerous, no, about = null }: Question): SafeHtml {
  const { version, time } = sent;
  return html`<form method="post" action="${action}">
${time ? hidden('time', time.toISOString()) : null}${hidden('version', String(version))}
${about}
${buttons(button(yes, isDangerous ? 'danger' : 'primary'), linkButton(no.label, no.href, 'quiet'))}
</form>`;
}
