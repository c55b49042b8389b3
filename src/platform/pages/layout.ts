/** The one layout of pages: head, the workshop's header, the page, the workshop's footer. */
import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Accent, accentOf } from './colour.ts';
import { files } from './files.ts';
import { footerOf } from './footer.ts';
import { iconLink, openGraph } from './head.ts';
import { headerOf } from './header.ts';
import type { Shop } from './shop.ts';

export interface Page {
  readonly title: string;
  /** What the visitor sent was refused: the title says so first. */
  readonly isRefusal?: boolean;
  /** Null: none is known, such as on a page that does not exist. */
  readonly shop: Shop | null;
  readonly main: SafeHtml;
  /** What stands above the page where it is no workshop's. */
  readonly top?: SafeHtml;
  /** The path of a stylesheet beside the usual one. */
  readonly stylesheet?: string;
  /** The path of a script beside the usual one. */
  readonly script?: string;
  /** What stands beside the page on a wide screen, and above it on a phone. */
  readonly aside?: SafeHtml | null;
  /** In the footer. */
  readonly note?: string | null;
}

export interface RenderedPage {
  readonly html: string;
  /** The policy of this page: it runs and loads nothing but its own files. */
  readonly policy: string;
}

const usualColour = '#14508c';

/** `publicUrl` is the service's address, without a slash at its end; null: not known. */
export function renderPage(page: Page, publicUrl: string | null): RenderedPage {
  const { shop } = page;
  const title = page.isRefusal ? `Error: ${page.title}` : page.title;
  const colour = shop?.colour ?? usualColour;
  const style = themeOf(colour);
  const styleHash = createHash('sha256').update(style).digest('base64');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${shop === null ? title : `${title} · ${shop.name}`}</title>
${shop === null ? null : openGraph(title, shop, publicUrl)}${iconLink(shop ?? { name: page.top ? 'Pitlane' : '', logo: null }, colour)}
<style>${html.raw`${style}`}</style>
<link rel="stylesheet" href="${files.css.path}">
${
  page.stylesheet
    ? html`<link rel="stylesheet" href="${page.stylesheet}">
`
    : null
}<script type="module" src="${files.script.path}"></script>
${
  page.script
    ? html`<script type="module" src="${page.script}"></script>
`
    : null
}</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
${shop === null ? (page.top ?? null) : headerOf(shop)}
<div id="swapped"><div class="${page.aside ? 'frame with-aside' : 'frame'}">
${page.aside ? html`<aside class="card aside" aria-label="Your booking">${page.aside}</aside>` : null}
<main id="main" class="card" tabindex="-1">${page.main}</main>
</div>
${shop === null ? null : footerOf(shop, page.note ?? null)}</div>
</body>
</html>
`;
  return {
    html: String(text),
    policy: `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${styleHash}'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  };
}

function themeOf(colour: string): string {
  const variables = ({ fill, onFill, text, soft }: Accent) =>
    `:root{--fill:${fill};--on-fill:${onFill};--accent:${text};--soft:${soft}}`;
  return `${variables(accentOf(colour, 'light'))}@media(prefers-color-scheme:dark){${variables(accentOf(colour, 'dark'))}}`;
}
