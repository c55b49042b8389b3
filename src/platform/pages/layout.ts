/** The one layout of pages: head, the workshop's header, the page, the workshop's footer. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type RenderedPage, renderDocument, usualColour } from './document.ts';
import { files } from './files.ts';
import { footerOf } from './footer.ts';
import { iconLink, openGraph } from './head.ts';
import { headerOf } from './header.ts';
import type { Shop } from './shop.ts';

export interface Page {
  readonly title: string;
  /** True when the visitor's form was refused: the title begins with it. */
  readonly isRefusal?: boolean;
  /** Null: unknown, such as on a page that does not exist. */
  readonly shop: Shop | null;
  readonly main: SafeHtml;
  /** The bar above a page that belongs to no workshop. */
  readonly top?: SafeHtml;
  /** The path of a stylesheet beside the usual one. */
  readonly stylesheet?: string;
  /** The path of a script beside the usual one. */
  readonly script?: string;
  /** Shown beside the page on a wide screen, and above it on a phone. */
  readonly aside?: SafeHtml | null;
  /** A text that changes with the page's content: the open page looks whether it has changed. Not for a page with a form to fill in. */
  readonly state?: string;
  /** The page shows other pages of this service in frames. */
  readonly hasFrames?: boolean;
  /** In the footer. */
  readonly note?: string | null;
}

/** `publicUrl` is the service's address, without a slash at its end; null: not known. */
export function renderPage(page: Page, publicUrl: string | null): RenderedPage {
  const { shop } = page;
  const title = page.isRefusal ? `Error: ${page.title}` : page.title;
  const colour = shop?.colour ?? usualColour;
  const icon = iconLink(shop ?? { name: page.top ? 'Pitlane' : '', logo: null }, colour);
  return renderDocument({
    hasFrames: page.hasFrames ?? false,
    title: shop === null ? title : `${title} · ${shop.name}`,
    colour,
    head: html`${shop === null ? null : openGraph(title, shop, publicUrl)}${icon}`,
    stylesheets: [files.css.path, ...(page.stylesheet ? [page.stylesheet] : [])],
    scripts: [files.script.path, ...(page.script ? [page.script] : [])],
    body: html`<a class="skip" href="#main">Skip to the page</a>
${shop === null ? (page.top ?? null) : headerOf(shop)}
<div id="swapped"${page.state ? html` data-state="${page.state}"` : null}><div class="${page.aside ? 'frame with-aside' : 'frame'}">
${page.aside ? html`<aside class="card aside" aria-label="Your booking">${page.aside}</aside>` : null}
<main id="main" class="card" tabindex="-1">${page.main}</main>
</div>
${shop === null ? null : footerOf(shop, page.note ?? null)}</div>
`,
  });
}
