/** Actions on days, by forms that redirect to their page: Today, or Week. */
import { readDate } from '#platform/pages/form.ts';
import { unblockBays } from '#product/bookings/staff/block.ts';
import { closeBays } from '#product/bookings/staff/close.ts';
import { type ConsolePage, change, type WorkshopRoute } from '../frame/console-page.ts';
import { type FormKey, type Refused, submit } from '../frame/form-key/submit.ts';
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

/** The message about a completed action, named in the address; null: none. */
export const toolDone = (done: string | undefined): string | null => doneTexts.get(done ?? '') ?? null;

type Work = (visit: WorkshopVisit, alongside: ReturnType<FormKey['keep']>) => Promise<unknown>;

export const toolRoute = (
  { path, shownBy, show }: ToolPage,
  tool: RefusedTool['tool'],
  done: string,
  work: Work,
): WorkshopRoute =>
  change(`${path}/${tool}`, 'changeBookings', (visit) => {
    const shown = readDate(visit.form[shownBy]);
    const to = `${visit.base}/${path}?${new URLSearchParams({ ...(shown && { [shownBy]: shown }), done })}`;
    return submit(
      visit,
      async (key) => {
        await work(visit, key.keep(to));
        return to;
      },
      (refused) => show(visit, { tool, refused }),
    );
  });

/** Closes bays on the day `date`, for the whole day or today from now on; and opens them again. */
export const closingRoutes = (place: ToolPage): readonly WorkshopRoute[] => [
  toolRoute(place, 'close', 'closed', ({ context, workshop, actor, form }, alongside) => {
    const { date = '', bays, reason = '', whole } = form;
    const isWhole = whole === 'yes' || date !== todayAt(context, workshop);
    return closeBays(context, {
      ...{ workshopId: workshop.workshopId, actor, alongside, bays: bays || '1', reason },
      ...(isWhole ? { day: date } : {}),
    });
  }),
  toolRoute(place, 'reopen', 'reopened', ({ context, workshop, actor, form }, alongside) =>
    unblockBays(context, { workshopId: workshop.workshopId, id: form['block'] ?? '', actor, alongside }),
  ),
];
