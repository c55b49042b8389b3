/** SQL of workshops' logos. */
import type { Queryable } from '#platform/db/database.ts';
import type { ShopLogo } from '#platform/pages/shop.ts';
import type { Logo, LogoKind } from './logo.ts';

/** Replaces the logo; null removes it. The caller has locked the workshop. */
export async function replaceLogo(
  tx: Queryable,
  workshopId: string,
  logo: Logo | null,
  at: Date,
): Promise<void> {
  if (logo === null) {
    await tx.query('DELETE FROM workshop_logo WHERE workshop_id = $1', [workshopId]);
    return;
  }
  const { digest, kind, width, height, content } = logo;
  await tx.query(
    `INSERT INTO workshop_logo (workshop_id, digest, kind, width, height, content, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (workshop_id) DO UPDATE SET digest = excluded.digest, kind = excluded.kind, width = excluded.width,
       height = excluded.height, content = excluded.content, updated_at = excluded.updated_at`,
    [workshopId, digest, kind, width, height, content, at],
  );
}

export interface StoredLogo {
  readonly kind: LogoKind;
  readonly content: Buffer;
}

/** Null when the workshop has none. */
export async function readStoredLogo(db: Queryable, workshopId: string): Promise<StoredLogo | null> {
  const [row] = await db.query<StoredLogo>('SELECT kind, content FROM workshop_logo WHERE workshop_id = $1', [
    workshopId,
  ]);
  return row ?? null;
}

/** The content for an address, from any workshop with this logo. Null when none has it. */
export async function findLogo(db: Queryable, kind: LogoKind, digest: string): Promise<Buffer | null> {
  const [row] = await db.query<{ content: Buffer }>(
    'SELECT content FROM workshop_logo WHERE digest = $2 AND kind = $1 LIMIT 1',
    [kind, digest],
  );
  return row?.content ?? null;
}

/** A logo that an e-mail carries as a part of it, so its bytes are bounded. */
export interface CarriedLogo extends ShopLogo {
  readonly kind: 'png' | 'jpeg';
  readonly digest: string;
  /** Base64. */
  readonly content: string;
}

/** The most bytes of a logo that e-mails carry. */
export const carriedAtMostBytes = 64 * 1024;

const shownLogo = `jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width, 'height', height)`;

/** SQL over a workshop row `w`: the data that a page needs to show the logo (`ShopLogo`); null without one. */
export const logoJson = (w: string): string =>
  `(SELECT ${shownLogo} FROM workshop_logo WHERE workshop_id = ${w}.id)`;

/** The same for an e-mail (`CarriedLogo`); null also for a WebP picture, which many mail programs do not show, and for one over 64 KB. */
export const carriedLogoJson = (w: string): string =>
  `(SELECT ${shownLogo} || jsonb_build_object('kind', kind, 'digest', digest, 'content', encode(content, 'base64'))
     FROM workshop_logo WHERE workshop_id = ${w}.id AND kind <> 'webp' AND octet_length(content) <= ${carriedAtMostBytes})`;
