/** Attachments by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type Attachment, findAttachment } from './store.ts';

export type StoredAttachment = Attachment & { readonly content: Buffer };

/** Throws OperatorError when there is no such attachment, or its bytes are not there. */
export async function requireAttachment(db: Queryable, id: string): Promise<StoredAttachment> {
  const found = isId(id) ? await findAttachment(db, id) : null;
  if (found === null) throw new OperatorError(`there is no attachment ${id} (pitlane inbox show names them)`);
  const { content, state, reason } = found;
  if (content !== null) return { ...found, content };
  const why = reason === null ? '' : ` (${reason})`;
  throw new OperatorError(
    state === 'waiting'
      ? `attachment ${id} is not fetched yet${why}: a running server does it`
      : `attachment ${id} is not stored: it is ${state}${why}`,
  );
}
