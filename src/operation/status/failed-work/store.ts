/** SQL of the subject of a dead letter, whose payload holds only an id. */

import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';

/** For people, and with the ids that other commands take. */
export type WorkSubject = Readonly<Record<string, string | null>>;

/** The parties of failed work; null: there is none, or the subject was deleted. */
export interface Parties {
  readonly workshopId: string | null;
  /** The workshop's name. */
  readonly workshop: string | null;
  /** The partner's name. */
  readonly partner: string | null;
  /** A phone or e-mail address. */
  readonly recipient: string | null;
}

interface Source {
  /** The subject's table and its joins; `w` is the workshop, where it has one. */
  readonly from: string;
  readonly id: string;
  /** The columns that describe the subject. */
  readonly shown: string;
  /** False: it has no workshop. */
  readonly hasWorkshop?: boolean;
  readonly partnerId?: string;
  readonly recipient?: string;
}

const workshopOf = (table: string) => `JOIN workshop w ON w.id = ${table}.workshop_id`;

/** By the name of the id in the payload. */
const sources: Readonly<Record<string, Source>> = {
  messageId: {
    from: `message m ${workshopOf('m')} LEFT JOIN booking b ON b.id = m.booking_id LEFT JOIN event e ON e.id = m.cause_id`,
    id: 'm.id',
    shown: `w.name AS workshop, m.kind, e.kind AS event, m.audience, m.channel, m.recipient, m.conversation_id,
      b.code AS booking, m.booking_id, m.subject, m.body AS text`,
    partnerId: 'coalesce(m.partner_id, e.partner_id, b.partner_id)',
    recipient: 'm.recipient',
  },
  eventId: {
    from: `event e ${workshopOf('e')}`,
    id: 'e.id',
    shown: 'w.name AS workshop, e.kind AS event, e.subject_id::text AS subject',
    partnerId: 'e.partner_id',
  },
  reminderId: {
    from: `service_reminder r ${workshopOf('r')}`,
    id: 'r.id',
    shown: 'w.name AS workshop, r.code AS reminder, r.status',
    partnerId: 'r.partner_id',
  },
  runId: {
    from: `automation_run r ${workshopOf('r')} JOIN automation a ON a.id = r.automation_id`,
    id: 'r.id',
    shown: 'w.name AS workshop, a.name AS automation, r.status',
    partnerId: 'r.partner_id',
  },
  blastId: {
    from: `blast b ${workshopOf('b')}`,
    id: 'b.id',
    shown: 'w.name AS workshop, b.name AS blast, b.status',
    partnerId: 'b.partner_id',
  },
  quoteId: {
    from: `quote q ${workshopOf('q')}`,
    id: 'q.id',
    shown: 'w.name AS workshop, q.code AS quote, q.status',
    partnerId: 'q.partner_id',
  },
  attachmentId: {
    from: `message_attachment a ${workshopOf('a')}`,
    id: 'a.id',
    shown: 'w.name AS workshop, a.gateway, a.state, a.message_id::text AS message_id',
  },
  scheduledTextId: {
    from: `scheduled_text t ${workshopOf('t')} JOIN customer c ON c.id = t.customer_id`,
    id: 't.id',
    shown: 'w.name AS workshop, t.customer_id::text AS customer_id, t.body AS text',
    recipient: 'c.phone',
  },
  customerId: {
    from: `customer c ${workshopOf('c')}`,
    id: 'c.id',
    shown: 'w.name AS workshop, c.id::text AS customer_id',
  },
  importId: {
    from: `import_file f ${workshopOf('f')}`,
    id: 'f.id',
    shown: 'w.name AS workshop, f.id::text AS import_id',
  },
  importRunId: {
    from: `import_run r ${workshopOf('r')}`,
    id: 'r.id',
    shown: 'w.name AS workshop, r.id::text AS import_id',
  },
  workshopId: { from: 'workshop w', id: 'w.id', shown: 'w.name AS workshop' },
  accountEmailId: {
    from: 'account_email a LEFT JOIN workshop w ON w.id = a.workshop_id',
    id: 'a.id',
    shown: 'w.name AS workshop, a.kind',
    partnerId: 'a.partner_id',
    recipient: 'a.email',
  },
  webhookId: {
    from: 'webhook d JOIN partner owner ON owner.id = d.partner_id LEFT JOIN workshop w ON w.id = d.workshop_id',
    id: 'd.id',
    shown: 'owner.name AS partner, d.status',
    partnerId: 'd.partner_id',
  },
  longSmsId: {
    from: 'long_sms s',
    id: 's.id',
    shown: 's.gateway, s.sender AS "from", s.recipient AS "to"',
    hasWorkshop: false,
    recipient: 's.recipient',
  },
  unplacedId: {
    from: 'unplaced_sms s',
    id: 's.id',
    shown: 's.sender AS "from", s.recipient AS "to", s.body AS text',
    hasWorkshop: false,
    recipient: 's.recipient',
  },
};

type Payload = Readonly<Record<string, unknown>>;

/** Where the subject of a payload is read, and its id; null: it has none that we know. */
function placeOf(payload: Payload): { readonly source: Source; readonly id: string } | null {
  for (const [name, source] of Object.entries(sources)) {
    const id = payload[name];
    if (typeof id === 'string' && isId(id)) return { source, id: id.toLowerCase() };
  }
  return null;
}

/** Null for a payload without one of these ids, or when the subject was deleted. */
export async function subjectOf(db: Queryable, payload: Payload): Promise<WorkSubject | null> {
  const place = placeOf(payload);
  if (place === null) return null;
  const { from, id, shown } = place.source;
  const [subject] = await db.query<Record<string, string | null>>(
    `SELECT ${shown} FROM ${from} WHERE ${id} = $1`,
    [place.id],
  );
  return subject === undefined ? null : known(subject);
}

const known = (subject: WorkSubject): WorkSubject =>
  Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== null));

const nobody: Parties = { workshopId: null, workshop: null, partner: null, recipient: null };

/** Reads the parties of each payload, in their order; one statement for each kind of subject among them. */
export async function partiesOf(db: Queryable, payloads: readonly Payload[]): Promise<Parties[]> {
  const places = payloads.map(placeOf);
  const idsBySource = Map.groupBy(
    places.filter((place) => place !== null),
    ({ source }) => source,
  );
  const found = new Map<string, Parties>();
  for (const [source, its] of idsBySource) {
    const ids = its.map(({ id }) => id);
    for (const { id, ...parties } of await readParties(db, source, ids)) found.set(id, parties);
  }
  return places.map((place) => (place && found.get(place.id)) ?? nobody);
}

function readParties(
  db: Queryable,
  { from, id, hasWorkshop = true, partnerId = 'NULL::uuid', recipient = 'NULL::text' }: Source,
  ids: readonly string[],
): Promise<(Parties & { readonly id: string })[]> {
  const workshop = hasWorkshop
    ? 'w.id AS workshop_id, w.name AS workshop'
    : 'NULL::uuid AS workshop_id, NULL AS workshop';
  return db.query(
    `SELECT ${id}, ${workshop}, p.name AS partner, ${recipient} AS recipient
       FROM ${from} LEFT JOIN partner p ON p.id = ${partnerId} WHERE ${id} = ANY ($1::uuid[])`,
    [ids],
  );
}
