/** Pages of docs/ as HTML. They are ours, so their HTML is trusted; HTML inside them is shown as text all the same. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { Marked, type Tokens } from 'marked';

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export interface Rendered {
  readonly html: SafeHtml;
  /** The headings of the second level. */
  readonly contents: readonly { readonly anchor: string; readonly title: string }[];
}

const escaped = (text: string) => String(html`${text}`);

/** `addressOf` gives the address of a linked file, such as `errors.md`; null: it is not served, and its link becomes a text. */
export function renderMarkdown(text: string, addressOf: (file: string) => string | null): Rendered {
  const contents: { anchor: string; title: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading) {
        const anchor = anchorOf(source);
        const inner = this.parser.parseInline(tokens);
        if (depth === 2) contents.push({ anchor, title: source.replaceAll('`', '') });
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        return `<h${depth} id="${escaped(anchor)}"><a class="anchor" href="#${escaped(anchor)}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const [, file, anchor = ''] = /^(?![a-z]+:)([^#]+)(#.*)?$/i.exec(href) ?? [];
        const target = file === undefined ? href : addressOf(file);
        return target === null ? inner : `<a href="${escaped(target + anchor)}">${inner}</a>`;
      },
      code: ({ text: source }: Tokens.Code) => `<pre><code>${escaped(source)}</code></pre>\n`,
      html: ({ text: source }: Tokens.HTML | Tokens.Tag) => escaped(source),
    },
  });
  const made = (marked.parse(text, { async: false }) as string)
    // A wide table scrolls by itself.
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    // The row of an error's code has the code as its anchor.
    .replaceAll(/<tr>(?=\n<td><code>(\d{6})<\/code><\/td>)/g, '<tr id="$1">');
  return { html: html.raw`${made}`, contents };
}
