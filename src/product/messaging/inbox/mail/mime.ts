/** Reads e-mails (MIME) by the library, with bounds on nesting, headers and HTML. */
import { isUtf8 } from 'node:buffer';
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { nestedAtMost } from './bounds.ts';
import { headersAtMost } from './headers.ts';
import { leanHtml } from './lean-html.ts';

interface Part {
  readonly content?: ArrayBuffer | null;
  readonly contentType: { readonly parsed: { readonly params: Record<string, string | undefined> } };
}

/** The methods that the library calls for each part of an e-mail, and for each text, before it turns HTML into text where other parts are plain. */
interface Collects {
  collectNode(part: Part, ...place: readonly unknown[]): Promise<void>;
  addTextEntry(
    of: unknown,
    type: 'plain' | 'html',
    item: { readonly type: string; readonly value: unknown },
  ): void;
}
const Library = PostalMime as unknown as new (options: PostalMimeOptions) => PostalMime & Collects;

/** Some programs say this of a part in UTF-8 too, such as OpenSMTPD, which repeats what another server said. */
const ascii = /^(?:us-)?ascii$/i;

class Lean extends Library {
  override async collectNode(...[part, ...place]: Parameters<Collects['collectNode']>): Promise<void> {
    const { params } = part.contentType.parsed;
    const isOther = ascii.test(params['charset'] ?? '') && part.content && isUtf8(part.content);
    if (isOther) params['charset'] = 'utf-8';
    await super.collectNode(part, ...place);
  }

  override addTextEntry(...[of, type, item]: Parameters<Collects['addTextEntry']>): void {
    const isHtml = type === 'html' && typeof item.value === 'string';
    super.addTextEntry(of, type, isHtml ? { ...item, value: leanHtml(item.value as string) } : item);
  }
}

/** Attached e-mails stay attachments. HTML is `leanHtml`. A part that is named ASCII and is not is read as UTF-8. Throws an Error when it is nested too deeply, or has megabytes of headers. */
export const readMime = (raw: Uint8Array | string): Promise<Email> =>
  new Lean({
    maxNestingDepth: nestedAtMost,
    maxHeadersSize: headersAtMost,
    forceRfc822Attachments: true,
  }).parse(raw);

/** The text of an e-mail, also of one in HTML alone. */
export async function textOf({ text, html }: Email): Promise<string> {
  return text ?? (await textOfHtml(html ?? ''));
}

/** The library converts HTML to text only in an e-mail that also has a plain part, so an empty one is added. */
async function textOfHtml(html: string): Promise<string> {
  const part = (type: string, text: string) =>
    `--part\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`;
  const both = part('plain', ' ') + part('html', html);
  const { text } = await readMime(`Content-Type: multipart/mixed; boundary=part\r\n\r\n${both}--part--\r\n`);
  return text ?? '';
}
