/** A form below an SMS that answers it as its recipient. */
import { ask } from './api.mjs';
import { element } from './element.mjs';

let made = 0;

export function answerForm({ to, from }) {
  const id = `answer-${made++}`;
  const text = element('input', { id, maxlength: '10000', autocomplete: 'off', required: '' });
  const send = element('button', { type: 'submit' }, 'Send');
  const said = element('p', { class: 'quiet', role: 'status' });
  const form = element(
    'form',
    { class: 'answer' },
    element('label', { for: id, class: 'hidden' }, `Answer as ${to}`),
    text,
    send,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      const { placed } = await ask('sandbox/inbound', { from: to, to: from, body: text.value });
      said.textContent = placed
        ? `Answered: ${text.value}`
        : 'Kept as a dead letter: no workshop has this number or knows this customer.';
      text.value = '';
    } catch (error) {
      said.textContent = error.message;
    }
    send.disabled = false;
  });
  return element('details', {}, element('summary', {}, 'Answer'), form, said);
}
