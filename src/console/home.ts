/** /console: redirects to the workshop that was used last, else to the person's first page. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { firstGuidePath } from '#platform/pages/site-top.ts';
import type { ConsolePage, PersonRoute } from './frame/console-page.ts';
import type { Visit } from './frame/visit.ts';

export const home: PersonRoute = {
  method: 'GET',
  path: '',
  async handle(visit) {
    const { memberships, lastWorkshopId, isOperator, partners } = visit.who;
    const workshop = memberships.find(({ workshopId }) => workshopId === lastWorkshopId) ?? memberships[0];
    if (workshop !== undefined) return { to: `/console/w/${workshop.slug}/today` };
    if (partners.length > 0)
      return titled(
        'For developers',
        html`<p>You are signed in as a partner's developer. There are no pages here for you yet; this is what you work with:</p>${documents(visit)}`,
      );
    if (isOperator)
      return titled(
        'For operators',
        html`<p>You are signed in as an operator. There are no pages here for you yet: <code>npx pitlane</code>, on the machine that runs it, lists what you can do. The API is explained here:</p>${documents(visit)}`,
      );
    return titled(
      'Nothing here yet',
      html`<p>You are signed in, and no workshop has added you. Ask its owner, or whoever runs this installation.</p>`,
    );
  },
};

const titled = (title: string, body: SafeHtml): ConsolePage => ({
  title,
  main: html`<div class="card narrow"><h1>${title}</h1>${body}</div>`,
});

function documents({ context }: Visit): SafeHtml {
  const links: readonly (readonly [href: string, name: string, about: string])[] = [
    [
      firstGuidePath,
      'Partner guide',
      'From the first token to webhooks, with examples that run as they stand.',
    ],
    ['/docs', 'API reference', 'Every operation, to be tried out on the page.'],
    ...(context.sandbox
      ? [['/sandbox', 'Sandbox', 'What would have been sent, and a clock that can be moved.'] as const]
      : []),
  ];
  return html`<ul>${links.map(([href, name, about]) => html`<li><a href="${href}">${name}</a><br><span class="quiet">${about}</span></li>`)}</ul>`;
}
