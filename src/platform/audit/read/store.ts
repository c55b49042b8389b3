/** SQL of reading the trail. A subject's own is complete at once: events that are not relayed yet are read with it. */
import { actors, storedActor } from '#base/values/actor.ts';
import { timeOfId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import type { Fields } from '../changes.ts';
import { waitingEntries } from '../store.ts';

/** The table of entries, for code that reads several tables alike. */
export const trailTable = 'audit_entry';

export interface TrailEntry {
  /** Newer entries have greater ids; the entry of an event has the event's id. */
  readonly id: string;
  /** Business time. */
  readonly occurredAt: Date;
  /** By the machine's clock. */
  readonly recordedAt: Date;
  readonly workshopId: string | null;
  readonly partnerId: string | null;
  /** The partner's name. */
  readonly partner: string | null;
  /** In its stored form: `actorInWords` says who that is. */
  readonly actor: string;
  readonly requestId: string | null;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly action: string;
  /** The changed fields; null: the change made its subject, or says none. */
  readonly before: Fields | null;
  readonly after: Fields | null;
  /** The version of the subject after the change; null when it has none. */
  readonly version: number | null;
}
type Row = Omit<TrailEntry, 'recordedAt'>;

/** By name: a release that adds a column to the entries does not break processes of this one. */
const columns = `e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version`;
const shown = `${columns}, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner`;
const withTime = (row: Row): TrailEntry => ({ ...row, recordedAt: timeOfId(row.id) ?? row.occurredAt });

export interface TrailPage {
  /** Null: of all workshops, and of none, for the operator. */
  readonly workshopId: string | null;
  /** Absent or null: all. */
  readonly subjectId?: string | null;
  readonly personId?: string | null;
  /** The last entry of the previous page; null: the first page. */
  readonly before: string | null;
  readonly limit: number;
}

type Condition = readonly [condition: (parameter: string) => string, value: unknown];

/**
 * A page of the entries and the waiting events that meet all conditions. Waiting events are found by an index of their subject, or
 * are few. An event that is relayed meanwhile comes as an entry only.
 */
function pageOf(conditions: readonly Condition[], limit: number, order = 'e.id DESC') {
  const where = conditions.map(([condition], n) => condition(`$${n + 2}`)).join(' AND ');
  const part = (from: string) =>
    `(SELECT ${columns} FROM ${from} e WHERE ${where} ORDER BY ${order} LIMIT $1)`;
  const text = planEachTime(`SELECT ${shown}
       FROM (${part('audit_entry')} UNION ALL ${part(`(${waitingEntries})`)}) AS e
      ORDER BY ${order} LIMIT $1`);
  return { text, values: [limit, ...conditions.map(([, value]) => value)] };
}

const ofWorkshop = (id: string): Condition => [(is) => `e.workshop_id = ${is}`, id];
const ofSubject = (id: string): Condition => [(is) => `e.subject_id = ${is}`, id];

/** The statement of a page and its values, for tests that read its plan. */
export function trailStatement(page: TrailPage) {
  const { workshopId, subjectId = null, personId = null, before, limit } = page;
  return pageOf(
    [
      [(is) => beforeId('e.id', is), before],
      ...(workshopId === null ? [] : [ofWorkshop(workshopId)]),
      ...(subjectId === null ? [] : [ofSubject(subjectId)]),
      ...(personId === null ? [] : [byPerson(personId)]),
    ],
    limit,
  );
}

/** `limit` entries, the newest first. */
export async function listTrail(db: Queryable, page: TrailPage): Promise<TrailEntry[]> {
  const { text, values } = trailStatement(page);
  return (await db.query<Row>(text, values)).map(withTime);
}

export interface LatestAsked {
  readonly workshopId: string;
  readonly subjectId: string;
  /** Such as `customer.optedOut`. */
  readonly actions: readonly string[];
  /** Changes by this person; absent: by anybody. */
  readonly personId?: string;
}

/** The newest entry of a subject with one of these actions; null: there is none, or it was deleted. */
export async function latestEntry(
  db: Queryable,
  { workshopId, subjectId, actions, personId }: LatestAsked,
): Promise<TrailEntry | null> {
  const { text, values } = pageOf(
    [
      ...[ofWorkshop(workshopId), ofSubject(subjectId)],
      [(is) => `e.action = ANY (${is}::text[])`, actions],
      ...(personId === undefined ? [] : [byPerson(personId)]),
    ],
    1,
  );
  const [row] = await db.query<Row>(text, values);
  return row === undefined ? null : withTime(row);
}

/** The condition on the form is that of the index. */
const byPerson = (personId: string): Condition => [
  (is) => `e.actor = ${is} AND e.actor LIKE 'person %'`,
  storedActor(actors.person(personId, '')),
];

const changesAtMost = 50;

/** Reads the changes of a subject of the workshop after this version of it, with their authors, in the order of the versions: 50 at most. */
export async function changesSince(
  db: Queryable,
  { workshopId, subjectId, version }: ChangesAsked,
): Promise<TrailEntry[]> {
  const { text, values } = pageOf(
    [ofWorkshop(workshopId), ofSubject(subjectId), [(is) => `e.version > ${is}::integer`, version]],
    changesAtMost,
    'e.version, e.id',
  );
  return (await db.query<Row>(text, values)).map(withTime);
}

export interface ChangesAsked {
  readonly workshopId: string;
  readonly subjectId: string;
  readonly version: number;
}
