/** Deletes data of past days. */
import type { Context } from '#platform/context.ts';
import { runAll } from '#platform/db/run-all.ts';
import { purgeDayNotes } from '#product/workshops/day-notes/store.ts';
import { purgeBlocks } from '../blocks/store.ts';
import { purgeDays } from './store.ts';

const dayMs = 24 * 60 * 60_000;
/** Long enough that nobody takes a place on a deleted day, in any time zone. */
const daysKept = 2;
/** Blocks, and the notes of days. */
const notesKept = 400;

export async function purgePastDays({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  await runAll([
    () => purgeDays(db, before(daysKept)),
    () => purgeBlocks(db, before(notesKept)),
    () => purgeDayNotes(db, before(notesKept)),
  ]);
}
