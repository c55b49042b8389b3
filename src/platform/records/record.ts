/**
 * A record: something that partners make and a workshop's staff act on, declared once, in its domain's `record.ts`.
 * `src/records.ts` names them all. From the declaration come
 * - its list, its feed and one by its id, for partners: `listPartnerRecords` and `requirePartnerRecord` of `partner-records.ts`;
 * - the same for staff, and the commands `list` and `show`: `staff/`, `src/commands/record.ts`;
 * - retention (`purge.ts`), erasure (`erasure/store.ts`), and its counts in `pitlane status`.
 * Verbs, and edges that one record alone needs, stand in its domain.
 */
import type { Config } from '#base/config.ts';
import type { Noun } from '#base/operator-error.ts';
import type { ErrorCode } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { EventKind } from '#platform/events/record.ts';

/**
 * `Item`: what its partner reads. `StaffItem`: what the workshop's staff read. The table has columns `id`, `partner_id`, `workshop_id`,
 * `customer_id`, `version`, `created_at`, `updated_at` and that of the state. Its indexes: partner, state and order; workshop, partner, state and
 * order; partner, `external_id` and `id`; `customer_id`; one for its retention; for a feed what `hasFeed` says. `plans.test.ts` proves those of its lists.
 */
export interface RecordType<
  Item = unknown,
  StaffItem = never,
  Name extends string = string,
  Plural extends string = string,
> {
  /** The key of an answer and of an event's payload: `quote`. */
  readonly name: Name;
  /** The key of a list's items: `quotes`. */
  readonly plural: Plural;
  /** The noun for it on the command line: `quote`. */
  readonly noun: Noun;
  readonly table: string;
  /** The list that its cursors name. */
  readonly list: string;
  /** Column and query parameter of its state, and all states. */
  readonly state: { readonly name: string; readonly all: readonly string[] };
  readonly order: Order;
  /** Its changes can be followed (`updatedSince`): the table has `changed_in`, which a trigger sets (`note_change.sql`), and an index of partner, `changed_in` and `id`. */
  readonly hasFeed: boolean;
  /** The stored form of a code in any notation; null: the record has no code. */
  readonly readCode: ((text: string) => string | null) | null;
  /** The refusal of an id that is not the partner's. */
  readonly notFound: ErrorCode;
  readonly partner: Projection<Item>;
  readonly staff: Projection<unknown> & {
    /** The table of the workshops that partners work with: `partner_id`, `workshop_id`. */
    readonly links: string;
    /** True: the workshop has records of its own too, of no partner. */
    readonly hasOwn?: true;
    /** By option: `partner`, `customer`, `from`, `to` and the record's own. */
    readonly filters: Filters;
  };
  /** The filters of its partner's list and feed, by query parameter, beside the state. */
  readonly filters: Filters;
  /** The kinds of its events. Their payload has the record under its name. */
  readonly events: readonly EventKind[];
  /** Null: it is kept for good. */
  readonly retention: Retention | null;
  readonly erasure: Erasure;
  readonly people: ForPeople<StaffItem>;
}

/** Any record, for code that goes over all of them. */
export type AnyRecord = RecordType;

/** The projection of a row that one side reads: a jsonb expression, and the joins that it needs after a FROM of the table under this name. */
export interface Projection<Item> {
  json(row: string): string;
  joins(row: string): string;
  /** For the compiler alone. */
  readonly item?: Item;
}

/** Newest first: by when it was made, which its id tells; or by an instant in this column, of which the JSON has the key. */
export type Order = 'id' | { readonly column: string; readonly key: string };

export interface Filter {
  /** SQL type of its value. */
  readonly type: string;
  /** The condition on `row`, given the value's parameter. */
  is(value: string): string;
  /** The compared value, made from a text that the schema has checked; undefined: no filter. Unless given, the text itself. */
  read?(text: string): string | Date | undefined;
  /** True when so few rows match that an index finds them. */
  readonly finds?: true;
  /** Throws Problem when the partner may not ask for it. */
  require?(db: Queryable, partnerId: string, value: unknown): Promise<void>;
}
export type Filters = Readonly<Record<string, Filter>>;

export interface Retention {
  /** The setting with the days. */
  readonly days: DaysSetting;
  /** `updated_at`: since its last change, in business time. `id`: since it was made, in machine time. */
  readonly since: 'updated_at' | 'id';
  /** A condition on the rows that may be deleted. */
  readonly where: string;
}
type DaysSetting = { [Name in keyof Config]: Config[Name] extends number ? Name : never }[keyof Config];

/** Parameters of an erasure. */
export interface ErasedPerson {
  readonly workshopId: string;
  readonly customerId: string;
  /** E.164, an array. */
  readonly phones: string;
}

export interface Erasure {
  /** A condition on the rows that are about the person. */
  rows(of: ErasedPerson): string;
  /** The column with a phone (E.164) by which more of the person may be found; null: it has none. */
  readonly phone: string | null;
  /** The value that each column gets. */
  set(of: ErasedPerson): Readonly<Record<string, string>>;
}

/** Fields of each row that staff read. */
export interface StaffRow {
  readonly id: string;
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  readonly partner: string | null;
  /** The time zone of the workshop; IANA name. */
  readonly timezone: string;
  /** The country of the workshop; ISO 3166. */
  readonly country: string;
}

/** How the command line shows values: times in the zone of the workshop, phones and names that are numbers as its country writes them. Null stays null. */
export interface DisplayFormat {
  time(instant: string | null): string | null;
  phone(e164: string | null): string | null;
  name(name: string | null): string | null;
}

type Display<Row> = (row: Row, shown: DisplayFormat) => unknown;

export interface ForPeople<Row> {
  /** The columns of a table, by heading. */
  readonly columns: Readonly<Record<string, Display<Row>>>;
  /** One record, by name. */
  details(row: Row, shown: DisplayFormat): Readonly<Record<string, unknown>>;
}
