/** SQL of the links between partners and workshops, as the operator sees them. */
import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';

export interface ListedLink {
  readonly partnerId: string;
  readonly partner: string;
  readonly workshopId: string;
  readonly workshop: string;
  readonly active: boolean;
  readonly createdAt: Date;
}

/** Both ids of a link. */
export interface LinkKey {
  readonly partnerId: string;
  readonly workshopId: string;
}

export interface LinkPage {
  /** Null: all. */
  readonly partnerId: string | null;
  readonly workshopId: string | null;
  /** The last link of the previous page. */
  readonly after: LinkKey | null;
  readonly limit: number;
}

/** One statement for each combination of filters. Exported for tests that read its plan. */
export function linkListText({ partnerId, workshopId }: Pick<LinkPage, 'partnerId' | 'workshopId'>): string {
  const wanted = [
    '(l.partner_id, l.workshop_id) > ($1::uuid, $2::uuid)',
    ...(partnerId === null ? [] : ['l.partner_id = $4::uuid']),
    // The index of a workshop's links is read from the partner on.
    ...(workshopId === null ? [] : ['l.workshop_id = $5::uuid AND l.partner_id >= $1::uuid']),
  ];
  return `WITH given AS (SELECT $4::uuid, $5::uuid)
    SELECT l.partner_id, p.name AS partner, l.workshop_id, w.name AS workshop, l.active, l.created_at
      FROM (SELECT * FROM link l WHERE ${wanted.join(' AND ')} ORDER BY l.partner_id, l.workshop_id LIMIT $3) AS l
      CROSS JOIN LATERAL (SELECT name FROM partner WHERE id = l.partner_id LIMIT 1) AS p
     CROSS JOIN LATERAL (SELECT name FROM workshop WHERE id = l.workshop_id LIMIT 1) AS w ORDER BY l.partner_id, l.workshop_id`;
}

/** By partner and workshop: up to `limit` after the link `after`. */
export function listLinks(db: Queryable, page: LinkPage): Promise<ListedLink[]> {
  const { after, limit, partnerId, workshopId } = page;
  return db.query<ListedLink>(linkListText(page), [
    ...[after?.partnerId ?? lowestId, after?.workshopId ?? lowestId, limit],
    ...[partnerId, workshopId],
  ]);
}
