/** SQL of a partner's list of calls, newest call first. */
import type { Queryable } from '#db/database.ts';
import { highestId } from '#db/page-bounds.ts';
import type { TimedPage } from '#http/paging.ts';
import { type CallLead, type CallOutcome, callOutcomes } from '../schema.ts';
import { callLeadJson, leadLinks } from '../snapshot.ts';

/** An absent filter filters nothing. */
export interface CallFilters {
  readonly workshopId?: string;
  /** Called from this instant on, and before that one. */
  readonly from?: Date;
  readonly to?: Date;
  readonly outcome?: CallOutcome;
  readonly externalId?: string;
}

export interface ListedCall {
  readonly id: string;
  readonly callLead: CallLead;
}

/** One statement for each set of filters: absent filters do not appear in it. Exported for tests that read its plan. */
export function listText({ workshopId, from, externalId }: CallFilters): string {
  const conditions = [
    'row.partner_id = $1::uuid',
    '(row.called_at, row.id) < ($3::timestamptz, $4::uuid)',
    'row.called_at < $6::timestamptz',
    ...(from === undefined ? [] : ['row.called_at >= $7::timestamptz']),
    ...(workshopId === undefined ? [] : ['row.workshop_id = $8::uuid']),
    ...(externalId === undefined ? [] : ['row.external_id = $9::text']),
  ];
  const wanted = ['row.outcome = ANY ($2::text[])', ...conditions].join(' AND ');
  // By the reference; else each outcome newest first by its index, then together. A parameter that no filter uses needs a type all the same.
  const found =
    externalId === undefined
      ? `SELECT own.* FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
        SELECT row.id, row.called_at FROM call_lead AS row WHERE ${['row.outcome = wanted.outcome', ...conditions].join(' AND ')}
         ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own`
      : `SELECT row.id, row.called_at
        FROM (SELECT * FROM call_lead WHERE partner_id = $1::uuid AND external_id = $9::text OFFSET 0) AS row WHERE ${wanted}`;
  return `WITH given AS (SELECT $7::timestamptz, $8::uuid, $9::text),
    page AS MATERIALIZED (
      SELECT id, called_at FROM (${found}) AS found ORDER BY called_at DESC, id DESC LIMIT $5::integer)
    SELECT page.id, own.call_lead FROM page CROSS JOIN LATERAL (
      SELECT ${callLeadJson('lead', 'partner')} AS call_lead FROM call_lead lead ${leadLinks('lead')} WHERE lead.id = page.id LIMIT 1) AS own
     ORDER BY page.called_at DESC, page.id DESC`;
}

/** `limit` of the partner's calls that come after the position, newest first. */
export function listCalls(
  db: Queryable,
  partnerId: string,
  filters: CallFilters,
  after: TimedPage['after'],
  limit: number,
): Promise<ListedCall[]> {
  const { workshopId = null, from = null, to = 'infinity', outcome, externalId = null } = filters;
  return db.query<ListedCall>(listText(filters), [
    partnerId,
    outcome === undefined ? callOutcomes : [outcome],
    ...[after?.at ?? 'infinity', after?.id ?? highestId, limit],
    ...[to, from, workshopId, externalId],
  ]);
}
