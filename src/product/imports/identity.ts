/** The identity of a row of a file, so that it is imported once. */
import { createHash } from 'node:crypto';
import type { ImportKind } from './columns.ts';
import type { Row } from './rows.ts';

/**
 * Computes the identities of the rows of one file, in order: from the reference of a row, else from its content and how often the
 * file had that content before, since two customers may have the same name. Other columns, their order and the format of the file
 * do not affect an identity.
 */
export class Identities {
  readonly #times = new Map<string, number>();
  readonly #persons = new Map<string, number>();
  readonly #kind: ImportKind;
  readonly #of: readonly string[];

  constructor(workshopId: string, kind: ImportKind) {
    this.#kind = kind;
    this.#of = [workshopId, kind];
  }

  /** SHA-256 in hex; null: another row of the file has this reference. */
  next({ cells }: Row): string | null {
    const reference = cells.get('reference');
    const content = [...cells].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const whole = this.#hash(reference === undefined ? ['content', content] : ['reference', reference]);
    const times = (this.#times.get(whole) ?? 0) + 1;
    this.#times.set(whole, times);
    if (times === 1) return whole;
    return reference === undefined ? this.#hash(['again', whole, times]) : null;
  }

  /**
   * The values that tell the customer of a row in a file without phone numbers and in the same one with them: the reference, else the name and
   * how often the file had it before. SHA-256 in hex; null: the row is a booking's, or has neither.
   */
  person({ cells }: Row): string | null {
    const reference = cells.get('reference');
    const name = (['name', 'firstName', 'lastName'] as const).map((field) => cells.get(field) ?? '');
    if (this.#kind !== 'customers' || (reference === undefined && name.join('') === '')) return null;
    const whole = JSON.stringify(reference === undefined ? name : reference);
    const times = (this.#persons.get(whole) ?? 0) + 1;
    this.#persons.set(whole, times);
    return this.#hash(['person', whole, times]);
  }

  #hash(what: readonly unknown[]): string {
    return createHash('sha256')
      .update(JSON.stringify([...this.#of, ...what]))
      .digest('hex');
  }
}
