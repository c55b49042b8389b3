/** Marks a call as called back, and undoes that: from the list, and from the page of a call. */
import { markCall } from '#product/leads/call-back/mark.ts';
import type { CallBackState } from '#product/leads/call-back/store.ts';
import type { ConsoleResponse } from '../frame/console-page.ts';
import { submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { filterOf } from '../lists/filters.ts';
import { callFilters } from './list.ts';
import { openCall } from './open.ts';
import { callPage } from './show.ts';

/** It leads back to the list that it was sent from, else to the page of the call. */
const mark =
  (state: CallBackState) =>
  async (visit: WorkshopVisit): Promise<ConsoleResponse> => {
    const { actor, form, workshop, base } = visit;
    const { call, path } = await openCall(visit);
    const { filter } = form;
    const from = filter === undefined ? `${path}?` : `${base}/calls?filter=${filterOf(callFilters, filter)}&`;
    const to = `${from}done=${state}`;
    return submit(
      visit,
      async (key) => {
        await markCall(key.once(to), {
          ...{ workshopId: workshop.workshopId, callId: call.id, state, seen: versionOf(form), actor },
          note: form['note'] ?? '',
        });
        return to;
      },
      async (refused) => callPage(visit, await openCall(visit), refused),
    );
  };

export const markCalled = mark('called');
export const markWaiting = mark('waiting');
