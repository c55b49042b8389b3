/** Counts the rows and bytes of a table's parts. */
import { createHash, type Hash } from 'node:crypto';
import type { Totals } from './manifest.ts';

/** Every row ends with a line break, and has no other: COPY writes line breaks of values as `\n`. */
export const lineBreak = 0x0a;

/** Adds up the parts of one table. */
export class Count {
  #rows = 0;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');

  /** Returns how many rows this part has. */
  add(content: Buffer): number {
    let rows = 0;
    for (let at = content.indexOf(lineBreak); at >= 0; at = content.indexOf(lineBreak, at + 1)) rows++;
    this.#rows += rows;
    this.#bytes += content.length;
    this.#hash.update(content);
    return rows;
  }

  /** To be called once. */
  total(): Totals[string] {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
