/** Staff's changes to a conversation other than answers: none of them texts anybody. */

import { ownValue } from '#base/values/own-value.ts';
import { addNote } from '#product/messaging/inbox/desk/add-note.ts';
import { assign } from '#product/messaging/inbox/desk/assign.ts';
import { optOutAsked, stopNotMeant } from '#product/messaging/inbox/desk/decide-stop.ts';
import { markDone, markWaiting } from '#product/messaging/inbox/desk/mark.ts';
import type { ConsoleResponse } from '../frame/console-page.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { openTalk } from './talk.ts';
import { threadPage } from './thread/page.ts';

interface Changed {
  readonly workshopId: string;
  readonly conversationId: string;
  /** That the form carries. */
  readonly seen: number;
}

type Work = (context: WorkshopVisit['context'], of: Changed) => Promise<unknown>;

/** `done`: the message afterwards. A refusal shows the present page, with what was typed. */
async function onItsPage(
  visit: WorkshopVisit,
  form: string,
  done: string,
  work: Work,
): Promise<ConsoleResponse> {
  const talk = await openTalk(visit, visit.params['id'] ?? '');
  const { workshopId, conversationId } = talk;
  const to = `${talk.path}?done=${done}`;
  return submit(
    visit,
    async (key) => {
      await work(key.once(to), { workshopId, conversationId, seen: versionOf(visit.form) });
      return to;
    },
    (refused) => threadPage(visit, conversationId, { of: form, form: visit.form, refused: asTyped(refused) }),
  );
}

/** Names of the forms' fields in the verbs' refusals. */
const fields: Readonly<Record<string, string>> = { text: 'note', personId: 'to' };

const asTyped = (refused: Refused): Refused => ({
  ...refused,
  faults: refused.faults.map((fault) => ({ ...fault, field: ownValue(fields, fault.field) ?? fault.field })),
});

export const done = (visit: WorkshopVisit) =>
  onItsPage(visit, 'done', 'done', (context, of) => markDone(context, of, visit.actor));

export const waiting = (visit: WorkshopVisit) =>
  onItsPage(visit, 'waiting', 'waiting', (context, of) => markWaiting(context, of, visit.actor));

/** They asked for no more texts. */
export const optOut = (visit: WorkshopVisit) =>
  onItsPage(visit, 'optOut', 'stopMeant', (context, of) => optOutAsked(context, of, visit.actor));

/** They did not. */
export const notMeant = (visit: WorkshopVisit) =>
  onItsPage(visit, 'notMeant', 'stopNotMeant', (context, of) => stopNotMeant(context, of, visit.actor));

/** Assigns to one of the workshop's staff, or to nobody. */
export function assignTo(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const personId = visit.form['to'] || null;
  return onItsPage(visit, 'assign', personId === null ? 'unassigned' : 'assigned', (context, of) =>
    assign(context, { ...of, personId }, visit.actor),
  );
}

/** Notes have their own form, verb and table: no code that sends reads them. */
export const note = (visit: WorkshopVisit) =>
  onItsPage(visit, 'note', 'noted', (context, { workshopId, conversationId }) =>
    addNote(context, { workshopId, conversationId, text: visit.form['note'] ?? '' }, visit.actor),
  );
