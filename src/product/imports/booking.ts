/** The booking of a row. */
import type { BookingStatus } from '#product/bookings/schema.ts';
import { enrichItems, type StoredItem } from '#product/catalogue/enrich.ts';
import type { Offer } from '#product/catalogue/offer.ts';
import { listed } from './clean.ts';
import type { ImportField } from './columns.ts';
import type { ImportContext, Note } from './judge.ts';
import { readState } from './states.ts';
import { readWhen } from './when.ts';

export interface ImportedBooking {
  readonly date: Date;
  readonly status: BookingStatus;
  /** The customer did not come. */
  readonly isNoShow: boolean;
  readonly notes: string | null;
  readonly services: readonly StoredItem[];
}

const titleAtMost = 255;
/** On one line, like all titles: PostgreSQL stores no NUL. */
const isTitle = (title: string) => title.length <= titleAtMost && !/\p{Cc}/u.test(title);

/** Without its notes. Null: it has no time that can be read. */
export async function bookingOf(
  cells: ReadonlyMap<ImportField, string>,
  context: ImportContext,
  note: Note,
): Promise<ImportedBooking | null> {
  const when = readWhen(
    { date: cells.get('date'), time: cells.get('time'), dateTime: cells.get('dateTime') },
    context,
  );
  const { status, isNoShow } = readState(cells, note);
  const titles = listed(cells.get('services'), /[;|\n]/);
  if (titles.length > 20 || !titles.every(isTitle))
    note(
      'services',
      `must be at most 20 services of up to ${titleAtMost} characters, with semicolons between`,
    );
  if (!cells.has('date') && !cells.has('dateTime')) note('date', 'has no date');
  else if ('message' in when) note(when.field, when.message);
  if (!('at' in when)) return null;
  const { stored } = await enrichItems(
    titles.map((title) => sentItem(title, context.offer)),
    [],
    async () => context.offer,
  );
  const isPast = when.at < context.now;
  return {
    ...{ date: when.at, status: status ?? (isPast ? 'completed' : 'confirmed'), notes: null },
    ...{ services: stored, isNoShow: isNoShow && isPast },
  };
}

/** By its code or its title in the catalogue, ignoring case; else in the words of the file. */
function sentItem(title: string, offer: Offer | null) {
  const wanted = title.toLowerCase();
  for (const service of offer?.byId.values() ?? [])
    if (service.catalogCode.toLowerCase() === wanted || service.title.toLowerCase() === wanted)
      return { catalogId: service._id };
  return { title };
}
