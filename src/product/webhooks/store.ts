/** SQL of endpoints, their secrets and their lanes. */
import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import { afterId, beforeId } from '#platform/db/page-bounds.ts';
import type { Values } from '#platform/db/parameters.ts';
import { statement } from '#platform/db/statement.ts';
import { finishClaimCte, heldClaimCte } from '#platform/idempotency/store.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Webhook } from './schema.ts';

/** A jsonb expression over an endpoint's row. */
const webhookJson = (
  w: string,
) => `jsonb_build_object('id', ${w}.id, 'url', ${w}.url, 'method', ${w}.method, 'actions', to_jsonb(${w}.actions),
    'workshopId', ${w}.workshop_id, 'description', ${w}.description, 'status', ${w}.status, 'disabledReason', ${w}.disabled_reason,
    'maxConcurrent', ${w}.max_concurrent, 'createdAt', ${instantJson(`${w}.created_at`)}, 'updatedAt', ${instantJson(`${w}.updated_at`)})`;

/** Locks the partner until the transaction ends, so that concurrent creations count its endpoints one after the other. */
export async function holdPartner(tx: Queryable, partnerId: string): Promise<void> {
  await tx.query('SELECT FROM partner WHERE id = $1 FOR NO KEY UPDATE', [partnerId]);
}

const createParameters = {
  id: 'uuid',
  partnerId: 'uuid',
  workshopId: 'uuid null',
  url: 'text',
  method: 'text',
  actions: 'text[]',
  description: 'text null',
  secretId: 'uuid',
  sealed: 'text',
  idempotencyKey: 'text null',
  claimOwner: 'uuid null',
  atMost: 'integer',
  now: 'timestamptz',
} as const;

export type NewWebhook = Values<typeof createParameters>;

const createStatement = statement(
  createParameters,
  ($) => `WITH input AS (
      SELECT 1 AS ordinal, ${$('partnerId')} AS partner_id, ${$('idempotencyKey')} AS idempotency_key, ${$('claimOwner')} AS claim_owner,
             (SELECT count(*) FROM webhook WHERE partner_id = ${$('partnerId')}) < ${$('atMost')} AS has_room),
    ${heldClaimCte('input')},
    open AS (
      SELECT * FROM input WHERE has_room AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim))),
    made AS (
      INSERT INTO webhook (id, partner_id, workshop_id, url, method, actions, description, created_at, updated_at)
      SELECT ${$('id')}, partner_id, ${$('workshopId')}, ${$('url')}, ${$('method')}, ${$('actions')}, ${$('description')},
        ${$('now')}, ${$('now')}
        FROM open RETURNING *),
    keyed AS (
      INSERT INTO webhook_secret (webhook_id, id, sealed) SELECT id, ${$('secretId')}, ${$('sealed')} FROM made),
    -- Whose turn it is in the queue of deliveries.
    its_lane AS (INSERT INTO webhook_lane (webhook_id) SELECT id FROM made),
    snapshot AS (SELECT open.*, ${webhookJson('made')} AS webhook FROM open CROSS JOIN made),
    ${finishClaimCte('snapshot', 201, `jsonb_build_object('success', true, 'webhook', snapshot.webhook)`)}
    SELECT input.has_room, snapshot.webhook FROM input LEFT JOIN snapshot ON true`,
);

/** `webhook` is null when the partner has the maximum number, or when the idempotency claim was lost. */
export async function insertWebhook(
  tx: Queryable,
  webhook: NewWebhook,
): Promise<{ readonly hasRoom: boolean; readonly webhook: Webhook | null }> {
  const [row] = await tx.query<{ hasRoom: boolean; webhook: Webhook | null }>(
    createStatement.text,
    createStatement.values(webhook),
  );
  if (row === undefined) throw new Error('creating an endpoint returned no row');
  return row;
}

/** The partner's endpoint; with `lock` locked until the transaction ends. */
export async function findWebhook(
  db: Queryable,
  partnerId: string,
  id: string,
  { lock = false } = {},
): Promise<Webhook | null> {
  const [row] = await db.query<{ webhook: Webhook }>(
    `SELECT ${webhookJson('w')} AS webhook FROM webhook w WHERE w.id = $1 AND w.partner_id = $2${lock ? ' FOR NO KEY UPDATE' : ''}`,
    [id, partnerId],
  );
  return row?.webhook ?? null;
}

/** The partner's endpoints, newest first: up to `limit` before the id `before`. */
export function listWebhooks(
  db: Queryable,
  partnerId: string,
  before: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly webhook: Webhook }[]> {
  return db.query(
    `SELECT w.id, ${webhookJson('w')} AS webhook FROM webhook w
      WHERE w.partner_id = $1 AND ${beforeId('w.id', '$2')} ORDER BY w.id DESC LIMIT $3`,
    [partnerId, before, limit],
  );
}

export type WebhookChange = Pick<
  Webhook,
  | 'id'
  | 'url'
  | 'method'
  | 'actions'
  | 'workshopId'
  | 'description'
  | 'status'
  | 'disabledReason'
  | 'maxConcurrent'
> & {
  /** The receiver may work again: clears its failures, and makes waiting deliveries due. */
  readonly afresh: boolean;
  /** Business time. */
  readonly now: Date;
};

/** Writes the whole next state of a locked endpoint. */
export async function writeWebhook(tx: Queryable, change: WebhookChange): Promise<Webhook> {
  const { id, url, method, actions, workshopId, description, status, disabledReason, maxConcurrent } = change;
  const [row] = await tx.query<{ webhook: Webhook }>(
    `WITH changed AS (
       UPDATE webhook SET url = $2, method = $3, actions = $4, workshop_id = $5, description = $6, status = $7, disabled_reason = $8,
              max_concurrent = $9, notice_due_at = CASE WHEN $7 = 'disabled' THEN notice_due_at END,
              updated_at = greatest($11, updated_at + interval '1 millisecond')
        WHERE id = $1 RETURNING *),
     turned AS (
       UPDATE webhook_lane SET next_at = clock_timestamp(), version = version + 1,
              failures = CASE WHEN $10 THEN 0 ELSE failures END, failing_since = CASE WHEN NOT $10 THEN failing_since END,
              failed_at = CASE WHEN NOT $10 THEN failed_at END, probe_at = CASE WHEN NOT $10 THEN probe_at END
        WHERE webhook_id = $1)
     SELECT ${webhookJson('changed')} AS webhook FROM changed`,
    [
      ...[id, url, method, actions, workshopId, description, status, disabledReason, maxConcurrent],
      ...[change.afresh, change.now],
    ],
  );
  if (row === undefined) throw new Error('an endpoint that is held could not be written');
  return row.webhook;
}

/** Deletes an endpoint with its secrets and its lane. Its log is left to the retention; nobody can read it any more. */
export async function deleteWebhook(db: Queryable, partnerId: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM webhook WHERE id = $1 AND partner_id = $2 RETURNING id', [
    id,
    partnerId,
  ]);
  return rows.length > 0;
}

export interface NewSecret {
  readonly webhookId: string;
  readonly id: string;
  readonly sealed: string;
  /** For how many hours earlier secrets also sign. Machine time. */
  readonly overlapHours: number;
  /** The most earlier secrets that are kept. */
  readonly earlierAtMost: number;
  /** Business time. */
  readonly now: Date;
}

/** Adds a new present secret; earlier ones expire after a while. The caller has locked the endpoint. */
export async function replaceSecret(tx: Queryable, secret: NewSecret): Promise<Webhook> {
  const { webhookId, id, sealed, overlapHours, earlierAtMost, now } = secret;
  await tx.query(
    `DELETE FROM webhook_secret WHERE webhook_id = $1 AND (expires_at <= (SELECT clock_timestamp()) OR id IN (
       SELECT id FROM webhook_secret WHERE webhook_id = $1 ORDER BY id DESC OFFSET $2))`,
    [webhookId, earlierAtMost],
  );
  const [row] = await tx.query<{ webhook: Webhook }>(
    `WITH ending AS (
       UPDATE webhook_secret SET expires_at = clock_timestamp() + make_interval(hours => $4) WHERE webhook_id = $1 AND expires_at IS NULL),
     added AS (INSERT INTO webhook_secret (webhook_id, id, sealed) VALUES ($1, $2, $3)),
     changed AS (
       UPDATE webhook SET updated_at = greatest($5, updated_at + interval '1 millisecond') WHERE id = $1 RETURNING *)
     SELECT ${webhookJson('changed')} AS webhook FROM changed`,
    [webhookId, id, sealed, overlapHours, now],
  );
  if (row === undefined) throw new Error('the secret of an endpoint that is held could not be replaced');
  return row.webhook;
}

/** All active secrets, sealed; the present one first. */
export async function readSealedSecrets(db: Queryable, webhookId: string): Promise<string[]> {
  const rows = await db.query<{ sealed: string }>(
    `SELECT sealed FROM webhook_secret WHERE webhook_id = $1 AND coalesce(expires_at > (SELECT clock_timestamp()), true) ORDER BY id DESC`,
    [webhookId],
  );
  return rows.map(({ sealed }) => sealed);
}

export interface SealedSecret {
  readonly id: string;
  readonly webhookId: string;
  readonly sealed: string;
}

/** One endpoint; or up to `limit` after `after`, by id, that have not failed in this job. */
export type WhichEndpoints =
  | { readonly webhookId: string }
  | { readonly after: string | null; readonly limit: number; readonly job: string };

/** The secrets of endpoints, by endpoint; a page never splits the secrets of an endpoint. */
export function listSecrets(db: Queryable, which: WhichEndpoints): Promise<SealedSecret[]> {
  const secrets = (endpoints: string) => `SELECT s.id, s.webhook_id, s.sealed
       FROM (${endpoints}) AS w JOIN webhook_secret s ON s.webhook_id = w.id ORDER BY s.webhook_id, s.id`;
  if ('webhookId' in which)
    return db.query<SealedSecret>(secrets('SELECT $1::uuid AS id'), [which.webhookId]);
  const { after, limit, job } = which;
  return db.query<SealedSecret>(
    secrets(
      `SELECT id FROM webhook WHERE ${afterId('id', '$1')} AND ${notFailed(job, 'webhook.id')} ORDER BY id LIMIT $2`,
    ),
    [after, limit],
  );
}

/** False when it has been replaced since. */
export async function replaceSealed(
  db: Queryable,
  { id, webhookId, from, to }: Omit<SealedSecret, 'sealed'> & { readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await db.query(
    'UPDATE webhook_secret SET sealed = $4 WHERE webhook_id = $1 AND id = $2 AND sealed = $3 RETURNING id',
    [webhookId, id, from, to],
  );
  return rows.length > 0;
}
