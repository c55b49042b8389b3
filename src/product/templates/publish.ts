/** Publishes a template, or makes it a draft again. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { lockWorkshop } from '#product/workshops/store.ts';
import { requireTemplate, type Template, unpublishOthers, updateTemplateStatus } from './store.ts';
import { ofTemplate } from './trail.ts';

/**
 * A notice has at most one published text: publishing another makes it a draft, and returns its id. Any number of inbox
 * templates may be published. Throws OperatorError when there is no such template.
 */
export async function publishTemplate(
  context: ChangeContext,
  templateId: string,
  actor: Actor,
): Promise<{ template: Template; replaced: string[] }> {
  return change(context, async ({ tx, now: at }) => {
    const template = await requireTemplate(tx, templateId);
    // The second of two concurrent calls for one notice waits here, then replaces the first.
    await lockWorkshop(tx, template.workshopId);
    const replaced = template.purpose === 'inbox' ? [] : await unpublishOthers(tx, template, at);
    await updateTemplateStatus(tx, template.id, 'published', at);
    for (const id of replaced) {
      await recordEntry(tx, { ...ofTemplate({ ...template, id }, actor, 'unpublished', at), ...toDraft });
    }
    await recordEntry(tx, {
      ...ofTemplate(template, actor, 'published', at),
      ...{ before: { status: template.status }, after: { status: 'published' } },
    });
    return { template: { ...template, status: 'published' }, replaced };
  });
}

/** Throws OperatorError when there is no such template. */
export async function unpublishTemplate(
  context: ChangeContext,
  templateId: string,
  actor: Actor,
): Promise<Template> {
  return change(context, async ({ tx, now: at }) => {
    const template = await requireTemplate(tx, templateId);
    await updateTemplateStatus(tx, template.id, 'draft', at);
    const before = { status: template.status };
    await recordEntry(tx, { ...ofTemplate(template, actor, 'unpublished', at), ...toDraft, before });
    return { ...template, status: 'draft' };
  });
}

const toDraft = { before: { status: 'published' }, after: { status: 'draft' } };
