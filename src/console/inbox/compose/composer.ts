/** The form that answers a customer: the text, its count, templates, and sending it now or later. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, hidden, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { listScheduled, type WaitingText } from '#product/messaging/inbox/later/store.ts';
import { listPublishedTemplates } from '#product/templates/store.ts';
import { type When, whenAt, whenFields, whenTyped } from '../../bookings/when.ts';
import { changeForm, faultOf } from '../../frame/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';
import { groundFields } from '../../frame/ground.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { textRefusal } from '../../said/answered.ts';
import { countedText } from '../../said/count.ts';
import { typedAtMost } from '../../said/write.ts';
import { previewCard } from './preview.ts';
import { type Talk, talkPath, whyNot } from './talk.ts';
import { mayChange, waitingList } from './waiting.ts';

/** A form that was sent and not carried out. */
export interface Sent {
  /** The text as typed, or filled in from a template. */
  readonly form: Form;
  /** Null: a preview was asked for. */
  readonly refused: Refused | null;
  /** Notes above the form: values that a template lacks. */
  readonly notes?: readonly string[];
}

/** What stands at the end of a conversation: the texts that wait, and the form. */
interface Composer {
  /** Null: none waits. */
  readonly waiting: SafeHtml | null;
  /** Null: the person may not text. */
  readonly answer: SafeHtml | null;
}

export async function composer(
  visit: WorkshopVisit,
  talk: Talk,
  sent: Sent | null = null,
): Promise<Composer> {
  const { context, workshop } = visit;
  const texts = await listScheduled(context.db, workshop.workshopId, talk.customerId);
  const waiting = waitingList(visit, talk, texts);
  if (!visit.may('wordTexts')) return { waiting, answer: null };
  const cannot = whyNot(talk);
  const refusal = await textRefusal(visit, sent?.refused ?? null);
  const answer = html`<section class="card" id="compose"><h2 class="unseen">Answer</h2>${refusal}${
    cannot === null
      ? await answerForm(visit, { talk, texts, sent })
      : html`<p class="notice bad">${cannot}</p>`
  }</section>`;
  return { waiting, answer };
}

interface Shown {
  readonly talk: Talk;
  readonly texts: readonly WaitingText[];
  readonly sent: Sent | null;
}

async function answerForm(visit: WorkshopVisit, { talk, texts, sent }: Shown): Promise<SafeHtml> {
  const { context, workshop } = visit;
  const path = talkPath(visit, talk.conversationId);
  const { typed, when, replaces } = openedWith(visit, texts, sent);
  const refused = sent?.refused ?? null;
  const text = {
    ...{ name: 'answer', label: 'Answer', max: typedAtMost, value: typed, required: true },
    error: faultOf(refused, 'answer'),
  };
  return changeForm({
    action: `${path}/answer`,
    id: 'answering',
    // Enter in a one-line field previews, and sends nothing.
    body: html`<button class="unseen" tabindex="-1" aria-hidden="true" formaction="${path}/preview"></button>
${hidden('seen', talk.lastMessageId ?? '')}${replaces === undefined ? null : html`${hidden('replaces', replaces)}<p class="notice">This takes the place of the text that waits. <a href="${path}">Leave it as it is</a></p>`}
${(sent?.notes ?? []).map((note) => html`<p class="notice">${note}</p>`)}
${countedText(text, context.config.segmentPrice)}
${groundFields(visit, refused)}
<div class="folds">${button('Send')}<button class="button quiet" formaction="${path}/preview">Preview</button>${await templateFields(visit, path)}<details${when.date !== '' || when.time !== '' ? html` open` : null}><summary>Send later</summary>${whenFields(when, refused, false)}<p class="hint">By the clocks of ${workshop.name} (${workshop.timezone}). It is held back if the customer writes before.</p>${buttons(html`<button class="button quiet" formaction="${path}/later">Send later</button>`)}</details></div>
${sent === null || refused !== null ? null : previewCard(typed)}`,
  });
}

/** What was typed; else the waiting text that is to be changed. */
function openedWith(
  { query, workshop, context }: WorkshopVisit,
  texts: readonly WaitingText[],
  sent: Sent | null,
) {
  const { timezone } = workshop;
  if (sent !== null) {
    const { answer = '', date = '', time = '', which, replaces } = sent.form;
    const when: When = whenTyped({ date, time, which }, timezone, context.clock.now());
    // One that waits no more is replaced by nothing: what was typed then goes as a text of its own.
    return { typed: answer, when, replaces: texts.find(({ id }) => id === replaces)?.id };
  }
  const changed = texts.find(({ id }) => id === query['change']);
  if (changed === undefined || !mayChange(changed, workshop))
    return { typed: '', when: { date: '', time: '' }, replaces: undefined };
  return { typed: changed.body, when: whenAt(changed.dueAt, timezone), replaces: changed.id };
}

/** Null: the workshop has none. */
async function templateFields(
  { context, workshop, form }: WorkshopVisit,
  path: string,
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
  return html`<details${isOpen ? html` open` : null}><summary>Template</summary><div class="pair">${select({ name: 'template', label: 'Template', value: form['template'], isUnmarked: true, options })}${buttons(html`<button class="button quiet" formaction="${path}/preview" formnovalidate name="fill" value="yes">Fill in</button>`)}</div></details>`;
}
