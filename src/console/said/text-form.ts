/** The form of a text in staff's own words: its count, templates, and sending it now or later. Every page that texts somebody has it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, type Html, hidden, linkButton, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { listPublishedTemplates } from '#product/templates/store.ts';
import { type When, whenFields, whenTyped } from '../bookings/when.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { groundFields } from '../frame/ground.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { countedText } from './count.ts';
import { previewCard } from './preview.ts';

/** More than ten segments, the most that a text may have. */
export const typedAtMost = 1_600;

/** A form that was sent and not carried out. */
export interface Sent {
  /** The text as typed, or filled in from a template. */
  readonly form: Form;
  /** Null: a preview was asked for. */
  readonly refused: Refused | null;
  /** Notes above the form: values that a template lacks. */
  readonly notes?: readonly string[];
}

export interface TextForm {
  /** The name of the field that has the text. */
  readonly field: 'answer' | 'message';
  /** The path that sends it. */
  readonly action: string;
  /** The paths that preview it, or fill in a template, and that send it later; null: nobody is known to fill it in for. */
  readonly drafts: { readonly preview: string; readonly later: string } | null;
  /** The newest message that its sender was shown; null: none. */
  readonly seen: string | null;
  /** A waiting text that the form opens with. */
  readonly changed?: { readonly typed: string; readonly when: When };
  /** Above the text. */
  readonly above?: Html;
  /** The path of the link Back; absent: the form stands beside what it is about. */
  readonly back?: string;
}

export async function textForm(visit: WorkshopVisit, of: TextForm, sent: Sent | null): Promise<SafeHtml> {
  const { context } = visit;
  const { field, action, drafts, seen, above, back } = of;
  const refused = sent?.refused ?? null;
  const typed = sent === null ? (of.changed?.typed ?? '') : (sent.form[field] ?? '');
  const text = {
    ...{ name: field, label: labels[field], max: typedAtMost, value: typed, required: true },
    error: faultOf(refused, field),
  };
  return changeForm({
    action,
    ...(field === 'answer' && { id: 'answering' }),
    // Enter in a one-line field previews, and sends nothing.
    body: html`${drafts && html`<button class="unseen" tabindex="-1" aria-hidden="true" formaction="${drafts.preview}"></button>`}
${hidden('seen', seen ?? '')}${above}
${(sent?.notes ?? []).map((note) => html`<p class="notice">${note}</p>`)}
${countedText(text, context.config.segmentPrice)}
${groundFields(visit, refused)}
<div class="folds">${button('Send')}${drafts && html`<button class="button quiet" formaction="${drafts.preview}">Preview</button>${await templateFields(visit, drafts.preview)}${laterFields(visit, of, sent)}`}${back === undefined ? null : linkButton('Back', back, 'quiet')}</div>
${sent === null || refused !== null ? null : previewCard(typed)}`,
  });
}

const labels = { answer: 'Answer', message: 'Message' } as const;

/** Null: the workshop has none. */
async function templateFields(
  { context, workshop, form }: WorkshopVisit,
  preview: string,
): Promise<SafeHtml | null> {
  const templates = await listPublishedTemplates(context.db, {
    ...{ workshopId: workshop.workshopId, after: null, limit: 100 },
  });
  if (templates.length === 0) return null;
  const options = [
    { value: '', label: 'Choose …' },
    ...templates.map(({ id, name }) => ({ value: id, label: name })),
  ];
  // It stays unfolded when nothing was chosen to fill in.
  const isOpen = form['fill'] === 'yes' && !templates.some(({ id }) => id === form['template']);
  return html`<details${isOpen ? html` open` : null}><summary>Template</summary><div class="pair">${select({ name: 'template', label: 'Template', value: form['template'], isUnmarked: true, options })}${buttons(html`<button class="button quiet" formaction="${preview}" formnovalidate name="fill" value="yes">Fill in</button>`)}</div></details>`;
}

function laterFields(
  { context, workshop }: WorkshopVisit,
  { drafts, changed }: TextForm,
  sent: Sent | null,
): SafeHtml {
  const { name, timezone } = workshop;
  const { date = '', time = '', which } = sent?.form ?? {};
  const when =
    sent === null
      ? (changed?.when ?? { date: '', time: '' })
      : whenTyped({ date, time, which }, timezone, context.clock.now());
  return html`<details${when.date !== '' || when.time !== '' ? html` open` : null}><summary>Send later</summary>${whenFields(when, sent?.refused ?? null, false)}<p class="hint">By the clocks of ${name} (${timezone}). It is held back if the customer writes before.</p>${buttons(html`<button class="button quiet" formaction="${drafts?.later ?? ''}">Send later</button>`)}</details>`;
}
