/** **Message** of a booking and of a customer: the form, its preview, and sending it now or later. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { findLastSaid } from '#product/messaging/inbox/answered/store.ts';
import { listScheduled } from '#product/messaging/inbox/later/store.ts';
import { findConversationOf } from '#product/messaging/inbox/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { waitingList } from '../inbox/compose/waiting.ts';
import { textRefusal } from './answered.ts';
import { countScripts } from './count.ts';
import { filledIn } from './template.ts';
import { type Sent, textForm } from './text-form.ts';
import { sendLater, sendText } from './write.ts';

/** The recipient and the subject of the message. */
export interface Correspondent {
  readonly customerId: string;
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  /** The path of the record's page, to which a sent text leads back. */
  readonly path: string;
  /** The recipient, in words. */
  readonly about: SafeHtml;
  /** Why nothing can be sent; null: it can. */
  readonly cannot: string | null;
  /** The attributes of the page. */
  readonly page: Omit<ConsolePage, 'main' | 'scripts'>;
}

type Open = (visit: WorkshopVisit) => Promise<Correspondent>;
type Handle<Response> = (visit: WorkshopVisit) => Promise<Response>;

export interface MessagePages {
  readonly ask: Handle<ConsolePage>;
  readonly send: Handle<ConsoleResponse>;
  /** Sends nothing: shows the count, and fills in the chosen template. */
  readonly preview: Handle<ConsolePage>;
  readonly later: Handle<ConsoleResponse>;
}

const field = 'message';

/** The handlers of `…/message`, `…/message/preview` and `…/message/later`. `open` throws 404 for a record of another workshop. */
export const messagePages = (open: Open): MessagePages => ({
  ask: async (visit) => messagePage(visit, await open(visit), null),
  async send(visit) {
    const opened = await open(visit);
    const { customerId, bookingId, path } = opened;
    return sendText(visit, { to: { customerId }, bookingId, path, field }, (refused) =>
      messagePage(visit, opened, { form: visit.form, refused }),
    );
  },
  async preview(visit) {
    const opened = await open(visit);
    return messagePage(visit, opened, { refused: null, ...(await filledIn(visit, { ...opened, field })) });
  },
  async later(visit) {
    const opened = await open(visit);
    const { customerId, bookingId, path } = opened;
    return sendLater(visit, { to: { customerId }, bookingId, path, field }, (refused) =>
      messagePage(visit, opened, { form: visit.form, refused }),
    );
  },
});

async function messagePage(
  visit: WorkshopVisit,
  { customerId, path, about, cannot, page }: Correspondent,
  sent: Sent | null,
): Promise<ConsolePage> {
  const { db } = visit.context;
  const of = { workshopId: visit.workshop.workshopId, customerId };
  const [seen, texts, talk] = await Promise.all([
    findLastSaid(db, of),
    listScheduled(db, of.workshopId, customerId),
    findConversationOf(db, of.workshopId, customerId),
  ]);
  const form = {
    ...({ field, action: `${path}/message`, seen, back: path } as const),
    drafts: { preview: `${path}/message/preview`, later: `${path}/message/later` },
  };
  const conversationId = talk?.conversationId;
  return {
    ...page,
    scripts: countScripts,
    main: html`<div class="stack narrow"><h1>Message</h1><p>${about}</p>
${await textRefusal(visit, sent?.refused ?? null)}
${cannot === null ? null : html`<p class="notice bad">${cannot}</p>`}
${conversationId && waitingList(visit, { conversationId, lastMessageId: seen }, texts)}
<section class="card">${await textForm(visit, form, sent)}</section></div>`,
  };
}
