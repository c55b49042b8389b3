/** The lines of a quote in its form: rows of three fields, numbered from 1 in their order on the page. */
import { plainDecimal } from '#base/values/typed-decimal.ts';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Offer } from '#product/catalogue/offer.ts';
import { linesAtMost, type PricedLines, priceLines, type TypedLine } from '#product/quotes/lines.ts';
import type { Quote } from '#product/quotes/schema.ts';

/** As it was typed. */
export interface Row {
  readonly title: string;
  readonly quantity: string;
  /** The price of one. */
  readonly price: string;
}

export const blank: Row = { title: '', quantity: '1', price: '' };
const isBlank = ({ title, quantity, price }: Row) =>
  title === '' && price === '' && (quantity === '' || quantity === blank.quantity);

const rowForm = /^(?:title|quantity|price)([1-9]\d{0,2})$/;

/** The rows of a sent form, in its order. */
export function rowsOf(form: Form): Row[] {
  const numbers = Object.keys(form).flatMap((name) => rowForm.exec(name)?.[1] ?? []);
  const inOrder = [...new Set(numbers.map(Number))].sort((one, other) => one - other).slice(0, linesAtMost);
  return inOrder.map((n) => ({
    title: form[`title${n}`] ?? '',
    quantity: form[`quantity${n}`] ?? '',
    price: form[`price${n}`] ?? '',
  }));
}

/** The first rows of a price: the quote's present lines, else the requested services with their catalogue prices. */
export function rowsFor({ lines, services }: Pick<Quote, 'lines' | 'services'>): Row[] {
  const priced = lines.map(({ title, quantity, unitPrice }) => ({
    ...{ title, quantity: String(quantity), price: unitPrice.toFixed(2) },
  }));
  const wanted = services.map(({ title, catalogCode, cost }) => ({
    ...{ ...blank, title: title ?? catalogCode ?? '', price: cost?.toFixed(2) ?? '' },
  }));
  const rows = (priced.length > 0 ? priced : wanted).slice(0, linesAtMost);
  return rows.length > 0 ? rows : [blank];
}

export interface Edited {
  readonly rows: readonly Row[];
  /** The id of the control that gets the focus; null: none. */
  readonly focus: string | null;
}

/** The rows after the pressed button (`do`): a line was added, removed or moved. Any other value leaves them unchanged. */
export function edited(rows: readonly Row[], form: Form, offer: Offer | null): Edited {
  const [what = '', nth = ''] = (form['do'] ?? '').split(' ');
  const at = Number(nth) - 1;
  if (what === 'add') return withOneMore(rows, form['catalogue'] ?? form['service'] ?? '', offer);
  if (!Object.hasOwn(rows, at)) return { rows, focus: null };
  if (what === 'remove') {
    const rest = rows.toSpliced(at, 1);
    return { rows: rest.length > 0 ? rest : [blank], focus: `title${Math.max(1, at)}` };
  }
  const to = what === 'up' ? at - 1 : at + 1;
  if ((what !== 'up' && what !== 'down') || !Object.hasOwn(rows, to)) return { rows, focus: null };
  const moved = rows.toSpliced(at, 1).toSpliced(to, 0, ...rows.slice(at, at + 1));
  return { rows: moved, focus: `title${to + 1}` };
}

/** A service of the catalogue fills in a new line, or the last one if that is blank. */
function withOneMore(rows: readonly Row[], code: string, offer: Offer | null): Edited {
  const service = offer?.byCode.get(code);
  const row: Row =
    service === undefined ? blank : { ...blank, title: service.title, price: service.cost?.toFixed(2) ?? '' };
  const last = rows.at(-1);
  const kept = service !== undefined && last !== undefined && isBlank(last) ? rows.slice(0, -1) : rows;
  if (kept.length >= linesAtMost) return { rows, focus: null };
  const focus = service === undefined ? 'title' : row.price === '' ? 'price' : 'quantity';
  return { rows: [...kept, row], focus: `${focus}${kept.length + 1}` };
}

export interface ReadRows {
  /** The rows that are not blank. */
  readonly lines: readonly TypedLine[];
  /** The faults, by the names of their fields. */
  readonly faults: readonly FieldError[];
  /** The valid lines, and their total. */
  readonly priced: PricedLines;
}

const fieldOf = { title: 'title', quantity: 'quantity', unitPrice: 'price' } as const;
const twoWays = 'can be read in two ways: write it without a mark between the thousands';

export function readRows(rows: readonly Row[]): ReadRows {
  const filled = rows.map((row, at) => ({ row, number: at + 1 })).filter(({ row }) => !isBlank(row));
  const unclear = new Map<string, FieldError>();
  const decimal = (text: string, field: string) => {
    const plain = plainDecimal(text);
    if (plain === null) unclear.set(field, { field, message: twoWays });
    return plain ?? '';
  };
  const lines = filled.map(({ row: { title, quantity, price }, number }) => ({
    title,
    quantity: decimal(quantity, `quantity${number}`),
    unitPrice: decimal(price, `price${number}`),
  }));
  const faults: FieldError[] = [];
  const wrong = new Set<number>();
  priceLines(lines, (index, part, message) => {
    if (index !== null) wrong.add(index);
    const of = index === null ? undefined : filled[index]?.number;
    const field = part === null || of === undefined ? 'line' : `${fieldOf[part]}${of}`;
    faults.push(unclear.get(field) ?? { field, message });
  });
  const readable = lines.filter((_, index) => !wrong.has(index));
  return { lines, faults, priced: priceLines(readable, () => undefined) };
}
