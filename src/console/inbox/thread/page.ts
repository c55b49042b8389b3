/** /console/w/{slug}/inbox/{id}: the conversation with a customer, the form that answers, and the internal notes beside it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button } from '#platform/pages/components.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { changeForm, refusal } from '../../frame/form.ts';
import { nameShown, nameText, phoneLink } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { countScripts } from '../../said/count.ts';
import { composer } from '../compose/composer.ts';
import { optedOutMark, talkMark } from '../list/marks.ts';
import { listingOf, queryFor } from '../list/query.ts';
import { readList } from '../list/read.ts';
import { conversationList } from '../list/view.ts';
import { presenceRegion, presenceScript } from '../presence/view.ts';
import { openTalk, type Talk } from '../talk.ts';
import { besideTalk } from './beside.ts';
import { toDecide } from './decide.ts';
import { doneText } from './done.ts';
import { readStory } from './read.ts';
import { answerOf, type SentForm } from './sent.ts';
import { storyShown } from './story.ts';
import { talkTrail } from './trail.ts';

/** `sent`: a form of this page that was sent and refused, to be shown as it was typed. Throws 404 for a conversation of another workshop. */
export async function threadPage(
  visit: WorkshopVisit,
  conversationId: string,
  sent: SentForm | null = null,
): Promise<ConsolePage> {
  const { workshop, query } = visit;
  const talk = await openTalk(visit, conversationId);
  // The refusal of an answer is shown at its form.
  const refused = answerOf(sent) === null ? (sent?.refused ?? null) : null;
  const listing = listingOf(query);
  const [listed, story, beside, composed, changes] = await Promise.all([
    readList(visit, listing, talk.customerId),
    readStory(visit, talk),
    besideTalk(visit, talk, sent),
    talk.isErased ? null : composer(visit, talk, answerOf(sent)),
    refused?.isStale ? talkTrail(visit, talk) : null,
  ]);
  return {
    title: talk.name === null ? 'Conversation' : nameText(talk.name, workshop),
    current: 'Inbox',
    isWide: true,
    // A form as it was sent has an address that can't be fetched.
    ...(sent === null && {
      live: ['message', `message:${talk.conversationId}`, `message:${talk.customerId}`, 'customer'] as const,
    }),
    scripts: [presenceScript, ...countScripts],
    said: sent === null ? doneText(query['done']) : null,
    main: html`${refusal(refused, changes)}<div class="talks open" data-conversation="${talk.conversationId}"><a class="skip" href="#talk">Skip the list of conversations</a>
${conversationList(visit, { ...listed, listing, openId: talk.conversationId })}
<section class="talk" id="talk" tabindex="-1" aria-label="Conversation">${head(visit, talk, `${visit.base}/inbox${queryFor(listing)}`)}${toDecide(visit, talk)}
<div class="pane thread" id="thread-pane" tabindex="0" role="region" aria-label="What was said"><div>${storyShown(visit, talk, story)}${composed?.waiting}</div></div>
${composed?.answer}${talk.isErased || !visit.may('wordTexts') ? cannotAnswer(visit, talk) : null}</section>
<div class="beside">${beside}</div></div>`,
  };
}

function head(visit: WorkshopVisit, talk: Talk, list: string): SafeHtml {
  const { workshop, base } = visit;
  const { name, phone, state, optedOut, emailBounced, assignedTo, customerId } = talk;
  return html`<div class="talk-head"><p class="to-list"><a href="${list}"><span aria-hidden="true">‹</span> Conversations</a></p><div class="head"><h1><a href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a></h1>${actions(visit, talk)}</div>
<p class="row-marks" data-now>${talkMark(state)}${phone === null ? null : html` <span>${phoneLink(phone, workshop)}</span>`} <span class="quiet">${assignedTo === null ? 'Assigned to nobody' : html`Assigned to <bdi>${assignedTo.name}</bdi>`}</span>${optedOut ? html` ${optedOutMark}` : null}${emailBounced ? html` <span class="mark bad"><span aria-hidden="true">!</span> E-mails come back</span>` : null}</p>${presenceRegion(base, talk.conversationId)}</div>`;
}

/** The most frequent actions, on one line. */
function actions(
  visit: WorkshopVisit,
  { path, state, version, assignedTo, conversationId, isErased }: Talk,
): SafeHtml {
  const mayHandle = visit.may('handleConversations') && !isErased;
  const one = (to: string, body: SafeHtml) => changeForm({ action: `${path}/${to}`, version, body });
  return html`<div class="buttons">${
    visit.may('changeBookings') && !isErased
      ? html`<a class="button quiet" href="${visit.base}/bookings/new?conversation=${conversationId}">New booking</a>`
      : null
  }${
    mayHandle && assignedTo?.personId !== visit.who.personId
      ? one(
          'assign',
          html`<button class="button quiet" name="to" value="${visit.who.personId}">Assign to me</button>`,
        )
      : null
  }${mayHandle && state !== 'waiting' ? one('waiting', button('Mark as waiting', 'quiet')) : null}${mayHandle && state !== 'done' ? one('done', button('Done')) : null}</div>`;
}

function cannotAnswer({ workshop }: WorkshopVisit, { isErased }: Talk): SafeHtml {
  return html`<p class="quiet">${isErased ? 'The data of this customer were erased: nobody can be answered.' : `You read along: as ${workshop.role} you may not text in your own words here.`}</p>`;
}
