/** Actions on days, by forms that redirect to their page: Today, or Week. */
import { ownValue } from '#base/values/own-value.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import { unblockBays } from '#product/bookings/staff/block.ts';
import { closeBays } from '#product/bookings/staff/close.ts';
import { closeSpan, type MadeClosing } from '#product/bookings/staff/close-span.ts';
import { type ConsolePage, type ConsoleResponse, change, type WorkshopRoute } from '../frame/console-page.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { todayAt } from './read.ts';

/** The refusal, by the form that was sent. */
export interface RefusedTool {
  readonly tool: 'note' | 'close' | 'full' | 'reopen';
  readonly refused: Refused;
}

export interface ToolPage {
  readonly path: 'today' | 'week';
  /** The field of its forms and address that says which day, or days, it shows. */
  readonly shownBy: 'date' | 'from';
  /** The page again, with what was refused. */
  show(visit: WorkshopVisit, refused: RefusedTool): Promise<ConsolePage>;
}

const doneTexts = new Map([
  ['marked', 'Marked.'],
  ['noted', 'The note is saved.'],
  ['full', 'Nothing more is offered today.'],
  ['closed', 'Closed.'],
  ['reopened', 'Open again.'],
]);

/** The message about a completed action, named in the address; null: none. After a closing with the bookings that lie in it. */
export function toolDone({ done = '', booked = '' }: Form): string | null {
  const text = doneTexts.get(done) ?? null;
  return done === 'closed' && /^\d{1,4}$/.test(booked) ? `${text} ${liesIn(Number(booked))}` : text;
}

/** `bookings`: counted up to 1,000. */
export function liesIn(bookings: number): string {
  if (bookings === 0) return 'No booking lies in it.';
  const many = bookings > 1_000 ? 'More than 1,000 bookings' : `${bookings} bookings`;
  return bookings === 1 ? '1 booking lies in it, and stays.' : `${many} lie in it, and stay.`;
}

type Work = (visit: WorkshopVisit, context: WorkshopVisit['context']) => Promise<unknown>;

/** The page again, after an action. */
function doneAt({ path, shownBy }: ToolPage, { base, form }: WorkshopVisit, done: object): string {
  const shown = readDate(form[shownBy]);
  return `${base}/${path}?${new URLSearchParams({ ...(shown && { [shownBy]: shown }), ...done })}`;
}

export const toolRoute = (
  place: ToolPage,
  tool: RefusedTool['tool'],
  done: string,
  work: Work,
): WorkshopRoute =>
  change(`${place.path}/${tool}`, 'changeBookings', (visit) => {
    const to = doneAt(place, visit, { done });
    return submit(
      visit,
      async (key) => {
        await work(visit, key.once(to));
        return to;
      },
      (refused) => place.show(visit, { tool, refused }),
    );
  });

/** Closes bays on the day `date`, for the whole day or today from now on; or over a span of days; and opens them again. */
export const closingRoutes = (place: ToolPage): readonly WorkshopRoute[] => [
  change(`${place.path}/close`, 'changeBookings', (visit) =>
    visit.form['date'] === undefined ? closeDays(place, visit) : closeDay(place, visit),
  ),
  toolRoute(place, 'reopen', 'reopened', ({ workshop, actor, form }, context) =>
    unblockBays(context, {
      ...{ workshopId: workshop.workshopId, id: form['block'] ?? '', actor },
      isSeries: form['series'] === 'yes',
    }),
  ),
];

function closeDay(place: ToolPage, visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { context, workshop, actor, form } = visit;
  const { date = '', bays, reason = '', whole } = form;
  const isWhole = whole === 'yes' || date !== todayAt(context, workshop);
  const to = doneAt(place, visit, { done: 'closed' });
  return submit(
    visit,
    async (key) => {
      await closeBays(key.once(to), {
        ...{ workshopId: workshop.workshopId, actor, bays: bays || '1', reason },
        ...(isWhole ? { day: date } : {}),
      });
      return to;
    },
    (refused) => place.show(visit, { tool: 'close', refused }),
  );
}

/** The fields of a closing over days, as the verb names them: `from` is the page's own. */
export const closingOf = ({
  first = '',
  last = '',
  begins = '',
  ends = '',
  repeat = '',
  until = '',
}: Form) => ({
  ...{ from: first, to: last, begins, ends, repeat, until },
});

const closingFields: Readonly<Record<string, string>> = { from: 'first', to: 'last' };

function closeDays(place: ToolPage, visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { workshop, actor, form } = visit;
  const toOf = ({ bookings }: Pick<MadeClosing, 'bookings'>) =>
    doneAt(place, visit, { done: 'closed', booked: bookings });
  return submit(
    visit,
    async (key) =>
      toOf(
        await closeSpan(key.once(toOf), {
          ...{
            ...closingOf(form),
            workshopId: workshop.workshopId,
            actor,
            bays: form['bays'] || '1',
            reason: form['reason'] ?? '',
          },
        }),
      ),
    (refused) => {
      const faults = refused.faults.map((fault) => ({
        ...fault,
        field: ownValue(closingFields, fault.field) ?? fault.field,
      }));
      return place.show(visit, { tool: 'close', refused: { ...refused, faults } });
    },
  );
}
