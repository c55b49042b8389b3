/** /console/w/{slug}/inbox/presence: a page says that its person looks at a conversation, types in it, or has left, and reads who else is there. */
import { Problem } from '#errors.ts';
import type { WorkshopRoute } from '../../frame/console-page.ts';
import { doings } from './beat.ts';
import { shown } from './presence.ts';

const pageForm = /^[A-Za-z0-9_-]{8,40}$/;
const numberForm = /^\d{1,9}$/;

/** The conversation is named in the body, since addresses appear in the logs of proxies. */
export const presenceRoute: WorkshopRoute = {
  ...{ method: 'POST', path: 'inbox/presence', permission: 'seeCustomers', isBeat: true },
  async handle({ request, who: { sessionId, personId, name }, workshop, form }) {
    const { workshopId, role, mayText, seesPhones } = workshop;
    const doing = doings.find((each) => each === form['doing']);
    const { page: pageId = '', number = '', conversation: conversationId = '' } = form;
    if (doing === undefined || !pageForm.test(pageId) || !numberForm.test(number))
      throw new Problem('000001', { message: 'This is sent by the script of a page' });
    const people = await request.server.presence.beat({
      ...{ sessionId, workshopId, role, mayText, seesPhones, personId, name },
      ...{ conversationId, pageId, number: Number(number), doing },
    });
    return { json: { people: shown(people) } };
  },
};
