/** The components of pages. The template escapes texts; no component takes HTML as a text. */
import { html, type SafeHtml } from '@remix-run/html-template';

export type Html = SafeHtml | SafeHtml[] | string | null;

export type ButtonKind = 'primary' | 'quiet' | 'danger';

/** Submits its form. */
export function button(label: string, kind: ButtonKind = 'primary'): SafeHtml {
  return html`<button class="button ${kind}">${label}</button>`;
}

/** Leads to another page. */
export function linkButton(label: string, href: string, kind: ButtonKind = 'primary'): SafeHtml {
  return html`<a class="button ${kind}" href="${href}">${label}</a>`;
}

export function buttons(...all: readonly (SafeHtml | null)[]): SafeHtml {
  return html`<p class="buttons">${all.filter((each) => each !== null)}</p>`;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** The fault of the value. */
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly required?: boolean;
  readonly max?: number;
  readonly type?: 'text' | 'tel' | 'email' | 'date' | 'time' | 'number' | 'password';
  /** Only digits are typed, so phones show a keypad. */
  readonly isDigits?: boolean;
  /** In a form with hardly any required field, no field is marked as optional. */
  readonly isUnmarked?: boolean;
  /** The id of the control; its name unless given, since a page may have several forms. */
  readonly id?: string;
  /** As HTML's attribute `autocomplete`; `off` unless given. */
  readonly autocomplete?: string;
  readonly capitals?: 'characters' | 'words';
  /** The page, or the part that was swapped in, opens with the focus on it. */
  readonly isFocused?: boolean;
}

/** A labelled line of text. */
export function field(of: Field): SafeHtml {
  const {
    name,
    id = name,
    type = 'text',
    autocomplete = 'off',
    value = '',
    max = 255,
    capitals,
    isDigits,
  } = of;
  // By its type a browser refuses an address that was pasted with a mark that nobody sees, or `mailto:`; the server takes these out.
  const isEmail = type === 'email';
  return around(
    of,
    html`<input id="${id}" name="${name}" type="${isEmail ? 'text' : type}" value="${value}" maxlength="${max}" autocomplete="${autocomplete}"${isEmail ? html` inputmode="email" autocapitalize="none" spellcheck="false"` : null}${isDigits ? html` inputmode="numeric"` : null}${capitals ? html` autocapitalize="${capitals}"` : null}${attributesOf(of)}>`,
  );
}

/** A labelled text of several lines. */
export function textArea(of: Field): SafeHtml {
  const { name, id = name, value = '', max = 2_000 } = of;
  return around(
    of,
    html`<textarea id="${id}" name="${name}" rows="3" maxlength="${max}"${attributesOf(of)}>
${value}</textarea>`,
  );
}

export interface Select extends Field {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function select(of: Select): SafeHtml {
  const { name, id = name, value = '', options } = of;
  return around(
    of,
    html`<select id="${id}" name="${name}"${attributesOf(of)}>${options.map((option) => html`<option value="${option.value}"${option.value === value ? html` selected` : null}>${option.label}</option>`)}</select>`,
  );
}

function around(of: Field, control: SafeHtml): SafeHtml {
  const { name, id = name, label, hint, error, required, isUnmarked } = of;
  const isMarked = !required && !isUnmarked;
  return html`<div class="field${error ? ' wrong' : ''}"><label for="${id}">${label}${isMarked ? html` <span class="quiet">(optional)</span>` : null}</label>${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}${control}${error ? html`<p class="error" id="${id}-error">${error}</p>` : null}</div>`;
}

function attributesOf({ name, id = name, required, hint, error, isFocused }: Field): SafeHtml {
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return html`${required ? html` required` : null}${isFocused ? html` autofocus` : null}${described ? html` aria-describedby="${described}"` : null}${error ? html` aria-invalid="true"` : null}`;
}

export function hidden(name: string, value: string): SafeHtml {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

const trapName = 'website';

/** A field that people do not see and programs fill in. */
export function honeypot(): SafeHtml {
  return html`<div class="trap" aria-hidden="true"><label>Leave this empty <input name="${trapName}" tabindex="-1" autocomplete="off"></label></div>`;
}

/** True for a form that a program has filled in. */
export function isTrapped(form: Readonly<Record<string, string>>): boolean {
  return (form[trapName] ?? '') !== '';
}

export type NoticeKind = 'good' | 'bad' | 'info';

/** A message about what has happened, which screen readers read out. */
export function notice(kind: NoticeKind, body: Html): SafeHtml {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${body}</div>`;
}

/** A refusal, on which the focus is when the page opens. */
export function focused(body: Html): SafeHtml {
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>${body}</div>`;
}

/** The faults of a form, each a link to its field. The page opens with the focus on this summary. */
export function faults(found: readonly { readonly field: string; readonly message: string }[]): SafeHtml {
  const items = found.map(({ field: name, message }) => html`<li><a href="#${name}">${message}</a></li>`);
  return focused(html`<p><strong>Please check:</strong></p><ul>${items}</ul>`);
}

/** Terms with their values; those without a value are left out. */
export function facts(of: readonly (readonly [term: string, value: Html])[]): SafeHtml {
  const shown = of.filter(([, value]) => value !== null && value !== '');
  return html`<dl class="facts">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
}

/** Rows that are links: a title, a text below it, and a value at the end. */
export interface Row {
  readonly href: string;
  readonly title: string;
  readonly detail: string;
  readonly value: string;
  /** Below these, over the whole width. */
  readonly about?: string | null;
}

export function rows(of: readonly Row[]): SafeHtml {
  return html`<ul class="rows">${of.map(({ href, title, detail, value, about }) => html`<li><a href="${href}" data-swap><span class="row-title">${title}</span><span class="row-value">${value}</span><span class="row-detail">${detail}</span>${about ? html`<span class="row-about">${about}</span>` : null}</a></li>`)}</ul>`;
}

/** The position of a visitor in a series of steps, counted from 0; finished steps with an address are links. */
export function steps(
  of: readonly { readonly label: string; readonly href: string | null }[],
  current: number,
): SafeHtml {
  const shown = of.map(({ label, href }, n) => {
    if (n === current) return html`<li aria-current="step"><span>${label}</span></li>`;
    if (n < current && href !== null)
      return html`<li class="done"><a href="${href}" data-swap>${label}</a></li>`;
    return html`<li><span>${label}</span></li>`;
  });
  return html`<nav aria-label="Steps"><ol class="steps">${shown}</ol></nav>`;
}
