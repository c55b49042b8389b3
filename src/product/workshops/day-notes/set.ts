/** Staff write a note for a day, such as "Sam is off". It is free text: an erasure of a customer does not find a name in it. */
import { InvalidInput } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { isCalendarDate } from '#base/values/calendar-date.ts';
import { cleanText } from '#base/values/text.ts';
import { type FieldError, Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type DayNote, writeDayNote } from './store.ts';

const lengthAtMost = 2_000;

export interface SetDayNote {
  readonly workshopId: string;
  /** `YYYY-MM-DD`, local. */
  readonly date: string;
  /** Empty clears it. */
  readonly text: string;
  /** The version that was shown; 0: there was no note. */
  readonly seen: number;
  readonly actor: Actor;
}

/** Throws InvalidInput, which names every bad field, and 412 000010 when the note has changed since. */
export async function setDayNote(
  context: ChangeContext,
  { workshopId, date, text: typed, seen, actor }: SetDayNote,
): Promise<DayNote> {
  const errors: FieldError[] = [];
  const text = cleanText(typed.replaceAll('\0', ''));
  if (text.length > lengthAtMost)
    errors.push({ field: 'text', message: `must have at most ${lengthAtMost} characters` });
  if (!isCalendarDate(date)) errors.push({ field: 'date', message: 'must be a date such as 2030-03-03' });
  if (errors.length > 0) throw new InvalidInput(errors);
  return change(context, async ({ tx, now: updatedAt }) => {
    const note = { date, text, version: seen, actor: storedActor(actor), updatedAt };
    const written = await writeDayNote(tx, workshopId, note);
    if (written === null) throw new Problem('000010');
    // The trail must not keep the text longer than the note itself.
    const after = { date, note: text === '' ? 'cleared' : 'written' };
    const subject = { kind: 'workshop', id: workshopId };
    const action = 'workshop.dayNoted';
    await recordEntry(tx, { actor, workshopId, subject, action, after, at: updatedAt });
    return { ...note, version: written };
  });
}
