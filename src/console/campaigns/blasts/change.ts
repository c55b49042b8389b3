/** Pause, Resume and Stop of a blast: the verbs of the command line, with the person as actor. */
import { type BlastChange, BlastNotChanged, changeBlast } from '#product/campaigns/blasts/change.ts';
import type { ConsoleResponse } from '../../frame/console-page.ts';
import { type Refused, submit } from '../../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { blastPage, openBlast } from './show.ts';
import { notChanged } from './words.ts';

/** Redirects to the blast's page; a refusal shows that page in its present state. */
const asChange =
  (name: BlastChange, done: string) =>
  async (visit: WorkshopVisit): Promise<ConsoleResponse> => {
    const { actor, form, workshop, base } = visit;
    const { id } = await openBlast(visit);
    const to = `${base}/blasts/${id}?done=${done}`;
    return submit(
      visit,
      async (key) => {
        const of = { workshopId: workshop.workshopId, seen: form['seen'] ?? '' };
        await changeBlast(key.once(to), id, name, actor, of);
        return to;
      },
      async (refused) => blastPage(visit, await openBlast(visit), worded(refused)),
    );
  };

const worded = (refused: Refused): Refused =>
  refused.error instanceof BlastNotChanged
    ? { ...refused, message: notChanged[refused.error.status] }
    : refused;

export const pauseBlast = asChange('pause', 'paused');
export const resumeBlast = asChange('resume', 'resumed');
export const stopBlast = asChange('cancel', 'stopped');
