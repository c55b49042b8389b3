/** GET /leads/calls: a page of a partner's calls (areas, section 8). */
import type { Static } from 'typebox';
import { instantOf } from '#bookings/field.ts';
import type { Context } from '#context.ts';
import { invalidFields, Problem } from '#errors.ts';
import { cursorAt, type Filters, readCursor } from '#http/paging.ts';
import { isId } from '#values/id.ts';
import { parseInstant } from '#values/instant.ts';
import { normaliseString } from '#values/text.ts';
import { readGate } from '#workshops/access/store.ts';
import type { CallLead, ListCallLeadsQuery } from '../schema.ts';
import { type CallFilters, type CallPosition, listCalls } from './store.ts';

export interface CallPage {
  readonly callLeads: CallLead[];
  readonly nextCursor: string | null;
}

type Query = Static<typeof ListCallLeadsQuery>;

/** Throws 400 000001 for times that end before they begin and for a cursor of another list, 404 030001. */
export async function listOwnCalls(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  query: Query,
): Promise<CallPage> {
  const filters = filtersOf(query);
  const { workshopId } = filters;
  if (workshopId !== undefined && !(isId(workshopId) && (await readGate(db, partnerId, workshopId)))) {
    throw new Problem('030001');
  }
  const { limit = 50, cursor } = query;
  const bound = textsOf(filters);
  const after = cursor === undefined ? null : positionOf(cursor, bound);
  const rows = await listCalls(db, partnerId, filters, after, limit + 1);
  const callLeads = rows.slice(0, limit).map(({ callLead }) => callLead);
  const last = callLeads.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { callLeads, nextCursor: more ? cursorAt([last.calledAt, last.id], bound) : null };
}

function filtersOf({ workshopId, outcome, ...query }: Query): CallFilters {
  // In the form in which the compared value was stored; an empty value filters nothing.
  const externalId = normaliseString(query.externalId ?? '') || undefined;
  const [from, to] = [query.from, query.to].map((text) => (text === undefined ? undefined : instantOf(text)));
  if (from !== undefined && to !== undefined && to < from) {
    throw invalidFields([{ field: 'to', message: 'must not be before from' }]);
  }
  return {
    ...(workshopId === undefined ? {} : { workshopId: workshopId.toLowerCase() }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(externalId === undefined ? {} : { externalId }),
  };
}

/** The filters as a cursor is bound to them: an instant has one notation. */
function textsOf({ from, to, ...others }: CallFilters): Filters {
  return { ...others, from: from?.toISOString(), to: to?.toISOString() };
}

function positionOf(cursor: string, bound: Filters): CallPosition {
  const isInstant = (part: string) => parseInstant(part) !== null;
  const [calledAt = '', id = ''] = readCursor(cursor, [isInstant, isId], bound);
  return { calledAt: instantOf(calledAt), id };
}
