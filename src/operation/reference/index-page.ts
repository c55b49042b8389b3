/** GET /: the index of this installation. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { facts } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { guidePath, siteTop } from '#platform/pages/site-top.ts';
import type { DemoCredentials } from '../demo/demo.ts';
import { files } from './files.ts';
import { guidePages } from './guide-pages.ts';

export interface IndexContent {
  /** Null: the visitor may not see a demo. */
  readonly demo: DemoCredentials | null;
  /** The path of the demo's booking page. */
  readonly bookingPath: string | null;
  readonly hasSandbox: boolean;
}

type Link = readonly [path: string, title: string, about: string];

export function indexPage({ demo, bookingPath, hasSandbox }: IndexContent): Page {
  const reference: Link[] = [
    ['/docs', 'API reference', 'Every operation, with samples in many languages. Try it out here.'],
    ['/openapi.json', 'openapi.json', 'The same as a document, for generators of clients.'],
  ];
  const guide = guidePages.map(({ name, title, about }): Link => [guidePath(name), title, about]);
  const tryOut: Link[] = [
    ...(hasSandbox
      ? [
          ['/sandbox', 'Sandbox', 'What would have been sent, and a clock that can be moved.'] as const,
          [
            '/sandbox/requests.html',
            'Requests',
            'Your last requests: answers, faults, ignored fields.',
          ] as const,
        ]
      : []),
    ...(bookingPath === null
      ? []
      : [[bookingPath, 'Booking page', 'A workshop of the demo, as its customers see it.'] as const]),
  ];
  return {
    title: 'Pitlane Partner API',
    shop: null,
    top: siteTop('/', hasSandbox),
    stylesheet: files.guide.path,
    main: html`<h1>Pitlane Partner API</h1>
<p>Book customers in, change bookings, text customers, and be notified of what happens.</p>
${group('Reference', reference)}
${group('Guide', guide)}
${tryOut.length > 0 ? group('Try it', tryOut) : null}
${demo === null ? null : credentials(demo)}
${group('Running', [['/health/ready', 'Health', 'Whether this process is ready to serve.']])}`,
  };
}

function group(title: string, links: readonly Link[]): SafeHtml {
  return html`<section class="group"><h2>${title}</h2><ul class="rows">${links.map(([path, name, about]) => html`<li><a href="${path}"><span class="row-title">${name}</span><span class="row-detail">${about}</span></a></li>`)}</ul></section>`;
}

function credentials({ partnerId, appKey, secret, workshopId }: DemoCredentials): SafeHtml {
  const shown = facts([
    ['X-Partner-ID', partnerId],
    ['App Key', appKey],
    ['Secret', secret],
    ['Workshop', workshopId],
  ]);
  return html`<section class="group"><h2>The demo partner, for this machine only</h2>${shown}</section>`;
}
