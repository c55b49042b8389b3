/** Pause and Resume of an automation: the verb of the command line, with the person as actor. */
import { setAutomationStatus } from '#product/campaigns/automations/change.ts';
import type { AutomationStatus } from '#product/campaigns/automations/schema.ts';
import type { ConsoleResponse } from '../../frame/console-page.ts';
import { submit } from '../../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { automationPage, openAutomation } from './show.ts';

/** Redirects to the automation's page; a refusal shows that page in its present state. */
const asChange =
  (status: AutomationStatus, done: string) =>
  async (visit: WorkshopVisit): Promise<ConsoleResponse> => {
    const { actor, form, workshop, base } = visit;
    const { id } = await openAutomation(visit);
    const to = `${base}/automations/${id}?done=${done}`;
    return submit(
      visit,
      async (key) => {
        const of = { workshopId: workshop.workshopId, seen: form['seen'] ?? '' };
        await setAutomationStatus(key.once(to), id, status, actor, of);
        return to;
      },
      async (refused) => automationPage(visit, await openAutomation(visit), refused),
    );
  };

export const pauseAutomation = asChange('paused', 'paused');
export const resumeAutomation = asChange('active', 'resumed');
