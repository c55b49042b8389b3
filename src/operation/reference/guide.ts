/** GET /docs/guide/{name}: the guide, beside the reference. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { html } from '@remix-run/html-template';
import { Problem } from '#errors.ts';
import type { Page } from '#platform/pages/layout.ts';
import { guidePath, siteTop } from '#platform/pages/site-top.ts';
import { files } from './files.ts';
import { type GuidePage, guidePages } from './guide-pages.ts';
import { type Rendered, renderMarkdown } from './markdown.ts';

const project = new URL('../../../', import.meta.url);
const rendered = new Map<string, Rendered>();

/** The address of a linked file, by its relative path; null: it is not a page of the guide. */
function addressOf(from: string, path: string): string | null {
  const file = join(dirname(from), path);
  if (file === 'openapi.json') return '/openapi.json';
  const page = guidePages.find((each) => each.file === file);
  return page ? guidePath(page.name) : null;
}

/** Read and rendered at its first request. */
function contentOf({ name, file }: GuidePage): Rendered {
  const made =
    rendered.get(name) ??
    renderMarkdown(readFileSync(new URL(file, project), 'utf8'), (path) => addressOf(file, path));
  rendered.set(name, made);
  return made;
}

/** The address in the pages' examples, which works on a developer's own machine. */
const writtenOrigin = 'http://localhost:3000';

export interface GuideContent {
  /** The address of this installation, without a slash at its end. */
  readonly origin: string;
  readonly hasSandbox: boolean;
}

/** Throws 404 000002 for a page that the guide does not have. */
export function guidePage(name: string, { origin, hasSandbox }: GuideContent): Page {
  const page = guidePages.find((each) => each.name === name);
  if (page === undefined) throw new Problem('000002', { message: `The guide has no page ${name}` });
  const { html: written, contents } = contentOf(page);
  const text = html.raw`${String(written).replaceAll(writtenOrigin, String(html`${origin}`))}`;
  return {
    title: page.title,
    shop: null,
    top: siteTop(guidePath(name), hasSandbox),
    stylesheet: files.guide.path,
    script: files.copy.path,
    main: html`<div class="guide">${menu(page, contents)}<article class="prose">${text}</article></div>`,
  };
}

function menu(current: GuidePage, contents: Rendered['contents']) {
  // Open on a wide screen, by the style sheet.
  const sections = html`<details><summary>On this page</summary><ul>${contents.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul></details>`;
  return html`<nav class="menu" aria-label="Guide"><ul>${guidePages.map((page) =>
    page === current
      ? html`<li><a href="${guidePath(page.name)}" aria-current="page">${page.title}</a>${contents.length > 0 ? sections : null}</li>`
      : html`<li><a href="${guidePath(page.name)}">${page.title}</a></li>`,
  )}</ul></nav>`;
}
