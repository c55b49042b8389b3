/** SQL of the service catalogue: services, and the daily limits of categories. */

import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import type { ServiceCategory } from './categories.ts';

/** A service as the workshop sets it up; null: not set. */
export interface ServiceSettings {
  readonly catalogCode: string;
  readonly title: string;
  readonly category: ServiceCategory;
  readonly cost: number | null;
  readonly maxCost: number | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly dailyLimit: number | null;
  readonly durationMinutes: number | null;
  /** Its content, for the booking page. */
  readonly description: string | null;
}

/** The data of a service for checking requests. */
export interface Service extends Omit<ServiceSettings, 'description'> {
  readonly _id: string;
}

export interface DescribedService extends Service, ServiceSettings {}

export interface CategoryLimit {
  readonly code: ServiceCategory;
  readonly dailyLimit: number;
}

export interface Catalogue {
  /** Active ones only, in the order of the import. */
  readonly services: readonly DescribedService[];
  /** Only categories with a limit. */
  readonly limits: readonly CategoryLimit[];
}

const servicesJson = (workshopId: string, further = '') => `
  (SELECT coalesce(json_agg(json_build_object('_id', id, 'catalogCode', catalog_code, 'title', title, 'category', category,
            'cost', cost, 'maxCost', max_cost, 'icon', icon, 'color', color, 'dailyLimit', daily_limit,
            'durationMinutes', duration_minutes${further}) ORDER BY position), '[]')
     FROM catalogue_service WHERE workshop_id = ${workshopId} AND active)`;

const describedJson = (workshopId: string) => servicesJson(workshopId, `, 'description', description`);

const limitsJson = (workshopId: string) => `
  (SELECT coalesce(json_agg(json_build_object('code', category, 'dailyLimit', daily_limit) ORDER BY category), '[]')
     FROM category_limit WHERE workshop_id = ${workshopId})`;

/** The catalogue of a workshop that the partner is linked to, also when the link is off; null for any other workshop. */
export async function readLinkedCatalogue(
  db: Queryable,
  partnerId: string,
  workshopId: string,
): Promise<Catalogue | null> {
  const [catalogue] = await db.query<Catalogue>(
    `SELECT ${describedJson('l.workshop_id')} AS services, ${limitsJson('l.workshop_id')} AS limits
       FROM link l WHERE l.partner_id = $1 AND l.workshop_id = $2`,
    [partnerId, workshopId],
  );
  return catalogue ?? null;
}

/** The active services of a workshop with the version of its set-up, in one snapshot; null when there is no such workshop. */
export async function readActiveServices(
  db: Queryable,
  workshopId: string,
): Promise<{ readonly version: number; readonly services: readonly Service[] } | null> {
  const [found] = await db.query<{ version: number; services: readonly Service[] }>(
    `SELECT setup_version AS version, ${servicesJson('w.id')} AS services FROM workshop w WHERE w.id = $1`,
    [workshopId],
  );
  return found ?? null;
}

export async function readCatalogue(db: Queryable, workshopId: string): Promise<Catalogue> {
  const [catalogue] = await db.query<Catalogue>(
    `SELECT ${describedJson('$1::uuid')} AS services, ${limitsJson('$1::uuid')} AS limits`,
    [workshopId],
  );
  return catalogue ?? { services: [], limits: [] };
}

/**
 * Replaces the workshop's active services, in this order: those with a known `catalogCode` keep their id, the others get the id
 * at the same index of `newIds`; services that are not listed become inactive. The caller has locked the workshop.
 */
export async function replaceServices(
  tx: Queryable,
  workshopId: string,
  services: readonly ServiceSettings[],
  newIds: readonly string[],
  at: Date,
): Promise<void> {
  const rows = services.map((service, position) => ({ ...service, position, newId: newIds[position] }));
  await tx.query(
    `WITH listed AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS s (new_id uuid, position int, catalog_code text, title text, category text,
         cost numeric, max_cost numeric, icon text, color text, daily_limit int, duration_minutes int, description text)),
     gone AS (
       UPDATE catalogue_service SET active = false, updated_at = $3
        WHERE workshop_id = $1 AND active AND catalog_code NOT IN (SELECT catalog_code FROM listed))
     INSERT INTO catalogue_service AS known (id, workshop_id, catalog_code, position, active, title, category, cost, max_cost, icon,
       color, daily_limit, duration_minutes, description, created_at, updated_at)
     SELECT new_id, $1, catalog_code, position, true, title, category, cost, max_cost, icon, color, daily_limit,
            duration_minutes, description, $3, $3 FROM listed
     ON CONFLICT (workshop_id, catalog_code) DO UPDATE SET position = excluded.position, active = true, title = excluded.title,
       category = excluded.category, cost = excluded.cost, max_cost = excluded.max_cost, icon = excluded.icon,
       color = excluded.color, daily_limit = excluded.daily_limit, duration_minutes = excluded.duration_minutes,
       description = excluded.description,
       updated_at = excluded.updated_at`,
    [workshopId, recordset(rows), at],
  );
}

/** Replaces the workshop's limits of categories. The caller has locked the workshop. */
export async function replaceCategoryLimits(
  tx: Queryable,
  workshopId: string,
  limits: readonly CategoryLimit[],
): Promise<void> {
  await tx.query(
    `WITH listed AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS l (code text, daily_limit int)),
     gone AS (
       DELETE FROM category_limit WHERE workshop_id = $1 AND category NOT IN (SELECT code FROM listed))
     INSERT INTO category_limit (workshop_id, category, daily_limit) SELECT $1, code, daily_limit FROM listed
     ON CONFLICT (workshop_id, category) DO UPDATE SET daily_limit = excluded.daily_limit`,
    [workshopId, recordset(limits)],
  );
}

/**
 * SQL: the data for checking the daily limits of a workshop, as JSON: `categories` by code, and the services that have their own
 * limit, or are `serviceId`, each with `active`.
 */
export function limitsFor(workshopId: string): string {
  return `(SELECT coalesce(json_object_agg(category, daily_limit), '{}') FROM category_limit WHERE workshop_id = ${workshopId})
      AS category_limits,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'dailyLimit', daily_limit)), '[]')
       FROM catalogue_service WHERE workshop_id = ${workshopId} AND daily_limit IS NOT NULL) AS services`;
}
