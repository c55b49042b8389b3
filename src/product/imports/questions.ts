/**
 * The questions of the dry run about a file as a whole (specification: Imports 13): nothing is imported until somebody has answered. It is
 * found while the rows are read, in one pass.
 */
import { parsePhone } from '#base/values/phone.ts';
import { valuesOf } from './clean.ts';
import type { Columns, ImportField, ImportKind } from './columns.ts';
import { type DateOrder, fullYear, inOrder, type TypedDay, typedDay } from './days.ts';
import type { Row } from './rows.ts';

export const questionKinds = ['no-phones', 'unread', 'mixed-dates', 'short-years', 'already-here'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface Question {
  readonly kind: QuestionKind;
  /** The heading; empty: the file as a whole. */
  readonly column: string;
  readonly message: string;
  /** The answer that accepts it, in words. */
  readonly answer: string;
  /** For `short-years`: the order of the days, without a doubt. */
  readonly order: DateOrder | null;
}

export interface Asked {
  readonly kind: ImportKind;
  readonly columns: Columns;
  /** ISO 3166. */
  readonly country: string;
  /** Business time. */
  readonly now: Date;
  /** Somebody has chosen what each column is, and so which is left out. */
  readonly isMatched: boolean;
  readonly accepted: readonly QuestionKind[];
}

/** The number of cells of a column that are looked at. */
const sampled = 200;
/** Numbers and addresses of other people than customers, and no numbers that anybody calls. */
const ofOthers =
  /fax|pager|telex|user|host|staff|team|employee|provider|technician|advisor|adviser|created|booked ?by|sales|guest/i;

/** Reads along with the rows. */
export class Questions {
  readonly #of: Asked;
  readonly #unread: readonly UnreadColumn[];
  readonly #days = new Map<ImportField, DayColumn>();
  #alreadyHere = 0;

  constructor(of: Asked) {
    this.#of = of;
    const { at, further, headings } = of.columns;
    const read = new Set([...at.values(), ...[...further.values()].flat()]);
    this.#unread = headings.flatMap((heading, n) =>
      of.isMatched || heading === '' || read.has(n) || ofOthers.test(heading)
        ? []
        : [new UnreadColumn(n, heading, of.country)],
    );
    for (const field of ['date', 'dateTime'] as const)
      if (at.has(field)) this.#days.set(field, new DayColumn(of.now));
  }

  row({ record, cells }: Row): void {
    for (const column of this.#unread) column.cell(record[column.at] ?? '');
    for (const [field, column] of this.#days) {
      const text = cells.get(field);
      if (text !== undefined) column.cell(text);
    }
  }

  /** New rows whose bookings the workshop has already. */
  alreadyHere(count: number): void {
    this.#alreadyHere += count;
  }

  /** Those that are open, after the last row. */
  asked(): Question[] {
    const { kind, columns, accepted } = this.#of;
    const file = { column: '', order: null };
    const noPhones: Question = {
      ...{ ...file, kind: 'no-phones' },
      message:
        'No column holds phone numbers, so nobody can be texted or be found by a number: name one Mobile, or export the file with it',
      answer: 'Import customers without phone numbers',
    };
    const again: Question = {
      ...{ ...file, kind: 'already-here' },
      message: `${this.#alreadyHere === 1 ? 'one of its bookings is' : `${this.#alreadyHere} of its bookings are`} here already, at the same time and with the same number, registration or name, and would be made once more: take the import that made them back first, or leave those rows out`,
      answer: 'Make them once more',
    };
    const all = [
      ...(this.#alreadyHere > 0 ? [again] : []),
      ...(kind === 'customers' && !columns.at.has('phone') ? [noPhones] : []),
      ...this.#unread.flatMap((column) => column.question() ?? []),
      ...[...this.#days].flatMap(([field, column]) =>
        column.questions(columns.headings[columns.at.get(field) ?? -1] ?? ''),
      ),
    ];
    return all.filter((each) => !accepted.includes(each.kind));
  }
}

class UnreadColumn {
  readonly at: number;
  readonly #heading: string;
  readonly #country: string;
  #looked = 0;
  readonly #found = { phones: 0, emails: 0 };

  constructor(at: number, heading: string, country: string) {
    this.at = at;
    this.#heading = heading;
    this.#country = country;
  }

  cell(text: string): void {
    if (this.#looked >= sampled || text.length > 255) return;
    const [value] = valuesOf('phone', text.trim());
    if (value === undefined) return;
    this.#looked++;
    if (isEmail(value)) this.#found.emails++;
    else if (isPhone(value, this.#heading, this.#country)) this.#found.phones++;
  }

  question(): Question | null {
    const { phones, emails } = this.#found;
    if (this.#looked === 0 || phones + emails < this.#looked / 2) return null;
    const [what, name] = phones >= emails ? ['phone numbers', 'Mobile'] : ['e-mail addresses', 'E-mail'];
    return {
      ...{ kind: 'unread', column: this.#heading, order: null },
      message: `holds ${what}, and is not read: name it ${name} where they are the customers'`,
      answer: 'Leave out the columns with numbers and addresses that are not read',
    };
  }
}

/** White space stands in no address. */
const isEmail = (text: string) => /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text) && /\.[^\s@.]{2,63}$/.test(text);

/** Digits alone may be a number of anything, unless the heading says so. */
function isPhone(text: string, heading: string, country: string): boolean {
  if (!/^[+(\d][\d\s()./-]{5,30}$/.test(text)) return false;
  const isSaid = /phone|mobile|cell|tel|number|\bph\b|\bmob\b|sms|contact/i.test(heading);
  if (!isSaid && !/^[+(0]/.test(text)) return false;
  return typedDay(text) === null && parsePhone(text, country) !== null;
}

/** In years: nobody books later. */
const aheadAtMost = 2;

/** The forms of days that a column's cells have in common. */
class DayColumn {
  readonly #now: Date;
  #yearFirst = 0;
  #numeric = 0;
  #short = 0;
  #others = 0;
  /** Days that can be read in one order alone. */
  readonly #only = { dmy: 0, mdy: 0 };
  /** The orders in which all days are days, of which none is far ahead. */
  readonly #fits = { dmy: true, mdy: true, ymd: true };

  constructor(now: Date) {
    this.#now = now;
  }

  cell(text: string): void {
    const day = typedDay(text);
    if (day === null) return;
    if (day.shape === 'yearFirst') this.#yearFirst++;
    else if (day.shape === 'yearLast' || day.shape === 'short') this.#inTwoOrders(day);
    else if (day.shape === 'namedShort') this.#short++;
    else this.#others++;
  }

  #inTwoOrders({ shape, parts: [a, b, c] }: TypedDay): void {
    const isShort = shape === 'short';
    this.#numeric++;
    if (isShort) this.#short++;
    const year = isShort ? fullYear(c, this.#now) : c;
    const [dmy, mdy] = [inOrder('dmy', [a, b, year]), inOrder('mdy', [a, b, year])];
    if (dmy !== null && mdy === null) this.#only.dmy++;
    if (mdy !== null && dmy === null) this.#only.mdy++;
    if (!isShort) return;
    const ahead = `${this.#now.getUTCFullYear() + aheadAtMost}`;
    const isLikely = (iso: string | null) => iso !== null && iso.slice(0, 4) <= ahead;
    this.#fits.dmy &&= isLikely(dmy);
    this.#fits.mdy &&= isLikely(mdy);
    this.#fits.ymd &&= isLikely(inOrder('mdy', [b, c, fullYear(a, this.#now)]));
  }

  questions(column: string): Question[] {
    const questions: Question[] = [];
    if ((this.#yearFirst > 0 && this.#numeric > 0) || (this.#only.dmy > 0 && this.#only.mdy > 0))
      questions.push({
        ...{ kind: 'mixed-dates', column, order: null },
        message:
          'holds days of two forms, so a spreadsheet may have changed the order of day and month in some: format the column as text in the file that it came from, and save it again',
        answer: 'Read each day as it stands',
      });
    const order = this.#orderOfShort();
    if (order !== undefined)
      questions.push({
        ...{ kind: 'short-years', column, order },
        message: `has two digits of the year in each of its days: save the file with four digits of the year, or have them read${firsts(order)}, which leaves no doubt`,
        answer: `Read years of two digits${firsts(order)}`,
      });
    return questions;
  }

  /** Undefined: a doubt is left, or no year has two digits. Null: the months have names. */
  #orderOfShort(): DateOrder | null | undefined {
    if (this.#short === 0 || this.#short < this.#numeric || this.#yearFirst + this.#others > 0)
      return undefined;
    if (this.#numeric === 0) return null;
    const { dmy, mdy, ymd } = this.#fits;
    if (ymd || dmy === mdy) return undefined;
    return dmy ? 'dmy' : 'mdy';
  }
}

const firsts = (order: DateOrder | null) =>
  order === null ? '' : order === 'dmy' ? ' with the day first' : ' with the month first';
