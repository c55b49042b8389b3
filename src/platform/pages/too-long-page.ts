/** The page for a form with fields that are too long: each beside its fault with all that was typed in it, to be shortened and sent again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FieldError } from '#errors.ts';
import { button, buttons, faults, hidden, textArea } from './components.ts';
import { fieldAtMost } from './field-lengths.ts';
import type { Form } from './form.ts';
import { labelOf } from './labels.ts';

export interface TooLongForm {
  /** The address that the form was sent to. */
  readonly action: string;
  readonly form: Form;
  readonly faults: readonly FieldError[];
  /** The form sends a file, which has to be chosen again. */
  readonly isUpload: boolean;
}

export const tooLongTitle = 'That is too long';

/** The other fields are sent again as they are. */
export function tooLongMain({ action, form, faults: found, isUpload }: TooLongForm): SafeHtml {
  const long = new Set(found.map(({ field }) => field));
  const others = Object.entries(form).filter(([name]) => !long.has(name));
  const shown = found.map(({ field: name, message }) =>
    textArea({
      ...{ name, label: labelOf(name), value: form[name], error: message },
      ...{ max: fieldAtMost(name), isUnmarked: true },
    }),
  );
  return html`<h1>${tooLongTitle}</h1>${faults(found.map(({ field, message }) => ({ field, message: `${labelOf(field)} ${message}` })))}
<p>Nothing was changed, and everything else that you typed is kept. Shorten this, and send it again.</p>
<form method="post" action="${action}"${isUpload ? html` enctype="multipart/form-data"` : null}>${others.map(([name, value]) => hidden(name, value))}
${shown}
${isUpload ? html`<div class="field"><label for="chosen-again">The file, once more</label><input type="file" id="chosen-again" name="file"></div>` : null}
${buttons(button('Send again'))}
</form>`;
}
