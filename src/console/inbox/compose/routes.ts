/** POST /console/w/{slug}/inbox/{conversationId}/…: answer, preview, send later, send again. */
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { typedTimes } from '#product/bookings/staff/typed.ts';
import { sendAgain } from '#product/messaging/inbox/again/again.ts';
import { cancelText, scheduleText } from '#product/messaging/inbox/later/schedule.ts';
import { typedWhen } from '../../bookings/when.ts';
import {
  type ConsolePage,
  type ConsoleResponse,
  change,
  type WorkshopRoute,
} from '../../frame/console-page.ts';
import { type FormKey, type Refused, submit } from '../../frame/form-key/submit.ts';
import { groundOf } from '../../frame/ground.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { seenOf } from '../../said/answered.ts';
import { byField, sendText } from '../../said/write.ts';
import { threadPage } from '../thread/page.ts';
import { requireTalk, talkPath } from './talk.ts';
import { filledIn } from './template.ts';

/** The conversation with the form's fields. */
const refusedPage =
  (visit: WorkshopVisit, conversationId: string) =>
  (refused: Refused): Promise<ConsolePage> =>
    threadPage(visit, conversationId, { form: visit.form, refused: byField(refused, 'answer') });

async function answer(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  return sendText(
    visit,
    {
      ...{ to: { conversationId }, bookingId: null, path: talkPath(visit, conversationId), field: 'answer' },
      replaces: idIn(visit, 'replaces'),
    },
    refusedPage(visit, conversationId),
  );
}

/** Sends nothing: shows the count, and fills in the chosen template. */
async function preview(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const conversationId = await requireTalk(visit);
  const filled = await filledIn(visit, conversationId);
  // The filled-in text is stored nowhere: the page must not fetch itself.
  const { live: _, ...shown } = await threadPage(visit, conversationId, { refused: null, ...filled });
  return shown;
}

const later = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  changeLater(visit, 'scheduled', async ({ conversationId, key, to }) => {
    const { context, workshop, form, actor } = visit;
    await scheduleText(context, {
      ...{ workshopId: workshop.workshopId, conversationId, text: form['answer'] ?? '', actor },
      ...{ dueAt: typedTime(visit), seen: seenOf(form), replaces: idIn(visit, 'replaces') },
      ...{ ground: groundOf(visit), alongside: key.keep(to) },
    });
  });

const cancel = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  changeLater(visit, 'textCancelled', async ({ conversationId, key, to }) => {
    const { context, workshop, form, actor } = visit;
    const of = { workshopId: workshop.workshopId, conversationId, actor };
    await cancelText(context, { ...of, id: waitingIn(form), alongside: key.keep(to) });
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
    const { context, workshop, form, actor } = visit;
    await sendAgain(context, {
      ...{ workshopId: workshop.workshopId, conversationId, actor, alongside: key.keep(to) },
      ...{ messageId: form['message'] ?? '', mayArriveTwice: form['twice'] === 'yes' },
    });
    context.nudgeSender();
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

const idIn = ({ form }: WorkshopVisit, name: string): string | undefined => {
  const id = form[name] ?? '';
  return isId(id) ? id : undefined;
};

/** Throws InvalidInput for a time that is not there, or that clocks don't show once. */
function typedTime({ form, workshop, context }: WorkshopVisit): Date {
  const at = { timezone: workshop.timezone, now: context.clock.now(), asksClock: true };
  const isWhole = form['date'] && form['time'];
  const { times, errors } = typedTimes({ time: isWhole ? typedWhen(form) : '' }, ['time'], at);
  if (errors.length > 0) throw new InvalidInput(errors);
  if (!times.time) throw new InvalidInput([{ field: 'time', message: 'is needed, and the date' }]);
  return new Date(times.time);
}

export const composeRoutes: readonly WorkshopRoute[] = [
  change('inbox/:id/answer', 'wordTexts', answer),
  change('inbox/:id/preview', 'wordTexts', preview),
  change('inbox/:id/later', 'wordTexts', later),
  change('inbox/:id/later/now', 'wordTexts', now),
  change('inbox/:id/later/cancel', 'wordTexts', cancel),
  change('inbox/:id/again', 'wordTexts', again),
];
