/** Deletes what was kept of days that are over. */
import type { Context } from '#platform/context.ts';
import { everyStep } from '#platform/db/every-step.ts';
import { purgeDayNotes } from '#product/workshops/day-notes/store.ts';
import { purgeBlocks } from '../blocks/store.ts';
import { purgeDays } from './store.ts';

const dayMs = 24 * 60 * 60_000;
/** So that nobody takes a place on them any more, whatever the time zone. */
const daysKept = 2;
/** Blocks, and what staff noted of a day. */
const notesKept = 400;

export async function purgePastDays({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  await everyStep([
    () => purgeDays(db, before(daysKept)),
    () => purgeBlocks(db, before(notesKept)),
    () => purgeDayNotes(db, before(notesKept)),
  ]);
}
