/** SQL of workshops and of the links that join partners to them. */

import { found } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { columnOf, type Values } from '#platform/db/parameters.ts';
import { statement } from '#platform/db/statement.ts';

export const inboxNotices = ['email', 'sms', 'both', 'off'] as const;
export type InboxNotices = (typeof inboxNotices)[number];

/** The operator's settings: each field with the type of its column. */
const settings = {
  name: 'text',
  slug: 'text',
  country: 'text',
  timezone: 'text',
  phone: 'text',
  email: 'text',
  /** Null: unknown. */
  address: 'text null',
  /** Null: the workshop's own phone. */
  notifyPhones: 'text[] null',
  /** Null: the workshop's own e-mail address. */
  notifyEmails: 'text[] null',
  smsSender: 'text null',
  /** In the order in which they are tried; null: the installation's gateways. */
  smsGateways: 'text[] null',
  inboxMessagingEnabled: 'boolean',
  /** How the workshop gets digests of its customers' answers. */
  inboxNotices: 'text',
  /** The colour of its pages, `#rrggbb`; null: the default. */
  colour: 'text null',
} as const;
const fields = Object.keys(settings) as (keyof typeof settings)[];

export interface WorkshopSettings extends Omit<Values<typeof settings>, 'inboxNotices'> {
  readonly inboxNotices: InboxNotices;
}

export interface Workshop extends WorkshopSettings {
  readonly workshopId: string;
  /** Whether `/book/{slug}` without a link makes the workshop's own bookings. */
  readonly plainPage: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const parameters = { ...settings, id: 'uuid', at: 'timestamptz' } as const;

const insertStatement = statement(
  parameters,
  ($) => `INSERT INTO workshop (id, ${fields.map(columnOf).join(', ')}, created_at, updated_at)
     VALUES (${$('id')}, ${fields.map($).join(', ')}, ${$('at')}, ${$('at')})
     ON CONFLICT (slug) DO NOTHING
     RETURNING id`,
);

/** False when the slug is in use. */
export async function insertWorkshop(
  db: Queryable,
  id: string,
  workshop: WorkshopSettings,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(insertStatement.text, insertStatement.values({ ...workshop, id, at }));
  return rows.length > 0;
}

/** Slots and days depend on the time zone, so a changed zone increments the version of the set-up. */
const updateStatement = statement(
  parameters,
  ($) => `UPDATE workshop SET ${fields.map((field) => `${columnOf(field)} = ${$(field)}`).join(', ')},
       updated_at = ${$('at')}, setup_version = setup_version + (timezone <> ${$('timezone')})::integer
     WHERE id = ${$('id')}`,
);

/** Writes every setting; the caller has locked the row (`lockWorkshop`). */
export async function updateWorkshop(
  db: Queryable,
  id: string,
  workshop: WorkshopSettings,
  at: Date,
): Promise<void> {
  await db.query(updateStatement.text, updateStatement.values({ ...workshop, id, at }));
}

/** Waits for the transactions that are taking places at the workshop; others wait for this one, and then see what it has changed. */
export async function holdUpPlaces(tx: Queryable, id: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('places of ' || $1::uuid, 0))`, [id]);
}

/** A condition: the workshop row `w` has a plain page, and allows online booking. */
export const hasPlainPage = (w: string) => `(${w}.booking_page AND coalesce(${w}.plain_page, false))`;

const workshopColumns = `id AS workshop_id, ${fields.map((field) => columnOf(field)).join(', ')},
  ${hasPlainPage('workshop')} AS plain_page, created_at, updated_at`;

export async function findWorkshop(db: Queryable, id: string): Promise<Workshop | null> {
  const [workshop] = await db.query<Workshop>(`SELECT ${workshopColumns} FROM workshop WHERE id = $1`, [id]);
  return workshop ?? null;
}

export async function findWorkshopBySlug(db: Queryable, slug: string): Promise<Workshop | null> {
  const [workshop] = await db.query<Workshop>(`SELECT ${workshopColumns} FROM workshop WHERE slug = $1`, [
    slug,
  ]);
  return workshop ?? null;
}

/** Finds by a typed id or slug. Throws OperatorError when there is no such workshop. */
export async function requireWorkshop(db: Queryable, idOrSlug: string): Promise<Workshop> {
  const find = isId(idOrSlug) ? findWorkshop : findWorkshopBySlug;
  return found('workshop', idOrSlug, await find(db, idOrSlug));
}

/** The workshop, locked until the transaction ends. */
export async function lockWorkshop(tx: Queryable, id: string): Promise<Workshop | null> {
  const [workshop] = await tx.query<Workshop>(
    `SELECT ${workshopColumns} FROM workshop WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return workshop ?? null;
}

/**
 * An SQL expression: the gateways that SMS of the workshop row `w` are sent through, as a list of names; `usual` is the name of the
 * installation's gateway.
 */
export function gatewayOrderName(w: string, usual: string): string {
  return `coalesce(array_to_string(${w}.sms_gateways, ','), ${usual})`;
}

/**
 * The values of a workshop row `w` in texts (`TemplateWorkshop` of the bookings), and the look of its e-mails (`NoticeWorkshop`).
 */
export const workshopJson = `jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
  'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)`;

export interface ListedWorkshop extends Workshop {
  /** The partners with an active link. */
  readonly partnerIds: string[];
}

/** Oldest first: up to `limit` after the id `after`, of one partner or of all. */
export async function listWorkshops(
  db: Queryable,
  page: { readonly partnerId: string | null; readonly after: string | null; readonly limit: number },
): Promise<ListedWorkshop[]> {
  const ofPartner = `workshop.id IN (SELECT workshop_id FROM link WHERE partner_id = $3 AND ${afterId('workshop_id', '$1')}
       ORDER BY workshop_id LIMIT $2)`;
  return db.query<ListedWorkshop>(
    `SELECT ${workshopColumns},
       ARRAY(SELECT l.partner_id::text FROM link l WHERE l.workshop_id = workshop.id AND l.active
             ORDER BY l.created_at, l.partner_id) AS partner_ids
     FROM workshop WHERE ${page.partnerId === null ? afterId('workshop.id', '$1') : ofPartner} ORDER BY id LIMIT $2`,
    page.partnerId === null ? [page.after, page.limit] : [page.after, page.limit, page.partnerId],
  );
}

/** The slug itself and those that begin with it and a hyphen. */
export async function listSlugsLike(db: Queryable, slug: string): Promise<Set<string>> {
  const rows = await db.query<{ slug: string }>(
    `SELECT slug FROM workshop WHERE slug = $1 OR starts_with(slug, $1 || '-')`,
    [slug],
  );
  return new Set(rows.map((row) => row.slug));
}

/** Creates the link, or switches it on or off: its row is never deleted, since bookings refer to it. */
export async function upsertLink(
  db: Queryable,
  link: { readonly partnerId: string; readonly workshopId: string; readonly active: boolean },
  at: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO link (partner_id, workshop_id, active, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (partner_id, workshop_id) DO UPDATE SET active = excluded.active`,
    [link.partnerId, link.workshopId, link.active, at],
  );
}

/** False when the two were never linked. */
export async function switchLinkOff(db: Queryable, partnerId: string, workshopId: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE link SET active = false WHERE partner_id = $1 AND workshop_id = $2 RETURNING active`,
    [partnerId, workshopId],
  );
  return rows.length > 0;
}

/** The name of a workshop; empty when there is no such workshop. */
export async function workshopName(db: Queryable, id: string): Promise<string> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM workshop WHERE id = $1', [id]);
  return row?.name ?? '';
}

/** The number of phones that the workshop's notices are sent to. */
export async function countNotifyPhones(db: Queryable, workshopId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(DISTINCT told.phone)::int AS count
       FROM workshop w CROSS JOIN LATERAL unnest(coalesce(w.notify_phones, ARRAY[w.phone])) AS told (phone)
      WHERE w.id = $1 AND told.phone <> ''`,
    [workshopId],
  );
  return row?.count ?? 0;
}
