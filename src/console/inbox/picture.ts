/**
 * /console/w/{slug}/inbox/{id}/pictures/{attachment}: a picture that a customer has sent. Its type was found by its bytes and is
 * one of a list; headers make browsers draw it and nothing else.
 */

import { isId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { Problem } from '#errors.ts';
import { findAttachmentOf } from '#product/messaging/attachments/store.ts';
import type { Download } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** The types that every browser draws. */
export const drawnTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
};

/** Throws 404 for a picture of another conversation, or one that was not kept; 403 where phones are masked. */
export async function showPicture({ context, workshop, params }: WorkshopVisit): Promise<Download> {
  const { id: conversationId = '', attachment = '' } = params;
  const found =
    isId(conversationId) && isId(attachment)
      ? await findAttachmentOf(context.db, {
          ...{ workshopId: workshop.workshopId, conversationId, attachmentId: attachment },
        })
      : null;
  const ending = ownValue(endings, found?.contentType ?? '');
  if (found === null || found.content === null || ending === undefined) throw new Problem('000002');
  if (!workshop.seesPhones)
    throw new Problem('000003', {
      message: 'A picture may show a phone number or an address, which are hidden from you',
    });
  return {
    fileName: `picture-${attachment.slice(-8)}.${ending}`,
    type: found.contentType,
    pieces: [found.content],
    isVisible: drawnTypes.has(found.contentType),
  };
}
