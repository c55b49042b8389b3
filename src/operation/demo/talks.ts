/** The demo's conversations: texts of customers, a picture, a note, an answer, an assigned conversation. */
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { addNote } from '#product/messaging/inbox/desk/add-note.ts';
import { assign } from '#product/messaging/inbox/desk/assign.ts';
import { findDesk } from '#product/messaging/inbox/desk/store.ts';
import { listConversations } from '#product/messaging/inbox/store.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { listPeople } from '#product/people/store.ts';
import { demoWorkshops } from './data.ts';
import { demoLogo } from './logo.ts';
import { demoStaff } from './people.ts';

const [{ id: workshopId, settings }] = demoWorkshops;

/** A customer of today, by phone; a picture comes with the text. */
interface Said {
  readonly from: string;
  readonly body: string;
  readonly withPicture?: boolean;
}

const running = { from: '+61491576398', body: 'Running ten minutes late, sorry! Ella' };
const wheel = {
  from: '+61491577644',
  body: 'Can you also look at the left rear tyre? It loses air. This is the wheel.',
  withPicture: true,
};
const asks = { from: '+61491577426', body: 'Hi, will the roadworthy be done by three?' };
const thanks = { from: '+61491577426', body: 'Great, see you then.' };

/**
 * Two conversations wait for an answer; one of them has a note and is assigned. A third was answered, and the customer said
 * thanks.
 */
export async function makeTalks(context: Context, today: string): Promise<void> {
  const adviser = await adviserOf(context);
  const by = adviser === null ? actors.operator : actors.person(adviser, newId());
  await say(context, today, asks);
  await sendOwnMessage(context, {
    ...{ workshopId, to: { phone: asks.from }, bookingId: null, actor: by },
    content: { text: 'Yes, we will text you as soon as it is. Adam' },
  });
  await say(context, today, thanks);
  await say(context, today, running);
  await say(context, today, wheel);
  const [talk] = await listConversations(context.db, {
    ...{ workshopId, filter: 'all', assignedTo: null, before: null, limit: 1 },
  });
  const desk = talk && (await findDesk(context.db, workshopId, talk.conversationId));
  if (!desk) return;
  const of = { workshopId, conversationId: desk.conversationId };
  await addNote(context, { ...of, text: 'We have that tyre in the rack: 20 minutes more.' }, by);
  await assign(context, { ...of, seen: desk.version, personId: adviser }, by);
}

async function say(context: Context, today: string, { from, body, withPicture }: Said): Promise<void> {
  const picture = { contentType: 'image/png', base64: demoLogo('#41525f').toString('base64') };
  await receiveSms(context, 'sandbox', {
    ...{ gatewayId: `demo ${today} ${from} ${body}`, from, to: settings.phone, body },
    attachments: withPicture ? [picture] : [],
  });
}

/** Null: the operator has removed them. */
async function adviserOf({ db }: Context): Promise<string | null> {
  const people = await listPeople(db, { workshopId }, { after: null, limit: 50 });
  return people.find(({ email }) => email === demoStaff[1]?.email)?.personId ?? null;
}
