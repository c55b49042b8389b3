/** SQL of partners and their app keys. */

import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';

export type PartnerStatus = 'active' | 'suspended';

export interface NewPartner {
  readonly id: string;
  readonly name: string;
  readonly isDemo: boolean;
  readonly at: Date;
}

export interface NewAppKey {
  readonly id: string;
  readonly partnerId: string;
  readonly secretHash: string;
  readonly at: Date;
}

export interface Partner {
  readonly partnerId: string;
  readonly name: string;
  /** The address of notices to the partner; null: none. */
  readonly email: string | null;
  readonly status: PartnerStatus;
  readonly messagingEnabled: boolean;
  readonly campaignsEnabled: boolean;
  readonly isDemo: boolean;
  readonly appKeys: string[];
  readonly createdAt: Date;
}

export async function insertPartner(db: Queryable, partner: NewPartner): Promise<void> {
  await db.query(
    `INSERT INTO partner (id, name, is_demo, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
    [partner.id, partner.name, partner.isDemo, partner.at],
  );
}

/** False when there is no such partner. */
export async function insertAppKey(db: Queryable, key: NewAppKey): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO app_key (id, partner_id, secret_hash, created_at)
     SELECT $1, id, $3, $4 FROM partner WHERE id = $2
     RETURNING id`,
    [key.id, key.partnerId, key.secretHash, key.at],
  );
  return rows.length > 0;
}

/** Deletes the key with its sign-ins and tokens. False when this partner has no such key. */
export async function deleteAppKey(db: Queryable, partnerId: string, appKey: string): Promise<boolean> {
  const rows = await db.query(`DELETE FROM app_key WHERE partner_id = $1 AND id = $2 RETURNING id`, [
    partnerId,
    appKey,
  ]);
  return rows.length > 0;
}

/** False when there is no such partner. */
export async function updatePartnerStatus(
  db: Queryable,
  partnerId: string,
  status: PartnerStatus,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(`UPDATE partner SET status = $2, updated_at = $3 WHERE id = $1 RETURNING id`, [
    partnerId,
    status,
    at,
  ]);
  return rows.length > 0;
}

/** The columns of a partner's features. */
export const featureColumns = { messaging: 'messaging_enabled', campaigns: 'campaigns_enabled' } as const;
export type Feature = keyof typeof featureColumns;

/** False when there is no such partner. */
export async function updatePartnerFeature(
  db: Queryable,
  partnerId: string,
  feature: Feature,
  enabled: boolean,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE partner SET ${featureColumns[feature]} = $2, updated_at = $3 WHERE id = $1 RETURNING id`,
    [partnerId, enabled, at],
  );
  return rows.length > 0;
}

/** False when there is no such partner. */
export async function updatePartnerEmail(
  db: Queryable,
  partnerId: string,
  email: string | null,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(`UPDATE partner SET email = $2, updated_at = $3 WHERE id = $1 RETURNING id`, [
    partnerId,
    email,
    at,
  ]);
  return rows.length > 0;
}

const partnerColumns = `
  p.id AS partner_id, p.name, p.email, p.status, p.messaging_enabled,
  p.campaigns_enabled, p.is_demo,
  ARRAY(SELECT k.id FROM app_key k WHERE k.partner_id = p.id ORDER BY k.created_at, k.id) AS app_keys,
  p.created_at`;

/** Oldest first: up to `limit` after the id `after`. */
export async function listPartners(db: Queryable, after: string | null, limit: number): Promise<Partner[]> {
  return db.query<Partner>(
    `SELECT ${partnerColumns} FROM partner p WHERE ${afterId('p.id', '$1')} ORDER BY p.id LIMIT $2`,
    [after, limit],
  );
}

export async function findPartner(db: Queryable, partnerId: string): Promise<Partner | null> {
  const [partner] = await db.query<Partner>(`SELECT ${partnerColumns} FROM partner p WHERE p.id = $1`, [
    partnerId,
  ]);
  return partner ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such partner. */
export const requirePartner = (db: Queryable, id: string): Promise<Partner> =>
  foundById('partner', id, () => findPartner(db, id));

export async function partnerExists(db: Queryable): Promise<boolean> {
  const rows = await db.query(`SELECT 1 FROM partner LIMIT 1`);
  return rows.length > 0;
}
