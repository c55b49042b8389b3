/** How much a table's parts hold. */
import { createHash, type Hash } from 'node:crypto';
import type { Totals } from './manifest.ts';

/** Rows end with a line break, and none is inside of one: COPY writes those of values as `\n`. */
export const lineBreak = 0x0a;

/** Counts what a table's parts hold. */
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
