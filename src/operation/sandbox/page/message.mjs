/** One message as a row of the list. */
import { element } from './element.mjs';
import { size } from './thread.mjs';
import { shortly, wholly } from './when.mjs';

const shownAtMost = 120;

export function messageRow({ id, channel, outcome, to, at, subject, body, encoding, segments }) {
  const what = (channel === 'sms' ? body : (subject ?? '(no subject)')).replace(/\s+/g, ' ');
  const badges = [
    element('span', { class: 'badge' }, channel === 'sms' ? 'SMS' : 'E-mail'),
    ...(outcome === 'refused' ? [element('span', { class: 'badge refused' }, 'Refused')] : []),
    ...(channel === 'sms' && segments > 1
      ? [element('span', { class: 'quiet' }, size(encoding, segments))]
      : []),
  ];
  const row = element(
    'a',
    { class: 'row', href: `#${id}` },
    element('span', { class: 'who' }, element('bdi', {}, to)),
    element('time', { class: 'quiet', datetime: at, title: wholly(at) }, shortly(at)),
    element('span', { class: 'what', dir: 'auto' }, [...what].slice(0, shownAtMost).join('')),
    element('span', { class: 'badges' }, ...badges),
  );
  const item = element('li', {}, row);
  item.dataset.id = id;
  return item;
}
