/** The form with which a page asks once more before something is changed. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, hidden, linkButton } from './components.ts';

export interface Question {
  /** Where the answer is sent. */
  readonly action: string;
  /** What is sent with it. The version is that of what the page shows: of another by then, nothing is changed (`versionOf`). */
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
