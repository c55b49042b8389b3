/** The bar at the top of the reference, the guide, the index and the sandbox's pages. */
import { html, type SafeHtml } from '@remix-run/html-template';

const guide = '/docs/guide/';

export const guidePath = (name: string): string => guide + name;
export const firstGuidePath = guidePath('partner-guide');

/** `current` is the path of the page that shows it. */
export function siteTop(current: string, hasSandbox: boolean): SafeHtml {
  const links: readonly (readonly [path: string, label: string])[] = [
    ['/docs', 'Reference'],
    [firstGuidePath, 'Guide'],
    ...(hasSandbox ? [['/sandbox', 'Sandbox'] as const] : []),
  ];
  const isCurrent = (path: string) =>
    path === current || (path === firstGuidePath && current.startsWith(guide));
  return html`<header class="site"><a class="site-name" href="/">Pitlane</a><nav aria-label="Documentation">${links.map(([path, label]) => html`<a href="${path}"${isCurrent(path) ? html` aria-current="page"` : null}>${label}</a>`)}</nav></header>`;
}
