/** SQL of templates. */
import type { Queryable } from '#db/database.ts';

export type TemplateStatus = 'draft' | 'published';

export interface Template {
  readonly id: string;
  readonly workshopId: string;
  /** `inbox`, or the notice whose text it is: `bookingCreated.customer.sms`. */
  readonly purpose: string;
  readonly name: string;
  readonly subject: string | null;
  readonly body: string;
  /** Such as `customer.firstName`. */
  readonly placeholders: string[];
  readonly requiresBooking: boolean;
  readonly status: TemplateStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewTemplate = Omit<Template, 'status' | 'createdAt' | 'updatedAt'>;

/** Inserts a draft. */
export async function insertTemplate(db: Queryable, template: NewTemplate, at: Date): Promise<void> {
  const { id, workshopId, purpose, name, subject, body, placeholders, requiresBooking } = template;
  await db.query(
    `INSERT INTO template (id, workshop_id, purpose, name, subject, body, placeholders, requires_booking, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [id, workshopId, purpose, name, subject, body, placeholders, requiresBooking, at],
  );
}

const templateColumns = `
  id, workshop_id AS "workshopId", purpose, name, subject, body, placeholders,
  requires_booking AS "requiresBooking", status, created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function findTemplate(db: Queryable, id: string): Promise<Template | null> {
  const [template] = await db.query<Template>(`SELECT ${templateColumns} FROM template WHERE id = $1`, [id]);
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
  /** The id of the last template of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** The published inbox templates by id, one more than `limit`, so that the caller knows whether there are more. */
export async function listPublishedTemplates(db: Queryable, page: TemplatePage): Promise<Template[]> {
  return db.query<Template>(
    `SELECT ${templateColumns} FROM template
     WHERE workshop_id = $1 AND purpose = 'inbox' AND status = 'published' AND ($2::uuid IS NULL OR id > $2)
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

/** Makes drafts of a notice's published templates, except for this one, and returns their ids. */
export async function unpublishOthers(db: Queryable, template: Template, at: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `UPDATE template SET status = 'draft', updated_at = $4
     WHERE workshop_id = $1 AND purpose = $2 AND id <> $3 AND status = 'published'
     RETURNING id`,
    [template.workshopId, template.purpose, template.id, at],
  );
  return rows.map((row) => row.id);
}
