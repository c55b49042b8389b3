/** /console/w/{slug}/today: the day, and what staff do about it as a whole. */
import { dateAt } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import { readDate } from '#platform/pages/form.ts';
import { unblockBays } from '#product/bookings/staff/block.ts';
import { closeBays, fullToday } from '#product/bookings/staff/close.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { readDayNotes } from '#product/workshops/day-notes/store.ts';
import { refusal } from '../frame/form.ts';
import { type FormKey, submit, versionOf } from '../frame/form-key/submit.ts';
import { change, page, type WorkshopRoute } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { countWaiting } from '../waiting/store.ts';
import { dayOf } from './day.ts';
import { dayTools, type RefusedTool } from './tools.ts';
import { dayPage } from './view.ts';

async function showDay(visit: WorkshopVisit, refused: RefusedTool | null = null) {
  const { context, workshop, query, form } = visit;
  const { workshopId } = workshop;
  const [day, waiting] = await Promise.all([
    dayOf(context, workshop, readDate(form['date'] ?? query['date'])),
    countWaiting(context.db, workshopId, context.clock.now()),
  ]);
  if (day === null) throw new Problem('000002');
  const [note = null] = await readDayNotes(context.db, workshopId, { from: day.date, to: day.date });
  return dayPage(visit, day, waiting, {
    tools: dayTools(visit, day, note, refused),
    refused: refused && refusal(refused.refused),
    done: query['done'],
  });
}

type Work = (visit: WorkshopVisit, alongside: ReturnType<FormKey['keep']>) => Promise<unknown>;

/** A form of the day, which leads back to it. */
const dayForm = (tool: RefusedTool['tool'], done: string, work: Work) =>
  change(`today/${tool}`, 'changeBookings', (visit) => {
    const date = readDate(visit.form['date']);
    const to = `${visit.base}/today?${new URLSearchParams({ ...(date && { date }), done })}`;
    return submit(
      visit,
      async (key) => {
        await work(visit, key.keep(to));
        return to;
      },
      (refused) => showDay(visit, { tool, refused }),
    );
  });

export const todayRoutes: readonly WorkshopRoute[] = [
  page('today', 'seeBookings', (visit) => showDay(visit)),
  dayForm('note', 'noted', ({ context, workshop, actor, form }, alongside) =>
    setDayNote(context, {
      ...{ workshopId: workshop.workshopId, date: form['date'] ?? '', text: form['text'] ?? '' },
      ...{ version: versionOf(form), actor, alongside },
    }),
  ),
  dayForm('full', 'full', ({ context, workshop, actor }, alongside) =>
    fullToday(context, { workshopId: workshop.workshopId, actor, alongside }),
  ),
  dayForm('close', 'closed', ({ context, workshop, actor, form }, alongside) =>
    closeBays(context, {
      ...{ workshopId: workshop.workshopId, actor, alongside, bays: form['bays'] || '1' },
      reason: form['reason'] ?? '',
      ...(form['whole'] === 'yes' || !isToday(form, context, workshop) ? { day: form['date'] ?? '' } : {}),
    }),
  ),
  dayForm('reopen', 'reopened', ({ context, workshop, actor, form }, alongside) =>
    unblockBays(context, { workshopId: workshop.workshopId, id: form['block'] ?? '', actor, alongside }),
  ),
];

function isToday(
  form: WorkshopVisit['form'],
  { clock }: WorkshopVisit['context'],
  { timezone }: WorkshopVisit['workshop'],
): boolean {
  return form['date'] === dateAt(clock.now().getTime(), timezone);
}
