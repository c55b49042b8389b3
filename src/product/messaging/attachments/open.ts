/** Reads the bytes of an attachment, by the id that somebody typed. */

import { foundById, OperatorError } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Attachment, findAttachment } from './store.ts';

export type StoredAttachment = Attachment & { readonly content: Buffer };

/** Throws OperatorError when the attachment does not exist, or has no stored bytes. */
export async function openAttachment(db: Queryable, id: string): Promise<StoredAttachment> {
  const found = await foundById('attachment', id, () => findAttachment(db, id));
  const { content, state, reason } = found;
  if (content !== null) return { ...found, content };
  const why = reason === null ? '' : ` (${reason})`;
  throw new OperatorError(
    state === 'waiting'
      ? `attachment ${id} is not fetched yet${why}: a running server does it`
      : `attachment ${id} is not stored: it is ${state}${why}`,
  );
}
