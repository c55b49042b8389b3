/** SQL of workshops and of the links that join partners to them. */
import type { Queryable } from '#db/database.ts';

export const inboxNotices = ['email', 'sms', 'both', 'off'] as const;
export type InboxNotices = (typeof inboxNotices)[number];

/** What an operator sets. Null lists mean the workshop's own phone and e-mail. */
export interface WorkshopSettings {
  readonly name: string;
  readonly slug: string;
  readonly country: string;
  readonly timezone: string;
  readonly phone: string;
  readonly email: string;
  readonly notifyPhones: readonly string[] | null;
  readonly notifyEmails: readonly string[] | null;
  readonly smsSender: string | null;
  /** In the order in which they are tried; null: the installation's. */
  readonly smsGateways: readonly string[] | null;
  readonly inboxMessagingEnabled: boolean;
  /** How the workshop gets digests of its customers' answers. */
  readonly inboxNotices: InboxNotices;
}

export interface Workshop extends WorkshopSettings {
  readonly workshopId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** False when the slug is taken. */
export async function insertWorkshop(
  db: Queryable,
  id: string,
  workshop: WorkshopSettings,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, notify_phones, notify_emails, sms_sender,
       inbox_messaging_enabled, inbox_notices, sms_gateways, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
     ON CONFLICT (slug) DO NOTHING
     RETURNING id`,
    [id, ...valuesOf(workshop), at],
  );
  return rows.length > 0;
}

/** Writes every setting; the caller holds the row (`lockWorkshop`). In another time zone slots and days are others. */
export async function updateWorkshop(
  db: Queryable,
  id: string,
  workshop: WorkshopSettings,
  at: Date,
): Promise<void> {
  await db.query(
    `UPDATE workshop SET name = $2, slug = $3, country = $4, timezone = $5, phone = $6, email = $7, notify_phones = $8,
       notify_emails = $9, sms_sender = $10, inbox_messaging_enabled = $11, inbox_notices = $12,
       sms_gateways = $13, updated_at = $14,
       setup_version = setup_version + (timezone <> $5)::integer
     WHERE id = $1`,
    [id, ...valuesOf(workshop), at],
  );
}

function valuesOf(workshop: WorkshopSettings): unknown[] {
  const { name, slug, country, timezone, phone, email } = workshop;
  const {
    notifyPhones,
    notifyEmails,
    smsSender,
    inboxMessagingEnabled,
    inboxNotices: told,
    smsGateways,
  } = workshop;
  return [
    name,
    slug,
    country,
    timezone,
    phone,
    email,
    notifyPhones,
    notifyEmails,
    smsSender,
    inboxMessagingEnabled,
    told,
    smsGateways,
  ];
}

const workshopColumns = `
  id AS "workshopId", name, slug, country, timezone, phone, email, notify_phones AS "notifyPhones",
  notify_emails AS "notifyEmails", sms_sender AS "smsSender", inbox_messaging_enabled AS "inboxMessagingEnabled",
  inbox_notices AS "inboxNotices", sms_gateways AS "smsGateways", created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function findWorkshop(db: Queryable, id: string): Promise<Workshop | null> {
  const [workshop] = await db.query<Workshop>(`SELECT ${workshopColumns} FROM workshop WHERE id = $1`, [id]);
  return workshop ?? null;
}

/** The workshop, held against other changes until the transaction ends. */
export async function lockWorkshop(tx: Queryable, id: string): Promise<Workshop | null> {
  const [workshop] = await tx.query<Workshop>(
    `SELECT ${workshopColumns} FROM workshop WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return workshop ?? null;
}

/**
 * An SQL expression: the list of gateways that SMS of the workshop row `w` go through, by name; `usual` is the name of the
 * installation's.
 */
export function routeName(w: string, usual: string): string {
  return `coalesce(array_to_string(${w}.sms_gateways, ','), ${usual})`;
}

/** Has the queues of a workshop looked at, which take their route from its row then (`#sending`). */
export async function wakeQueuesOf(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `INSERT INTO send_wake (workshop_id, channel, class, due_at)
     SELECT workshop_id, channel, class, clock_timestamp() FROM send_queue WHERE workshop_id = $1`,
    [id],
  );
}

export interface ListedWorkshop extends Workshop {
  /** The partners with an active link. */
  readonly partnerIds: string[];
}

/** Every workshop, oldest first. */
export async function listWorkshops(db: Queryable): Promise<ListedWorkshop[]> {
  return db.query<ListedWorkshop>(
    `SELECT ${workshopColumns},
       ARRAY(SELECT l.partner_id::text FROM link l WHERE l.workshop_id = workshop.id AND l.active
             ORDER BY l.created_at, l.partner_id) AS "partnerIds"
     FROM workshop ORDER BY created_at, id`,
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

/** Joins the two, or switches their link on or off: the row stays, bookings refer to it. */
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

/** The name of a workshop; empty where there is none. */
export async function workshopName(db: Queryable, id: string): Promise<string> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM workshop WHERE id = $1', [id]);
  return row?.name ?? '';
}
