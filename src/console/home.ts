/** /console: redirects to the workshop that was used last, else to the person's first page. */
import { html } from '@remix-run/html-template';
import type { PersonRoute } from './frame/console-page.ts';

export const home: PersonRoute = {
  method: 'GET',
  path: '',
  async handle({ who: { memberships, lastWorkshopId } }) {
    const workshop = memberships.find(({ workshopId }) => workshopId === lastWorkshopId) ?? memberships[0];
    if (workshop !== undefined) return { to: `/console/w/${workshop.slug}/today` };
    return {
      title: 'Nothing here yet',
      main: html`<div class="card narrow"><h1>Nothing here yet</h1><p>You are signed in, and no workshop has added you. Ask its owner, or whoever runs this installation.</p></div>`,
    };
  },
};
