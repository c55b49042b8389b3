/** The notes of the dry run beside its faults: values that are read in another way than they stand, and values that are left out. */
import type { GoodRow } from './entries.ts';
import type { LeftOut, Table } from './rows.ts';

/** The message about a value that is taken. */
export type Remark = 'lacksZero' | 'furtherNumber' | 'furtherEmail' | 'numberOfSheet';

export interface Remarked {
  readonly remark: Remark;
  /** The heading. */
  readonly column: string;
}

/** Lines that are named. */
const namedAtMost = 10;

/** Gathers it, in order, without a value of the file. */
export class Notes {
  readonly #lines = new Map<string, Remarked & { count: number; readonly lines: number[] }>();
  readonly #leftOut: LeftOut[] = [];
  readonly #above: readonly number[];
  readonly #country: string;

  constructor({ above }: Pick<Table, 'above'>, country: string) {
    this.#above = above;
    this.#country = country;
  }

  leftOut(line: LeftOut): void {
    this.#leftOut.push(line);
  }

  row({ line, remarks }: Pick<GoodRow, 'line' | 'remarks'>): void {
    for (const remarked of remarks) {
      const key = `${remarked.remark} ${remarked.column}`;
      const of = this.#lines.get(key) ?? { ...remarked, count: 0, lines: [] };
      of.count++;
      if (of.lines.length < namedAtMost) of.lines.push(line);
      this.#lines.set(key, of);
    }
  }

  all(): string[] {
    return [
      ...this.#above.map((line) => `Line ${line} stands above the names of the columns, and is not read`),
      ...this.#leftOut.map(({ line, leftOut }) => `Line ${line} ${leftOut}, and is left out`),
      ...[...this.#lines.values()].map(
        (of) => `${of.column} ${words[of.remark](this.#country)} (${linesOf(of)})`,
      ),
    ];
  }
}

const words: Readonly<Record<Remark, (country: string) => string>> = {
  lacksZero: (country) =>
    `lacks the 0 before a number, which spreadsheets take away: it is read as a number in ${country}`,
  furtherNumber: () => 'is taken of several numbers: the others are not imported',
  furtherEmail: () => 'is taken of several addresses: the others are not imported',
  numberOfSheet: () =>
    'is a number that a spreadsheet may have made of a value such as 1E5 or 0012: look at it',
};

function linesOf({ count, lines }: { readonly count: number; readonly lines: readonly number[] }): string {
  const named = `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
  return count > lines.length ? `${named}, and ${count - lines.length} more` : named;
}
