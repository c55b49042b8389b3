/** An e-mail: as HTML first, as most people see it; its text, its source and its invitation beside that. */
import { element } from './element.mjs';
import { wholly } from './when.mjs';

export function emailView({ id, subject, from, to, at, outcome, body, html, calendar }) {
  const panel = element('div', { class: 'panel' });
  const forms = [
    ['HTML', html !== null && (() => frame(id))],
    ['Text', () => element('p', { class: 'text', dir: 'auto' }, body.trimEnd())],
    ['Source', html !== null && (() => source(html))],
    ['Invitation', calendar !== null && (() => source(calendar))],
  ].filter(([, make]) => make);
  const buttons = forms.map(([name, make]) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'false' }, name);
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
      panel.replaceChildren(make());
    });
    return button;
  });
  buttons[0].click();
  return element(
    'article',
    { class: `email ${outcome}` },
    element('h2', { dir: 'auto' }, subject ?? '(no subject)'),
    element('dl', { class: 'facts' }, ...fact('From', from), ...fact('To', to), ...fact('Sent', wholly(at))),
    element('div', { class: 'forms', role: 'group', 'aria-label': 'Show as' }, ...buttons),
    panel,
  );
}

const fact = (term, text) => [element('dt', {}, term), element('dd', { dir: 'auto' }, text)];

const source = (text) => element('pre', { tabindex: '0' }, text);

/** Its `sandbox` attribute and the server's headers let it neither run nor fetch anything. */
function frame(id) {
  return element('iframe', {
    sandbox: '',
    src: `sandbox/messages/${id}/preview`,
    title: 'The e-mail as HTML',
  });
}
