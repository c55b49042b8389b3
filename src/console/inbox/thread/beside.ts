/** The column beside a conversation: internal notes, its assignee, and the customer's bookings. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { button, buttons, select, textArea } from '#platform/pages/components.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { listMembers } from '#product/people/members/store.ts';
import { changeForm, faultOf } from '../../frame/form.ts';
import { statusMark } from '../../frame/marks.ts';
import { carShown, textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import type { Talk } from '../talk.ts';
import type { SentForm } from './sent.ts';
import { talkTrail } from './trail.ts';

const bookingsAtMost = 5;
const noteAtMost = 2_000;
/** Larger workshops assign by "Assign to me". */
const peopleAtMost = 200;

export async function besideTalk(visit: WorkshopVisit, talk: Talk, sent: SentForm | null): Promise<SafeHtml> {
  const { context, workshop } = visit;
  const { workshopId } = workshop;
  const mayHandle = visit.may('handleConversations') && !talk.isErased;
  const [bookings, people, trail] = await Promise.all([
    listBookingsOf(context.db, workshopId, { customerId: talk.customerId, limit: bookingsAtMost }),
    mayHandle ? listMembers(context.db, workshopId, { after: null, limit: peopleAtMost }) : [],
    talkTrail(visit, talk),
  ]);
  return html`${mayHandle ? noteForm(talk, sent?.of === 'note' ? sent : null) : null}${mayHandle ? assignForm(talk, people) : null}${bookingsCard(visit, talk, bookings)}${trail}`;
}

/** This form stands apart from Answer and looks different, so that nobody texts a note to a customer by mistake. */
function noteForm({ path }: Talk, sent: SentForm | null): SafeHtml {
  return html`<section class="card noted" aria-label="Note">${changeForm({
    action: `${path}/note`,
    body: html`${textArea({
      ...{ name: 'note', label: 'Note, inside only', max: noteAtMost, required: true },
      ...{
        hint: 'For colleagues. The customer never sees it.',
        error: faultOf(sent?.refused ?? null, 'note'),
      },
      value: sent?.form['note'],
    })}${buttons(button('Note', 'quiet'))}`,
  })}</section>`;
}

function assignForm(
  { path, version, assignedTo }: Talk,
  people: readonly { readonly personId: string; readonly name: string }[],
): SafeHtml {
  return html`<section class="card" aria-label="Assignment">${changeForm({
    ...{ action: `${path}/assign`, version },
    body: html`${select({
      ...{ name: 'to', id: 'to', label: 'Assigned to', value: assignedTo?.personId ?? '', isUnmarked: true },
      options: [
        { value: '', label: 'Nobody' },
        ...people.map(({ personId, name }) => ({ value: personId, label: name })),
      ],
    })}${buttons(button('Assign', 'quiet'))}`,
  })}</section>`;
}

function bookingsCard(
  { workshop, base }: WorkshopVisit,
  { customerId }: Talk,
  bookings: readonly WorkshopBooking[],
): SafeHtml {
  const items = bookings.map(
    ({ id, date, status, services, car }) =>
      html`<li><a href="${base}/bookings/${id}"><span class="row-title">${localDateTime(new Date(date), workshop.timezone)}</span><span class="row-value">${statusMark(status)}</span><span class="row-detail">${[carShown(car, workshop), textShown(titlesOf(services).join(', '), workshop)].filter(Boolean).join(', ')}</span></a></li>`,
  );
  return html`<section class="stack" id="bookings"><h2>Bookings</h2>${items.length === 0 ? html`<p class="quiet">None.</p>` : html`<ul class="rows">${items}</ul>`}<p><a href="${base}/customers/${customerId}">All of the customer</a></p></section>`;
}
