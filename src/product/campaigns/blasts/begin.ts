/** Begins a blast that is due: fixes its recipients and its text in one commit. */
import { actors } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { findTemplate } from '#product/templates/store.ts';
import { conditionsOf } from './audience.ts';
import { insertRecipients } from './recipients/store.ts';
import { holdAtWork, writeBeginning, writeStatus } from './store.ts';
import { ofBlast } from './trail.ts';

/**
 * Without a published template, or when the partner that triggered it may no longer trigger blasts, the blast is paused; the
 * operator corrects that and resumes it. Of two concurrent processes, one begins it.
 */
export async function beginBlast(context: Context, id: string): Promise<void> {
  const { log } = context;
  await change(context, async ({ tx, now }) => {
    const blast = await holdAtWork(tx, id, 'scheduled');
    if (blast === null) return;
    const template = await findTemplate(tx, blast.templateId);
    if (template?.status !== 'published' || !blast.isOpen) {
      const why = blast.isOpen ? 'its template is not published' : 'its partner may not trigger it any more';
      log.warn({ blastId: id }, `a blast is paused: ${why}`);
      await writeStatus(tx, id, 'paused', now);
      await recordEntry(tx, {
        ...ofBlast(blast, actors.schedule, 'changed', now),
        before: { status: 'scheduled' },
        after: { status: 'paused', reason: blast.isOpen ? 'templateUnpublished' : 'notPermitted' },
      });
      return;
    }
    const conditions = conditionsOf(blast.audience, blast.workshop.timezone);
    await insertRecipients(tx, id, blast.workshopId, now, conditions);
    await writeBeginning(tx, id, template.version, now);
    await recordEntry(tx, ofBlast(blast, actors.schedule, 'begun', now));
  });
}
