/** One message as an item of the list. */
import { answerForm } from './answer.mjs';
import { hasClock } from './clock.mjs';
import { element } from './element.mjs';

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `choose` is called with the recipient when it is clicked. */
export function messageItem(message, choose) {
  const { channel, outcome, to, from, at } = message;
  const recipient = element(
    'button',
    { type: 'button', class: 'recipient', title: 'Show this recipient only' },
    to,
  );
  recipient.addEventListener('click', () => choose(to));
  const badges = [element('span', { class: 'badge' }, channel === 'sms' ? 'SMS' : 'E-mail')];
  if (outcome === 'refused') badges.push(element('span', { class: 'badge refused' }, 'Refused'));
  const header = element(
    'header',
    {},
    ...badges,
    recipient,
    ...(channel === 'sms' ? [element('span', { class: 'quiet' }, `from ${from}`)] : []),
    element('time', { class: 'quiet', datetime: at, title: at }, moment.format(new Date(at))),
  );
  const content =
    channel === 'sms'
      ? [
          element('p', { class: 'text' }, message.body),
          ...(outcome === 'accepted' && hasClock ? [answerForm(message)] : []),
        ]
      : [email(message)];
  return element('li', { class: `message ${channel} ${outcome}` }, header, ...content);
}

function email({ id, from, subject, body, html, calendar }) {
  const card = element('div', { class: 'card' }, element('h3', {}, subject ?? '(no subject)'));
  card.append(
    element('p', { class: 'quiet' }, `From ${from}`),
    element('p', { class: 'text' }, body.trimEnd()),
  );
  if (html !== null) card.append(preview(id));
  if (calendar !== null) {
    card.append(
      element(
        'details',
        {},
        element('summary', {}, 'Calendar invitation'),
        element('pre', { tabindex: '0' }, calendar),
      ),
    );
  }
  return card;
}

/** The frame is created when it is opened; its `sandbox` attribute and the server's headers restrict it. */
function preview(id) {
  const details = element('details', {}, element('summary', {}, 'As HTML'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.querySelector('iframe')) return;
    details.append(
      element('iframe', { sandbox: '', src: `sandbox/messages/${id}/preview`, title: 'The e-mail as HTML' }),
    );
  });
  return details;
}
