/** The questions of a file's dry run, with a box for each answer, and its notes beside the faults. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { asSentence } from '#base/values/sentence.ts';
import { button, buttons } from '#platform/pages/components.ts';
import type { Report } from '#product/imports/files/store.ts';
import { type Question, type QuestionKind, questionKinds } from '#product/imports/questions.ts';
import { changeForm } from '../frame/form.ts';

const fieldOf = (kind: QuestionKind) => `accept-${kind}`;

/** Those that were checked in the form. */
export const acceptedIn = (form: Readonly<Record<string, string>>): QuestionKind[] =>
  questionKinds.filter((kind) => form[fieldOf(kind)] === 'on');

/** `path`: of the file. */
export function questionsForm(path: string, questions: readonly Question[]): SafeHtml {
  const kinds = questionKinds.filter((kind) => questions.some((each) => each.kind === kind));
  const asked = kinds.map((kind) => {
    const of = questions.filter((each) => each.kind === kind);
    return html`${of.map(({ column, message }) => html`<p>${column === '' ? asSentence(message) : html`<strong><bdi>${column}</bdi></strong> ${message}.`}</p>`)}
<p class="check"><input type="checkbox" id="${fieldOf(kind)}" name="${fieldOf(kind)}"><label for="${fieldOf(kind)}">${of[0]?.answer ?? ''}</label></p>`;
  });
  return html`<h3>Questions</h3><p>Nothing is imported before they are answered. Mend the file and send it again, or check each box.</p>
${changeForm({ action: `${path}/answers`, body: html`${asked}${buttons(button('Check again'))}` })}`;
}

/** Null: there is nothing to say. */
export const notesList = ({ notes = [] }: Report): SafeHtml | null =>
  notes.length === 0 ? null : html`${notes.map((note) => html`<p><bdi>${asSentence(note)}</bdi></p>`)}`;
