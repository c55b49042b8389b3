/** A form below a conversation that answers as its customer. */
import { ask } from './api.mjs';
import { element } from './element.mjs';

/** `answered` is called once the answer is stored. */
export function answerForm({ to, from }, answered) {
  const text = element('input', { id: 'answer', maxlength: '10000', autocomplete: 'off', required: '' });
  const send = element('button', { type: 'submit' }, 'Send');
  const said = element('p', { class: 'quiet', role: 'status' });
  const form = element(
    'form',
    { class: 'answer-form' },
    element('label', { for: 'answer', class: 'unseen' }, `Answer as ${to}`),
    text,
    send,
  );
  text.placeholder = `Answer as ${to}`;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      const { placed } = await ask('sandbox/inbound', { from: to, to: from, body: text.value });
      said.textContent = placed
        ? ''
        : 'Kept as a dead letter: no workshop has this number or knows this customer.';
      text.value = '';
      await answered();
    } catch (error) {
      said.textContent = error.message;
    }
    send.disabled = false;
  });
  return element('div', {}, form, said);
}
