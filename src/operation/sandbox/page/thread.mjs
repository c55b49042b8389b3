/** The conversation of a phone: what was sent to it, and what was answered. */
import { answerForm } from './answer.mjs';
import { ask } from './api.mjs';
import { hasClock } from './clock.mjs';
import { element } from './element.mjs';
import { shortly, wholly } from './when.mjs';

/** `refresh` reads it again; what is being written below it stays. */
export function threadView(chosen) {
  const { id, to, from, outcome } = chosen;
  const list = element('ol', { class: 'thread', 'aria-label': 'The conversation' });
  let shown = '';

  function show(messages) {
    // Drawn anew, it would lose the selection and be read out again.
    const now = messages.map((message) => message.id).join();
    if (now === shown) return;
    const isFirst = shown === '';
    shown = now;
    list.replaceChildren(...messages.map((message) => bubble(message, message.id === id)));
    const target = isFirst ? list.querySelector('[aria-current]') : list.lastElementChild;
    target?.scrollIntoView({ block: 'nearest' });
  }

  async function refresh() {
    const { messages } = await ask(`sandbox/conversation?${new URLSearchParams({ phone: to })}`);
    show(messages);
  }

  show([{ ...chosen, direction: 'outbound' }]);
  shown = '';
  const view = element(
    'article',
    { class: 'conversation' },
    element('h2', {}, to),
    element('p', { class: 'quiet' }, `from ${from}`),
    list,
    ...(outcome === 'accepted' && hasClock ? [answerForm(chosen, refresh)] : []),
  );
  return { view, refresh };
}

function bubble({ direction, outcome, body, at, encoding, segments, cost }, isChosen) {
  const isAnswer = direction === 'inbound';
  const about = [
    isAnswer ? 'Answer' : outcome === 'refused' ? 'Refused' : 'Sent',
    size(encoding, segments),
    ...(cost && !isAnswer ? [price(cost)] : []),
  ].join(' · ');
  return element(
    'li',
    {
      class: `bubble ${isAnswer ? 'answer' : outcome}`,
      ...(isChosen ? { 'aria-current': 'true' } : {}),
    },
    element('p', { class: 'text', dir: 'auto' }, body),
    element(
      'p',
      { class: 'quiet' },
      `${about} · `,
      element('time', { datetime: at, title: wholly(at) }, shortly(at)),
    ),
  );
}

/** `AUD 0.10` */
function price({ amount, currency }) {
  const format = { style: 'currency', currency, currencyDisplay: 'code', maximumFractionDigits: 4 };
  return new Intl.NumberFormat(undefined, format).format(amount);
}

/** `2 segments, UCS-2` */
export function size(encoding, segments) {
  const count = segments === 1 ? '1 segment' : `${segments} segments`;
  return encoding === 'ucs2' ? `${count}, UCS-2` : count;
}
