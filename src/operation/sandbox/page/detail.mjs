/** The message that is chosen, beside the list: an e-mail, or the conversation of an SMS. */
import { element } from './element.mjs';
import { emailView } from './email.mjs';
import { threadView } from './thread.mjs';

const mail = document.querySelector('#mail');
const place = document.querySelector('#detail');

/** Reads the conversation that is shown again; does nothing while an e-mail is shown. */
export let refreshDetail = async () => undefined;

/** `onlyFor` is called with a recipient to filter by; null for the message: none is chosen. */
export function showDetail(message, onlyFor) {
  mail.dataset.shows = message === null ? 'list' : 'detail';
  refreshDetail = async () => undefined;
  if (message === null) {
    place.replaceChildren(element('p', { class: 'quiet hint' }, 'Choose a message.'));
    return;
  }
  // On a phone the detail takes the place of the list, which may have been scrolled.
  if (!matchMedia('(min-width: 56rem)').matches) scrollTo(0, 0);
  const only = element('button', { type: 'button', class: 'plain' }, 'Show this recipient only');
  only.addEventListener('click', () => onlyFor(message.to));
  const bar = element(
    'p',
    { class: 'detail-bar' },
    element('a', { class: 'back', href: '#' }, '‹ All messages'),
    only,
  );
  if (message.channel === 'sms') {
    const { view, refresh } = threadView(message);
    refreshDetail = refresh;
    place.replaceChildren(bar, view);
    // What fails is said when the page looks again.
    refresh().catch(() => undefined);
  } else place.replaceChildren(bar, emailView(message));
}
