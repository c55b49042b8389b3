/** Sends a text to a customer, now or later: from a booking's page, a customer's page, a conversation or a call. */
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { typedTimes } from '#product/bookings/staff/typed.ts';
import { scheduleText } from '#product/messaging/inbox/later/schedule.ts';
import type { To } from '#product/messaging/staff/addressee.ts';
import { type OwnMessage, sendOwnMessage } from '#product/messaging/staff/send.ts';
import { typedWhen } from '../bookings/when.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { groundOf } from '../frame/ground.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { seenOf } from './answered.ts';

export interface Addressed {
  readonly to: To;
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  /** The path of the next page; null: that of the conversation. */
  readonly path: string | null;
  /** The field of the form that has the text. */
  readonly field: string;
  /** False: its form shows no conversation, so that newer answers than what was seen are not asked about. */
  readonly showsTalk?: boolean;
  /** Instead of the form's value. */
  readonly content?: OwnMessage['content'];
}

type RefusedPage = (refused: Refused) => Promise<ConsolePage>;

/** The form's `seen` is the newest message that its sender has seen. `refused` gets faults by the names of the form's fields. */
export function sendText(
  visit: WorkshopVisit,
  { to, bookingId, path, field, content, showsTalk = true }: Addressed,
  refused: RefusedPage,
): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const goesTo = ({ conversationId }: { readonly conversationId: string }) =>
    `${path ?? `${base}/inbox/${conversationId}`}?done=sent`;
  return submit(
    visit,
    async (key) => {
      const sent = await sendOwnMessage(key.once(goesTo), {
        ...{ workshopId: workshop.workshopId, to, bookingId, replaces: replacedBy(form) },
        ...(showsTalk && { seen: seenOf(form) }),
        ...{ content: content ?? { text: form[field] ?? '' }, actor, ground: groundOf(visit) },
      });
      return goesTo(sent);
    },
    (refusal) => refused(byField(refusal, field)),
  );
}

/** The same at the form's `date` and `time`. */
export function sendLater(
  visit: WorkshopVisit,
  { to, bookingId, path, field }: Pick<Addressed, 'to' | 'bookingId' | 'field'> & { readonly path: string },
  refused: RefusedPage,
): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const goesTo = `${path}?done=scheduled`;
  return submit(
    visit,
    async (key) => {
      await scheduleText(key.once(goesTo), {
        ...{
          workshopId: workshop.workshopId,
          to,
          bookingId,
          text: form[field] ?? '',
          actor,
          dueAt: typedTime(visit),
        },
        ...{ seen: seenOf(form), replaces: replacedBy(form) },
        ground: groundOf(visit),
      });
      return goesTo;
    },
    (refusal) => refused(byField(refusal, field)),
  );
}

/** The waiting text whose place it takes. */
function replacedBy({ replaces = '' }: WorkshopVisit['form']): string | undefined {
  return isId(replaces) ? replaces : undefined;
}

/** Throws InvalidInput for a time that is not there, or that clocks don't show once. */
function typedTime({ form, workshop, context }: WorkshopVisit): Date {
  const at = { timezone: workshop.timezone, now: context.clock.now(), asksClock: true };
  const isWhole = form['date'] && form['time'];
  const { times, errors } = typedTimes({ time: isWhole ? typedWhen(form) : '' }, ['time'], at);
  if (errors.length > 0) throw new InvalidInput(errors);
  if (!times.time) throw new InvalidInput([{ field: 'time', message: 'is needed, and the date' }]);
  return new Date(times.time);
}

/** The verbs' name of the field is `text`. */
export const byField = (refused: Refused, name: string): Refused => ({
  ...refused,
  faults: refused.faults.map((fault) => (fault.field === 'text' ? { ...fault, field: name } : fault)),
});
