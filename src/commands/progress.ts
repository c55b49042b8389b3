/** Reports the progress of a long transfer of rows on standard error. */
import { note } from './output.ts';

/** A short transfer reports nothing. */
const everyMs = 5_000;

export interface TransferNotes {
  /** Called for each part. */
  progress(done: { readonly rows: number; readonly bytes?: number }): void;
  /** No more notes. */
  end(): void;
}

/** `doing` begins the line: "reading: 120000 rows, 34 MB"; `what` names a row. */
export function transferNotes(doing: string, what = 'rows'): TransferNotes {
  let rows = 0;
  let bytes = 0;
  const size = () => (bytes === 0 ? '' : `, ${Math.round(bytes / 1e6)} MB`);
  const timer = setInterval(() => note(`${doing}: ${rows} ${what}${size()}`), everyMs);
  return {
    progress(done) {
      rows += done.rows;
      bytes += done.bytes ?? 0;
    },
    end: () => clearInterval(timer),
  };
}
