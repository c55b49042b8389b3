/** Begins a blast that is due: its recipients and its text are fixed, in one commit. */
import type { Context } from '#context.ts';
import { findTemplate } from '#templates/store.ts';
import { conditionsOf } from './audience.ts';
import { insertRecipients } from './recipients/store.ts';
import { holdAtWork, writeBeginning, writeStatus } from './store.ts';

/** Without a published template it is paused, for the operator to publish one and to resume it. Of two processes, one does it. */
export async function beginBlast({ db, clock, log }: Context, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const blast = await holdAtWork(tx, id, 'scheduled');
    if (blast === null) return;
    const now = clock.now();
    const template = await findTemplate(tx, blast.templateId);
    if (template?.status !== 'published') {
      log.warn({ blastId: id }, 'a blast is paused: its template is not published');
      await writeStatus(tx, id, 'paused', now);
      return;
    }
    const conditions = conditionsOf(blast.audience, blast.workshop.timezone);
    await insertRecipients(tx, id, blast.workshopId, now, conditions);
    await writeBeginning(tx, id, template.version, now);
  });
}
