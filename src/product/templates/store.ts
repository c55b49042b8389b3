/** SQL of templates. */

import { foundById } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';

export type TemplateStatus = 'draft' | 'published';

export interface Template {
  readonly id: string;
  readonly workshopId: string;
  /** `inbox`, or the notice that the text is for: `bookingCreated.customer.sms`. */
  readonly purpose: string;
  readonly name: string;
  readonly subject: string | null;
  readonly body: string;
  /** Such as `customer.firstName`. */
  readonly placeholders: string[];
  readonly requiresBooking: boolean;
  readonly status: TemplateStatus;
  /** Rises with each change of its texts, from 1. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewTemplate = Omit<Template, 'status' | 'version' | 'createdAt' | 'updatedAt'>;

/** Inserts a draft; a trigger stores it as version 1 (`keep_template_version.sql`). False when another template of the workshop has the name. */
export async function insertTemplate(db: Queryable, template: NewTemplate, at: Date): Promise<boolean> {
  const { id, workshopId, purpose, name, subject, body, placeholders, requiresBooking } = template;
  const rows = await db.query(
    `INSERT INTO template (id, workshop_id, purpose, name, subject, body, placeholders, requires_booking, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     ON CONFLICT (lower(name), workshop_id) DO NOTHING RETURNING true`,
    [id, workshopId, purpose, name, subject, body, placeholders, requiresBooking, at],
  );
  return rows.length > 0;
}

export interface TextChanges
  extends Partial<Pick<Template, 'name' | 'body' | 'placeholders' | 'requiresBooking'>> {
  readonly subject?: string;
  /** True: removes the subject, so that the default applies. */
  readonly takesDefault: boolean;
}

/**
 * Changes the given texts, and returns the new version, which a trigger stores. Of two concurrent changes the second waits, and
 * keeps what the first has changed.
 */
export async function updateTexts(
  db: Queryable,
  id: string,
  changes: TextChanges,
  at: Date,
): Promise<number> {
  const { name, body, placeholders, requiresBooking, subject, takesDefault } = changes;
  const subjectSql = 'CASE WHEN NOT $7::boolean THEN coalesce($6, subject) END';
  const [changed] = await db.query<{ version: number }>(
    `UPDATE template SET name = coalesce($2, name), body = coalesce($3, body), placeholders = coalesce($4, placeholders),
            requires_booking = coalesce($5, requires_booking), subject = ${subjectSql}, version = version + 1, updated_at = $8
      WHERE id = $1 AND (name, body, subject) IS DISTINCT FROM (coalesce($2, name), coalesce($3, body), ${subjectSql})
      RETURNING version`,
    [id, name, body, placeholders, requiresBooking, subject, takesDefault, at],
  );
  return changed?.version ?? (await findTemplate(db, id))?.version ?? 1;
}

const templateColumns = `
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at`;

export async function findTemplate(db: Queryable, id: string): Promise<Template | null> {
  const [template] = await db.query<Template>(`SELECT ${templateColumns} FROM template WHERE id = $1`, [id]);
  return template ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such template. */
export const requireTemplate = (db: Queryable, id: string): Promise<Template> =>
  foundById('template', id, () => findTemplate(db, id));

/** A template of the workshop by its id, or by its name, ignoring case. */
export async function findTemplateNamed(
  db: Queryable,
  workshopId: string,
  named: string,
): Promise<Template | null> {
  const which = isId(named) ? 'id = $2::uuid' : 'lower(name) = lower($2)';
  const [template] = await db.query<Template>(
    `SELECT ${templateColumns} FROM template WHERE workshop_id = $1 AND ${which}`,
    [workshopId, named],
  );
  return template ?? null;
}

/** All of a workshop's templates, oldest first. */
export async function listTemplates(db: Queryable, workshopId: string): Promise<Template[]> {
  return db.query<Template>(
    `SELECT ${templateColumns} FROM template WHERE workshop_id = $1 ORDER BY created_at, id`,
    [workshopId],
  );
}

export interface TemplatePage {
  readonly workshopId: string;
  /** The last template of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The published inbox templates by id, one more than `limit`, so that the caller knows whether there are more. */
export async function listPublishedTemplates(db: Queryable, page: TemplatePage): Promise<Template[]> {
  return db.query<Template>(
    `SELECT ${templateColumns} FROM template
     WHERE workshop_id = $1 AND purpose = 'inbox' AND status = 'published' AND ${afterId('id', '$2')}
     ORDER BY id LIMIT $3`,
    [page.workshopId, page.after, page.limit + 1],
  );
}

export async function updateTemplateStatus(
  db: Queryable,
  id: string,
  status: TemplateStatus,
  at: Date,
): Promise<void> {
  await db.query(`UPDATE template SET status = $2, updated_at = $3 WHERE id = $1 AND status <> $2`, [
    id,
    status,
    at,
  ]);
}

/** Makes a notice's other published templates drafts, and returns their ids. */
export async function unpublishOthers(db: Queryable, template: Template, at: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `UPDATE template SET status = 'draft', updated_at = $4
     WHERE workshop_id = $1 AND purpose = $2 AND id <> $3 AND status = 'published'
     RETURNING id`,
    [template.workshopId, template.purpose, template.id, at],
  );
  return rows.map((row) => row.id);
}

export interface TemplateVersion
  extends Pick<Template, 'name' | 'subject' | 'body' | 'placeholders' | 'requiresBooking' | 'createdAt'> {
  readonly templateId: string;
  /** From 1. */
  readonly version: number;
}

const versionColumns = `template_id, number AS version, name, subject, body, placeholders,
  requires_booking, created_at`;

/** The latest versions of a template, latest first. */
export async function listVersions(
  db: Queryable,
  templateId: string,
  limit: number,
): Promise<TemplateVersion[]> {
  return db.query<TemplateVersion>(
    `SELECT ${versionColumns} FROM template_version WHERE template_id = $1 ORDER BY number DESC LIMIT $2`,
    [templateId, limit],
  );
}

export async function findVersion(
  db: Queryable,
  templateId: string,
  version: number,
): Promise<TemplateVersion | null> {
  const [row] = await db.query<TemplateVersion>(
    `SELECT ${versionColumns} FROM template_version WHERE template_id = $1 AND number = $2`,
    [templateId, version],
  );
  return row ?? null;
}
