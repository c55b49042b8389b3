/** The faults of a file as CSV. */
import { givingWay } from '#base/give-way.ts';
import { csvLine } from '#base/values/csv.ts';
import type { RowFault } from '#product/imports/rows.ts';

/** The lines of one piece of the answer. */
const linesAtOnce = 500;

/** Piece by piece, with turns for the event loop: a file may have a million faults. */
export async function* csvOfFaults(faults: readonly RowFault[]): AsyncGenerator<string> {
  const giveWay = givingWay();
  yield csvLine(['Line', 'Column', 'Fault']);
  for (let at = 0; at < faults.length; at += linesAtOnce) {
    await giveWay();
    const some = faults.slice(at, at + linesAtOnce);
    yield some.map(({ line, column, message }) => csvLine([line, column, message])).join('');
  }
}
