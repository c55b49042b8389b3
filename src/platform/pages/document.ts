/** The HTML document around every page: its head, its colours, and the policy that it runs and loads nothing but its own files. */
import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Accent, accentOf } from './colour.ts';

export interface PageDocument {
  readonly title: string;
  /** The colour of the page's accents, `#rrggbb`. */
  readonly colour: string;
  /** Further elements of the head. */
  readonly head: SafeHtml | null;
  /** CSS rules of this page alone, after the stylesheets. */
  readonly rules?: string;
  /** Paths, in their order. */
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly body: SafeHtml;
  /** The page shows other pages of this service in frames. */
  readonly hasFrames?: boolean;
}

export interface RenderedPage {
  readonly html: string;
  /** The policy of this page: it runs and loads nothing but its own files. */
  readonly policy: string;
}

export const usualColour = '#14508c';

export function renderDocument(document: PageDocument): RenderedPage {
  const { title, head, body, rules = '' } = document;
  const theme = themeOf(document.colour);
  const hashes = [theme, rules].filter(Boolean).map((style) => `'sha256-${sha256(style)}'`);
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}<style>${html.raw`${theme}`}</style>
${document.stylesheets.map(
  (path) => html`<link rel="stylesheet" href="${path}">
`,
)}${rules === '' ? null : html`<style>${html.raw`${rules}`}</style>`}${document.scripts.map(
  (path) => html`<script type="module" src="${path}"></script>
`,
)}</head>
<body>
${body}</body>
</html>
`;
  return {
    html: String(text),
    policy: `default-src 'none'; script-src 'self'; style-src 'self' ${hashes.join(' ')}; connect-src 'self'; worker-src 'self'; img-src 'self';${document.hasFrames ? " frame-src 'self';" : ''} base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

function themeOf(colour: string): string {
  const variables = ({ fill, onFill, text, soft }: Accent) =>
    `:root{--fill:${fill};--on-fill:${onFill};--accent:${text};--soft:${soft}}`;
  return `${variables(accentOf(colour, 'light'))}@media(prefers-color-scheme:dark){${variables(accentOf(colour, 'dark'))}}`;
}
