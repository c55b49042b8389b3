/** POST /console/w/{slug}/inbox/{conversationId}/…: answer, preview, send later, send again. */
import { sendAgain } from '#product/messaging/inbox/again/again.ts';
import { findAnswered } from '#product/messaging/inbox/answered/store.ts';
import { cancelText } from '#product/messaging/inbox/later/schedule.ts';
import {
  type ConsolePage,
  type ConsoleResponse,
  change,
  type WorkshopRoute,
} from '../../frame/console-page.ts';
import { type FormKey, type Refused, submit } from '../../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { filledIn } from '../../said/template.ts';
import { byField, sendLater, sendText } from '../../said/write.ts';
import { threadPage } from '../thread/page.ts';
import { requireTalk, talkPath } from './talk.ts';

/** The conversation with the form's fields. */
const refusedPage =
  (visit: WorkshopVisit, conversationId: string) =>
  (refused: Refused): Promise<ConsolePage> =>
    threadPage(visit, conversationId, { form: visit.form, refused: byField(refused, 'answer') });

async function answer(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  const path = talkPath(visit, conversationId);
  const to = { ...{ to: { conversationId }, bookingId: null, path }, field: 'answer' };
  return sendText(visit, to, refusedPage(visit, conversationId));
}

/** Sends nothing: shows the count, and fills in the chosen template. */
async function preview(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { context, workshop } = visit;
  const conversationId = await requireTalk(visit);
  const to = await findAnswered(context.db, workshop.workshopId, conversationId);
  const of = { customerId: to?.customerId ?? null, bookingId: null, field: 'answer' };
  const filled = await filledIn(visit, of);
  // The filled-in text is stored nowhere: the page must not fetch itself.
  const { live: _, ...shown } = await threadPage(visit, conversationId, { refused: null, ...filled });
  return shown;
}

async function later(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  const path = talkPath(visit, conversationId);
  const to = { to: { conversationId }, bookingId: null, path, field: 'answer' };
  return sendLater(visit, to, refusedPage(visit, conversationId));
}

const cancel = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  changeLater(visit, 'textCancelled', async ({ conversationId, key, to }) => {
    const { workshop, form, actor } = visit;
    const of = { workshopId: workshop.workshopId, conversationId, actor };
    await cancelText(key.once(to), { ...of, id: waitingIn(form) });
  });

/** A waiting text as it stands: whoever may not see numbers sends it without reading them. */
async function now(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  return sendText(
    visit,
    {
      ...{ to: { conversationId }, bookingId: null, path: talkPath(visit, conversationId), field: 'answer' },
      content: { waiting: waitingIn(visit.form) },
    },
    refusedPage(visit, conversationId),
  );
}

const again = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  changeLater(visit, 'sent', async ({ conversationId, key, to }) => {
    const { workshop, form, actor } = visit;
    await sendAgain(key.once(to), {
      ...{ workshopId: workshop.workshopId, conversationId, actor },
      ...{ messageId: form['message'] ?? '', mayArriveTwice: form['twice'] === 'yes' },
    });
  });

interface Asked {
  readonly conversationId: string;
  readonly key: FormKey;
  /** Where its sender goes. */
  readonly to: string;
}

async function changeLater(
  visit: WorkshopVisit,
  done: string,
  work: (asked: Asked) => Promise<void>,
): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  const to = `${talkPath(visit, conversationId)}?done=${done}`;
  return submit(
    visit,
    async (key) => {
      await work({ conversationId, key, to });
      return to;
    },
    refusedPage(visit, conversationId),
  );
}

/** The waiting text that a form is about; pages of the previous release call the field `id`. */
const waitingIn = (form: WorkshopVisit['form']): string => form['waiting'] ?? form['id'] ?? '';

export const composeRoutes: readonly WorkshopRoute[] = [
  change('inbox/:id/answer', 'wordTexts', answer),
  change('inbox/:id/preview', 'wordTexts', preview),
  change('inbox/:id/later', 'wordTexts', later),
  change('inbox/:id/later/now', 'wordTexts', now),
  change('inbox/:id/later/cancel', 'wordTexts', cancel),
  change('inbox/:id/again', 'wordTexts', again),
];
