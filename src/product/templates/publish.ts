/** Publishes a template, or makes it a draft again. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { lockWorkshop } from '#product/workshops/store.ts';
import { requireTemplate, type Template, unpublishOthers, updateTemplateStatus } from './store.ts';

/**
 * A notice has at most one published text: publishing another makes it a draft, and returns its id. Any number of inbox
 * templates may be published. Throws OperatorError when there is no such template.
 */
export async function publishTemplate(
  db: Database,
  clock: Clock,
  templateId: string,
): Promise<{ template: Template; replaced: string[] }> {
  return db.transaction(async (tx) => {
    const template = await requireTemplate(tx, templateId);
    const at = clock.now();
    // Of two concurrent calls for one notice the second waits here, then replaces the first.
    await lockWorkshop(tx, template.workshopId);
    const replaced = template.purpose === 'inbox' ? [] : await unpublishOthers(tx, template, at);
    await updateTemplateStatus(tx, template.id, 'published', at);
    return { template: { ...template, status: 'published' }, replaced };
  });
}

/** Throws OperatorError when there is no such template. */
export async function unpublishTemplate(db: Queryable, clock: Clock, templateId: string): Promise<Template> {
  const template = await requireTemplate(db, templateId);
  await updateTemplateStatus(db, template.id, 'draft', clock.now());
  return { ...template, status: 'draft' };
}
