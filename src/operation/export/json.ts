/** An export as JSON, piece by piece: an object with an array of rows for each section. */
import type { Clock } from '#base/clock.ts';
import type { OldReads } from '#platform/db/replica/read-old.ts';
import { type Asked, exportParts } from './export-customer.ts';

/** Texts that are one JSON document when they are joined. */
export async function* exportJson(
  source: OldReads & { readonly clock: Clock },
  of: Asked,
): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(source.clock.now())}`;
  let open = '';
  for await (const { section, rows, isFirst } of exportParts(source, of)) {
    const begin = isFirst ? `${open},\n${JSON.stringify(section.name)}:[` : '';
    const comma = !isFirst && rows.length > 0 ? ',\n' : '';
    yield begin + comma + rows.map((row) => JSON.stringify(row)).join(',\n');
    open = ']';
  }
  yield `${open}}\n`;
}
