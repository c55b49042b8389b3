/** SQL of a partner's access to workshops: the check that every operation begins with (`gate`), and the list of linked workshops. */

import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { columnOf } from '#platform/db/parameters.ts';
import { conditions, isOpen, needs, usualRows, type Work } from './conditions.ts';

const flags = (Object.keys(conditions) as (keyof typeof conditions)[]).map(
  (name) => [columnOf(name), conditions[name].sql(usualRows)] as const,
);
/** The columns of `gate`, from the joined rows `l`, `p` and `w`. */
const gateFields = `${flags.map(([column, sql]) => `${sql} AS ${column}`).join(', ')}, w.sms_sender, w.sms_gateways`;

/**
 * CTE `gate`: one row when the partner is linked to the workshop (no row: 030001), with its `workshop_id` and the flags of all
 * `conditions`.
 */
export function gateCte(partnerId: string, workshopId: string): string {
  return `gate AS (
    SELECT w.id AS workshop_id, ${gateFields}
      FROM link l JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id
     WHERE l.partner_id = ${partnerId} AND l.workshop_id = ${workshopId})`;
}

/** The same for a statement over a set: each call of `input` (with `partner_id` and `workshop_id`) that is linked. */
export const gatesCte = `gate AS MATERIALIZED (
    SELECT input.*, ${gateFields}
      FROM input JOIN link l ON l.partner_id = input.partner_id AND l.workshop_id = input.workshop_id
      JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id)`;

/** The same for operations that need only the link: with `link_active`. */
export const linkGateCte = `gate AS MATERIALIZED (
    SELECT input.*, ${conditions.linkActive.sql({ ...usualRows, link: 'link' })} AS link_active FROM input
      JOIN link ON link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id)`;

/** The same for actions of a workshop itself: each call of `input` whose `workshop_id` exists. */
export const workshopGateCte = `gate AS MATERIALIZED (
    SELECT input.*, true AS link_active FROM input JOIN workshop ON workshop.id = input.workshop_id)`;

/** The columns of `gate` in a statement's result. */
export const gateColumns = `${flags.map(([column]) => `gate.${column}`).join(', ')}, gate.sms_sender, gate.sms_gateways`;

/** A condition on a row of `gate`: a request for this work is accepted. */
export const gateOpens = (work: Work) => needs[work].map((name) => `gate.${columnOf(name)}`).join(' AND ');

/** A condition: the partner may do this work at the workshop now; null: the workshop's own staff. */
export const isOpenAt = (
  work: Work,
  partnerId: string,
  workshopId: string,
) => `(${partnerId} IS NULL OR EXISTS (
    SELECT FROM link its_link JOIN workshop at ON at.id = its_link.workshop_id JOIN partner who ON who.id = its_link.partner_id
     WHERE its_link.partner_id = ${partnerId} AND its_link.workshop_id = ${workshopId}
       AND ${isOpen(work, { link: 'its_link', partner: 'who', workshop: 'at' })}))`;

export interface Gate extends Readonly<Record<keyof typeof conditions, boolean>> {
  smsSender: string | null;
  smsGateways: readonly string[] | null;
}

export async function readGate(db: Queryable, partnerId: string, workshopId: string): Promise<Gate | null> {
  const [gate] = await db.query<Gate>(
    `WITH ${gateCte('$1::uuid', '$2::uuid')} SELECT ${gateColumns} FROM gate`,
    [partnerId, workshopId],
  );
  return gate ?? null;
}

/** The same for an id as sent, which may be invalid. */
export async function findGate(db: Queryable, partnerId: string, workshopId: string): Promise<Gate | null> {
  return isId(workshopId) ? readGate(db, partnerId, workshopId) : null;
}

/** The country of a workshop that the partner is linked to; null for any other. */
export async function findCountry(
  db: Queryable,
  partnerId: string,
  workshopId: string,
): Promise<string | null> {
  const [row] = await db.query<{ country: string }>(
    `SELECT w.country FROM link l JOIN workshop w ON w.id = l.workshop_id WHERE l.partner_id = $1 AND l.workshop_id = $2`,
    [partnerId, workshopId],
  );
  return row?.country ?? null;
}

export interface LinkedWorkshop {
  id: string;
  name: string;
  slug: string;
  country: string;
  timezone: string;
  phone: string;
  partnerIntegrationEnabled: boolean;
  inboxMessagingEnabled: boolean;
  enforceAvailability: boolean;
}

/**
 * The partner's workshops by id; `limit` rows after the id `after`. Each is looked up by its id, even with a plan made on an empty
 * table.
 */
export function listLinkedWorkshops(
  db: Queryable,
  partnerId: string,
  after: string | null,
  limit: number,
): Promise<LinkedWorkshop[]> {
  return db.query<LinkedWorkshop>(
    `SELECT w.id, w.name, w.slug, w.country, w.timezone, w.phone, l.active AS partner_integration_enabled,
            w.inbox_messaging_enabled, w.enforce_availability
       FROM link l CROSS JOIN LATERAL (SELECT * FROM workshop WHERE id = l.workshop_id LIMIT 1) w
      WHERE l.partner_id = $1 AND ${afterId('l.workshop_id', '$2')}
      ORDER BY l.workshop_id LIMIT $3`,
    [partnerId, after, limit],
  );
}
