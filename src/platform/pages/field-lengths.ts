/** How long each field of a form may be: judged where forms are read, before anything parses what was typed. */
import type { FieldError } from '#errors.ts';
import { type Form, formAtMostBytes } from './form.ts';

/** In characters, as JavaScript and browsers count them: more than any line of a form takes, so that usual faults are shown in the form itself. */
const lineAtMost = 2_000;
/** Texts of several lines; SMS as a customer's phone sends them; and what a browser signs, which the form's own bound holds. */
const longerAtMost: ReadonlyMap<string, number> = new Map([
  ...['answer', 'jobNotes', 'message', 'note', 'notes', 'parts', 'text'].map(
    (name) => [name, 10_000] as const,
  ),
  ['body', 24_000],
  ['credential', formAtMostBytes],
]);

/** The most characters that a field of this name may have. */
export const fieldAtMost = (name: string): number => longerAtMost.get(name) ?? lineAtMost;

/** The faults of the fields that are too long, in the form's order (specification: The console). */
export function tooLongIn(form: Form): FieldError[] {
  return Object.entries(form).flatMap(([field, { length }]) => {
    const most = fieldAtMost(field);
    const [has, may] = [length, most].map((count) => count.toLocaleString('en'));
    return length > most ? [{ field, message: `has ${has} characters, and may have ${may}` }] : [];
  });
}
