/** The one layout of pages: head, the workshop's name and phone, the page, a footer. */
import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#values/phone.ts';
import { type Accent, accentOf } from './colour.ts';
import { files } from './files.ts';

/** The workshop whose page it is. */
export interface Shop {
  readonly name: string;
  /** Its name in addresses. */
  readonly slug: string;
  /** Whether customers may book on its plain page. */
  readonly plainPage: boolean;
  /** E.164. */
  readonly phone: string;
  /** `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
}

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

export function renderPage(page: Page): RenderedPage {
  const { shop } = page;
  const title = page.isRefusal ? `Error: ${page.title}` : page.title;
  const style = themeOf(shop?.colour ?? usualColour);
  const styleHash = createHash('sha256').update(style).digest('base64');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${shop === null ? title : `${title} · ${shop.name}`}</title>
<link rel="icon" href="data:,">
<style>${html.raw`${style}`}</style>
<link rel="stylesheet" href="${files.css.path}">
${
  page.stylesheet
    ? html`<link rel="stylesheet" href="${page.stylesheet}">
`
    : null
}<script type="module" src="${files.script.path}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
${shop === null ? (page.top ?? null) : topOf(shop)}
<div id="swapped"><div class="${page.aside ? 'frame with-aside' : 'frame'}">
${page.aside ? html`<aside class="card aside" aria-label="Your booking">${page.aside}</aside>` : null}
<main id="main" class="card" tabindex="-1">${page.main}</main>
</div>
${shop === null ? null : footOf(shop, page.note ?? null)}</div>
</body>
</html>
`;
  return {
    html: String(text),
    policy: `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${styleHash}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  };
}

function topOf({ name, phone }: Shop): SafeHtml {
  return html`<header class="top"><span class="mark" aria-hidden="true">${firstLetter(name)}</span><span class="name"><bdi>${name}</bdi></span><a class="call" href="tel:${phone}"><span class="wide">Call </span>${nationalPhone(phone)}</a></header>`;
}

/** The ways to the pages of a workshop that need no link. */
export const lookUpPath = ({ slug }: Pick<Shop, 'slug'>) => `/book/${slug}/manage`;
export const plainPath = ({ slug }: Pick<Shop, 'slug'>) => `/book/${slug}`;

function footOf({ name, phone, ...shop }: Shop, note: string | null): SafeHtml {
  return html`<footer class="foot">${note ? html`<p>${note}</p>` : null}<p><bdi>${name}</bdi> · <a href="tel:${phone}">${nationalPhone(phone)}</a></p><p><a href="${lookUpPath(shop)}">Find your booking</a></p></footer>`;
}

const firstLetter = (name: string) => /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '•';

function themeOf(colour: string): string {
  const variables = ({ fill, onFill, text, soft }: Accent) =>
    `:root{--fill:${fill};--on-fill:${onFill};--accent:${text};--soft:${soft}}`;
  return `${variables(accentOf(colour, 'light'))}@media(prefers-color-scheme:dark){${variables(accentOf(colour, 'dark'))}}`;
}
