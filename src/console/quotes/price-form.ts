/** The form of a price: lines, validity, a message, and beside them the preview for the customer. */
import { readFileSync } from 'node:fs';
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, type Html, select, textArea } from '#platform/pages/components.ts';
import { linesCss } from '#platform/pages/files.ts';
import type { Form } from '#platform/pages/form.ts';
import { amountText, priceText } from '#platform/pages/texts.ts';
import { type Offer, refreshOffer } from '#product/catalogue/offer.ts';
import { linesAtMost } from '#product/quotes/lines.ts';
import { tellFields } from '../bookings/tell.ts';
import { scriptPath } from '../frame/files.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { type Refused, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { edited, type ReadRows, type Row, readRows, rowsFor, rowsOf } from './draft.ts';
import type { OpenedQuote } from './open.ts';
import { type Preview, previewOf } from './preview.ts';

const usualDays = '14';

export interface PriceForm {
  readonly heading: string;
  /** The path that sends it to the customer. */
  readonly send: string;
  /** The path that shows it as typed, with a line added or removed; it changes nothing. */
  readonly draft: string;
  /** The version of the quote; absent: it is made by this form. */
  readonly version?: number;
  /** The rows, and the message, that it opens with. */
  readonly rows: readonly Row[];
  readonly message: string;
  /** Above the lines: whom and what the quote is for. */
  readonly above?: Html;
  readonly preview: (read: ReadRows, form: Form) => Promise<Preview>;
}

/** The form that prices an existing quote. `refused`: the form that was just refused. */
export function priceFormOf(
  visit: WorkshopVisit,
  opened: OpenedQuote,
  refused: Refused | null,
): Promise<SafeHtml> {
  const { workshop, form: sent, request } = visit;
  const { quote, beside, path } = opened;
  const isDraft = request.method === 'POST' && refused === null;
  const of: PriceForm = {
    heading: quote.status === 'requested' ? 'Price it' : 'Price it again',
    ...{ send: `${path}/price`, draft: `${path}/draft` },
    version: isDraft ? versionOf(sent) : versionShown(sent, refused, beside.version),
    rows: rowsFor(quote).map((row) => shownRow(row, workshop)),
    message: textShown(quote.message ?? '', workshop),
    preview: (read, form) => previewOf(visit, opened, read, form),
  };
  return priceForm(visit, of, refused);
}

export async function priceForm(
  visit: WorkshopVisit,
  of: PriceForm,
  refused: Refused | null,
): Promise<SafeHtml> {
  const { context, workshop, form: sent, request } = visit;
  const { draft } = of;
  const isSent = request.method === 'POST';
  const isDraft = isSent && refused === null;
  const offer = await refreshOffer(context.db, workshop.workshopId);
  const start = isSent ? rowsOf(sent) : of.rows;
  // The browser focuses the new control of a page that it opens; a script does so on an open page.
  const isScripted = request.headers['hx-request'] === 'true';
  const { rows, focus } = isDraft ? edited(start, sent, offer) : { rows: start, focus: null };
  const read = readRows(rows);
  const form: Form = isSent ? sent : { validDays: usualDays, message: of.message };
  const { told, shown } = await of.preview(read, form);
  const typed = (name: string, its: Omit<Parameters<typeof field>[0], 'name'>) => ({
    ...{ name, value: form[name], error: faultOf(refused, name), isUnmarked: true, ...its },
  });
  return html`<section class="card"${drafted(draft)} hx-trigger="input delay:300ms" hx-include="#price :is(input, select, textarea):not([name=key])" hx-target="#total" hx-select="#total" hx-select-oob="#told-quote, #preview" hx-swap="outerMorph ignoreTitle:true" hx-sync="this:replace"><h2>${of.heading}</h2>${changeForm(
    {
      action: of.send,
      id: 'price',
      ...(of.version !== undefined && { version: of.version }),
      body: html`<button class="unseen" tabindex="-1" aria-hidden="true"${draftButton(draft, 'look')}></button>
${of.above}<div class="pricing"><div class="stack">${lineFields({ rows, offer, focus, isScripted, isTyped: isSent, country: workshop.country, draft, refused })}
<p id="total" class="total" aria-live="polite">Total <strong>${amountText(Number(read.priced.total), workshop.country)}</strong>${read.faults.length > 0 && read.lines.length > 0 ? html` <span class="quiet">without the lines that are not filled in</span>` : null}</p>
${field(typed('validDays', { label: 'Valid for', hint: 'Days, 1 to 365.', max: 3, isDigits: true }))}
${textArea(typed('message', { label: 'Message', hint: 'The customer reads it above the lines.' }))}</div>
<div class="stack"><div id="preview" class="stack" role="group" aria-label="What the customer sees">${shown}</div>
<h3>The text</h3>${tellFields(told, 'quote')}
${buttons(button('Send quote'), html`<button class="button quiet"${draftButton(draft, 'look')}>Show what they see</button>`)}</div></div>`,
    },
  )}</section>`;
}

/** Masks phones and e-mails of a row for people who may not see them, so they send none unseen. */
const shownRow = (row: Row, workshop: WorkshopVisit['workshop']): Row => ({
  ...row,
  title: textShown(row.title, workshop),
});

const drafted = (draft: string): SafeHtml => html` hx-post="${draft}"`;

/** Changes what stands in the form, and sends nothing to anybody. */
const draftButton = (draft: string, what: string): SafeHtml =>
  html` name="do" value="${what}" formaction="${draft}" formnovalidate${drafted(draft)} hx-target="#lines" hx-select="#lines" hx-select-oob="#total, #told-quote, #preview" hx-swap="outerHTML ignoreTitle:true"`;

interface LineFields {
  readonly rows: readonly Row[];
  readonly offer: Offer | null;
  readonly focus: string | null;
  readonly isScripted: boolean;
  /** They stand there as somebody has typed them. */
  readonly isTyped: boolean;
  readonly country: string;
  /** The path that adds, moves and removes lines. */
  readonly draft: string;
  readonly refused: Refused | null;
}

function lineFields({
  rows,
  offer,
  focus,
  isScripted,
  isTyped,
  country,
  draft,
  refused,
}: LineFields): SafeHtml {
  const options = [...(offer?.byCode.values() ?? [])]
    .toSorted((one, other) => one.title.localeCompare(other.title))
    .map(({ catalogCode, title, cost, maxCost }) => ({
      ...{ value: catalogCode, label: [title, priceText(cost, maxCost, country)].filter(Boolean).join(', ') },
    }));
  const service =
    options.length === 0
      ? null
      : select({
          ...{ name: 'catalogue', label: 'From the catalogue', isUnmarked: true },
          options: [{ value: '', label: 'A line of your own' }, ...options],
        });
  const isFull = rows.length >= linesAtMost;
  return html`<div id="lines" class="stack"${isTyped ? html` data-typed` : null}${isScripted && focus ? html` data-focus="${focus}"` : null}>${rows.map((row, index) => lineRow(row, index + 1, { last: rows.length, focus: isScripted ? null : focus, draft, refused }))}
${isFull ? html`<p class="quiet">A quote has at most ${linesAtMost} lines.</p>` : html`<div class="more-lines">${service}<p class="buttons"><button class="button quiet"${draftButton(draft, 'add')}>Add line</button></p></div>`}</div>`;
}

interface LineOf extends Pick<LineFields, 'focus' | 'draft' | 'refused'> {
  readonly last: number;
}

function lineRow(
  { title, quantity, price }: Row,
  number: number,
  { last, focus, draft, refused }: LineOf,
): SafeHtml {
  const part = (name: string, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({
      ...{ name: `${name}${number}`, isUnmarked: true, isFocused: focus === `${name}${number}` },
      ...{ error: faultOf(refused, `${name}${number}`), ...of },
    });
  const move = (what: string, sign: string, words: string) =>
    html`<button class="button quiet small" aria-label="${words}" title="${words}"${draftButton(draft, `${what} ${number}`)}>${sign}</button>`;
  return html`<fieldset class="line"><legend class="unseen">Line ${String(number)}</legend>${part('title', { label: 'Title', value: title })}${part('quantity', { label: 'Quantity', value: quantity, max: 12 })}${part('price', { label: 'Price', value: price, max: 20 })}<p class="buttons">${number > 1 ? move('up', '↑', `Move line ${number} up`) : null}${number < last ? move('down', '↓', `Move line ${number} down`) : null}${move('remove', '✕', `Remove line ${number}`)}</p></fieldset>`;
}

/** The scripts of the page with the form alone. */
export const priceScripts = [scriptPath('lines.mjs')];
export const priceRules = `${linesCss}${readFileSync(new URL('../files/quote.css', import.meta.url))}`;
