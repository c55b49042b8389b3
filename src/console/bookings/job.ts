/** Job notes and parts of a booking: two fields with one entry a line, on its page and in Edit. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, textArea } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { type Refused, versionShown } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { OpenedBooking } from './open.ts';

/** The verb's field, and the form's with its label. */
const lists = [
  ['jobNotes', 'jobNotes', 'Job notes'],
  ['productNotes', 'parts', 'Parts'],
] as const;
const lengthAtMost = 10_000;

type Lists = Pick<OpenedBooking['booking'], (typeof lists)[number][0]>;

/**
 * Lists with a phone or an e-mail in them are not shown to people who may not see these: a masked text would overwrite the stored one.
 * Nor are lists that fit in no field.
 */
const isEditable = (of: Lists, workshop: WorkshopVisit['workshop']): boolean =>
  lists.every(
    ([verbs]) =>
      of[verbs].join('\n').length <= lengthAtMost &&
      of[verbs].every((text) => textShown(text, workshop) === text),
  );

const asLines = (text: string) => text.replaceAll(/\r\n?/g, '\n');

/** The two fields, with what was typed where a form is shown again; null: the person may not see what is in them. */
export function jobFields(
  { form, workshop, request }: WorkshopVisit,
  of: Lists,
  refused: Refused | null,
): SafeHtml | null {
  if (!isEditable(of, workshop)) return null;
  const stored = listsShown(of);
  const sent = request.method === 'POST' ? form : {};
  return listFields((name) => sent[name] ?? stored[name] ?? '', refused);
}

type ListName = (typeof lists)[number][1];

/** The two fields with the texts that `textOf` has for them. */
export function listFields(
  textOf: (name: ListName) => string,
  refused: Refused | null,
  max = lengthAtMost,
): SafeHtml {
  return html`${lists.map(([verbs, name, label]) =>
    textArea({
      ...{ name, label, hint: 'One a line.', isUnmarked: true, max },
      ...{ value: textOf(name), error: faultOf(refused, verbs) },
    }),
  )}`;
}

const entriesOf = (typed: string) => asLines(typed).split('\n');

/** The typed lists, for the verbs. */
export const typedLists = (form: Form): Partial<Lists> =>
  Object.fromEntries(
    lists.flatMap(([verbs, name]) => (form[name] ? [[verbs, entriesOf(form[name])] as const] : [])),
  );

/** Lists as texts of the fields. */
export const listsShown = (of: Lists): Form =>
  Object.fromEntries(lists.map(([verbs, name]) => [name, of[verbs].join('\n')]));

/** The lists that differ from the booking's; empty for whoever may not see what is in them. */
export function jobChanges({ form, workshop }: WorkshopVisit, of: Lists): Partial<Lists> {
  if (!isEditable(of, workshop)) return {};
  return Object.fromEntries(
    lists.flatMap(([verbs, name]) => {
      const typed = form[name];
      if (typed === undefined || asLines(typed) === asLines(of[verbs].join('\n'))) return [];
      return [[verbs, entriesOf(typed)] as const];
    }),
  );
}

/** For whoever does the work; without Edit's other fields. Null: see `jobFields`. */
export function jobForm(
  visit: WorkshopVisit,
  { booking, beside, path }: OpenedBooking,
  refused: Refused | null,
): SafeHtml | null {
  const fields = jobFields(visit, booking, refused);
  return (
    fields &&
    html`<section class="card"><h2>The job</h2>${changeForm({
      ...{ action: `${path}/job`, version: versionShown(visit.form, refused, beside.version) },
      body: html`${fields}${buttons(button('Save', 'quiet'))}`,
    })}</section>`
  );
}
