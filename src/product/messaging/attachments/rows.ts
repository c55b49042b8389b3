/** Attachments of an inbound SMS as rows, also of an unmatched SMS. */

import { newId } from '#base/values/id.ts';
import type { InboundAttachment } from '#platform/gateways/sms/callbacks.ts';
import { attachmentsAtMost, judge, typeOf } from './rules.ts';

/** The first attachments up to the limit, without characters that PostgreSQL can't store. */
export function storableAttachments(attachments: readonly InboundAttachment[]): InboundAttachment[] {
  return attachments.slice(0, attachmentsAtMost).map((attachment) => {
    const contentType = typeOf(attachment.contentType);
    return 'url' in attachment
      ? { contentType, url: URL.parse(attachment.url)?.href ?? '' }
      : { contentType, base64: attachment.base64.replaceAll(/[^A-Za-z0-9+/=_-]/g, '') };
  });
}

/** Rows for `insertAttachments`; bytes are base64. */
export function attachmentRows(attachments: readonly InboundAttachment[] = []) {
  return attachments.map((attachment, index) => {
    const judged = judge(attachment);
    return {
      ...judged,
      id: newId(),
      ordinal: index + 1,
      content: judged.content?.toString('base64') ?? null,
    };
  });
}
