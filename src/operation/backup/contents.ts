/** Reads an archive and compares each of its tables with the totals. */
import type { Readable } from 'node:stream';
import { OperatorError } from '#base/operator-error.ts';
import { DamagedArchive, manifestName, type Part, readArchive, tableOf, totalsName } from './archive.ts';
import { Count } from './count.ts';
import { type Manifest, notABackup, readManifest, readTotals, type Totals } from './manifest.ts';
import type { Table } from './store.ts';
import { type Progress, type Summary, summaryOf } from './summary.ts';

export interface Source {
  readonly stream: Readable;
  /** The name that the operator gave. */
  readonly name: string;
}

export interface TablePart {
  readonly table: Table;
  /** Whole rows in the text format of COPY. */
  readonly content: Buffer;
  readonly rows: number;
}

export interface Contents {
  readonly manifest: Manifest;
  /**
   * Hands each part to `take`, table by table. Throws OperatorError when the file is damaged or cut off: what was taken until then must
   * not be used.
   */
  read(take: (part: TablePart) => Promise<void>, progress: Progress): Promise<Summary>;
}

/** Reads its beginning. Throws OperatorError when the file is no backup, or of a newer format. */
export async function openContents({ stream, name: file }: Source): Promise<Contents> {
  const parts = readArchive(stream);
  const first = await nextPart(parts, () => notABackup(file));
  if (first?.name !== manifestName) throw notABackup(file);
  const manifest = readManifest(first.content, file);
  const read = async (take: (part: TablePart) => Promise<void>, progress: Progress) => {
    const counts = new Map(manifest.tables.map(({ name }) => [name, new Count()]));
    const cutOff = () => damaged(file, 'it was cut off, or changed since');
    for (;;) {
      const part = await nextPart(parts, cutOff);
      if (part === null) throw cutOff();
      if (part.name === totalsName) {
        const totals = readTotals(part.content);
        if (totals === null) throw cutOff();
        requireTotals(counts, totals, file);
        // The checksum of the whole archive comes at its end.
        if ((await nextPart(parts, cutOff)) !== null) throw damaged(file, 'something follows its end');
        return summaryOf(manifest, totals);
      }
      const table = manifest.tables.find(({ name }) => name === tableOf(part));
      const count = table && counts.get(table.name);
      if (table === undefined || count === undefined)
        throw damaged(file, `${part.name} does not belong there`);
      const rows = count.add(part.content);
      await take({ table, content: part.content, rows });
      progress({ rows, bytes: part.content.length });
    }
  };
  return { manifest, read };
}

/** Null at the end. `fault` is what a damaged archive means at this place. */
async function nextPart(parts: AsyncGenerator<Part>, fault: () => OperatorError): Promise<Part | null> {
  try {
    const { value, done } = await parts.next();
    return done ? null : value;
  } catch (error) {
    throw error instanceof DamagedArchive ? fault() : error;
  }
}

function requireTotals(counts: ReadonlyMap<string, Count>, totals: Totals, file: string): void {
  for (const [name, count] of counts) {
    const found = count.total();
    const said = totals[name];
    if (said?.rows !== found.rows || said.bytes !== found.bytes || said.sha256 !== found.sha256)
      throw damaged(file, `table ${name} is not as it was written`);
  }
}

function damaged(file: string, how: string): OperatorError {
  return new OperatorError(`${file} is damaged (${how}): nothing of it is restored; take another backup`);
}
