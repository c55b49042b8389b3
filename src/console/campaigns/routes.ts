/** /console/w/{slug}/automations and /blasts: the workshop's campaigns, and what its owners do with them. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { afresh } from '../frame/routes.ts';
import { pauseAutomation, resumeAutomation } from './automations/change.ts';
import { automationList } from './automations/list.ts';
import { showAutomation } from './automations/show.ts';
import { pauseBlast, resumeBlast, stopBlast } from './blasts/change.ts';
import { blastList } from './blasts/list.ts';
import { showPreview } from './blasts/preview.ts';
import { showBlast } from './blasts/show.ts';

const permission = 'runWorkshop';

export const campaignRoutes: readonly WorkshopRoute[] = [
  page('automations', permission, automationList),
  page('automations/:id', permission, showAutomation),
  change('automations/:id/pause', permission, pauseAutomation),
  change('automations/:id/resume', permission, resumeAutomation),
  page('blasts', permission, blastList),
  page('blasts/:id', permission, showBlast),
  page('blasts/:id/preview', permission, showPreview),
  change('blasts/:id/pause', permission, pauseBlast),
  change('blasts/:id/resume', permission, afresh(resumeBlast)),
  change('blasts/:id/stop', permission, stopBlast),
];
