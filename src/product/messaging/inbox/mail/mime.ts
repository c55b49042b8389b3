/** Reads e-mails (MIME) by the library, with bounds on nesting, headers and HTML. */
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { nestedAtMost } from './bounds.ts';
import { headersAtMost } from './headers.ts';
import { leanHtml } from './lean-html.ts';

/** What the library calls for each text of an e-mail, before it turns HTML into text where other parts are plain. */
interface Collects {
  addTextEntry(
    of: unknown,
    type: 'plain' | 'html',
    item: { readonly type: string; readonly value: unknown },
  ): void;
}
const Library = PostalMime as unknown as new (options: PostalMimeOptions) => PostalMime & Collects;

class Lean extends Library {
  override addTextEntry(...[of, type, item]: Parameters<Collects['addTextEntry']>): void {
    const isHtml = type === 'html' && typeof item.value === 'string';
    super.addTextEntry(of, type, isHtml ? { ...item, value: leanHtml(item.value as string) } : item);
  }
}

/** Attached e-mails stay attachments. HTML is `leanHtml`. Throws an Error when it is nested too deeply, or has megabytes of headers. */
export const readMime = (raw: Uint8Array | string): Promise<Email> =>
  new Lean({
    maxNestingDepth: nestedAtMost,
    maxHeadersSize: headersAtMost,
    forceRfc822Attachments: true,
  }).parse(raw);
