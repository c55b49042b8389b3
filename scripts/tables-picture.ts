/** Draws `docs/design/tables.svg` from the text of schema.sql: the chief tables with their foreign keys, and below them every table by its domain. */

interface Table {
  readonly name: string;
  /** Tables that it refers to by foreign keys, itself left out, in the order of the schema. */
  readonly keys: readonly string[];
  /** Tables that columns like `customer_id` name without a foreign key. */
  readonly named: readonly string[];
  readonly hasWorkshop: boolean;
  readonly hasPartner: boolean;
}

interface Domain {
  readonly title: string;
  readonly tables: string;
}

/** Every table, by the domain that writes it; the chief ones first. A new table is added here. */
const domains: readonly Domain[] = [
  {
    title: 'Partners',
    tables: 'partner app_key sign_in access_token refresh_token token_exchange sign_in_attempt developer',
  },
  {
    title: 'Workshops',
    tables: 'workshop link sms_account sms_name_registered workshop_logo workshop_calendar',
  },
  {
    title: 'People',
    tables:
      'person membership session passkey totp recovery_code person_pin passkey_challenge sign_in_code half_sign_in known_browser sign_in_address session_found email_change account_email kept_form form_key desk_rule shown_customer attempt',
  },
  {
    title: 'Customers',
    tables:
      'customer car customer_apart way_out provider_opt_in search_customer search_term search_due search_sweep',
  },
  {
    title: 'Catalogue, availability',
    tables: 'catalogue_service category_limit custom_day workshop_day bay_block day_note',
  },
  { title: 'Bookings', tables: 'booking attendance held_event manage_link page_use' },
  { title: 'Quotes, reminders, calls', tables: 'quote service_reminder call_lead call_back' },
  { title: 'Imports', tables: 'import_file import_run import_row import_change import_form' },
  {
    title: 'Conversations',
    tables:
      'conversation talk talk_note scheduled_text texting_ground message_attachment long_sms unplaced_sms message_rate',
  },
  {
    title: 'Sending',
    tables:
      'message queued_message message_attempt send_queue send_wake send_hold sms_segment sms_day gateway_pace bounce_count mail_refusal sandbox_message',
  },
  { title: 'Templates', tables: 'template template_version' },
  { title: 'Campaigns', tables: 'automation automation_run blast blast_recipient blast_count' },
  {
    title: 'Events, webhooks',
    tables:
      'event partner_event webhook webhook_delivery webhook_secret webhook_lane webhook_wake feed_mark feed_start feed_epoch',
  },
  {
    title: 'Work, installation',
    tables:
      'audit_entry idempotency failed_work dead_letter worker business_clock retention migration secret_key write_probe',
  },
];

/** The chief tables, each at its column and row of the upper picture. */
const chief: Readonly<Record<string, readonly [column: number, row: number]>> = {
  partner: [0, 0],
  link: [1, 0],
  workshop: [2, 0],
  membership: [3, 0],
  person: [4, 0],
  webhook: [0, 1],
  webhook_delivery: [0, 2],
  call_lead: [1, 1],
  customer: [2, 1],
  talk: [3, 1],
  session: [4, 1],
  quote: [1, 2],
  car: [2, 2],
  conversation: [3, 2],
  automation: [4, 2],
  event: [0, 3],
  service_reminder: [1, 3],
  booking: [2, 3],
  message: [3, 3],
  template: [4, 3],
  attendance: [2, 4],
  queued_message: [3, 4],
  blast: [4, 4],
};

const tenants = ['workshop', 'partner', 'link'];

const width = 1_120;
const cell = { width: 212, height: 74, left: 46, top: 84 };
const box = { width: 150, height: 34 };
const card = { columns: 3, width: 342, gap: 15, left: 32, row: 19, head: 34 };
const font = `font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="13"`;

/** The tables of schema.sql, by name. */
function readTables(schema: string): ReadonlyMap<string, Table> {
  const bodies = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([\s\S]*?)\n\)/gm)].map(
    ({ 1: name = '', 2: body = '' }) => ({ name, body }),
  );
  const names = new Set(bodies.map(({ name }) => name));
  return new Map(
    bodies.map(({ name, body }) => {
      const columns = [...body.matchAll(/^ {2}"?(\w+)"? [a-z]/gm)].map(([, column = '']) => column);
      const keys = unique([...body.matchAll(/REFERENCES (\w+)\(/g)].map(([, table = '']) => table));
      const named = unique(columns.flatMap((column) => /^(\w+)_id$/.exec(column)?.[1] ?? []));
      const others = (tables: readonly string[]) =>
        tables.filter((table) => names.has(table) && table !== name);
      return [
        name,
        {
          name,
          keys: others(keys),
          named: others(named).filter((table) => !keys.includes(table) && !otherIds.includes(table)),
          hasWorkshop: columns.includes('workshop_id'),
          hasPartner: columns.includes('partner_id'),
        },
      ];
    }),
  );
}

/** `attempt_id` is an attempt of a message or a delivery, not a row of the table `attempt`, which counts what visitors try. */
const otherIds = ['attempt'];

const unique = (texts: readonly string[]) => [...new Set(texts)];

/** The picture as SVG. Throws where a table stands in no domain, or a domain names one that is not there. */
export function tablesPicture(schema: string): string {
  const tables = readTables(schema);
  const placed = domains.flatMap(({ tables: names }) => names.split(' '));
  const missing = [...tables.keys()].filter((name) => !placed.includes(name));
  const gone = unique([...placed, ...Object.keys(chief)]).filter((name) => !tables.has(name));
  if (missing.length > 0 || gone.length > 0)
    throw new Error(
      `scripts/tables-picture.ts: in no domain: ${missing.join(', ') || 'none'}; not in schema.sql: ${gone.join(', ') || 'none'}`,
    );
  const of = (name: string) => tables.get(name) as Table;
  const chiefBottom = cell.top + 5 * cell.height;
  const cards = cardsFrom(chiefBottom + 60, of);
  const height = cards.bottom + 30;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc" ${font}>`,
    '  <title id="title">The tables</title>',
    '  <desc id="desc">Above, the chief tables and their foreign keys. Below, every table by its domain, with what it refers to.</desc>',
    '  <defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#475569"/></marker></defs>',
    '  <!-- The picture has its own background, so that it can be read on a dark page too. -->',
    `  <rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="12" fill="#f8fafc" stroke="#94a3b8"/>`,
    heading(
      34,
      'The chief tables, and their foreign keys',
      'dashed: a column names the other table without a key',
    ),
    ...Object.keys(chief).flatMap((name) => edgesOf(of(name))),
    ...Object.entries(chief).map(([name, at]) => boxOf(name, at)),
    heading(
      chiefBottom + 34,
      'Every table, by its domain',
      'W: has the workshop, P: has the partner; → what else it refers to',
    ),
    ...cards.lines,
    '</svg>',
  ].join('\n')}\n`;
}

const heading = (y: number, title: string, note: string) =>
  `  <text x="32" y="${y}" font-size="16" font-weight="600" fill="#0f172a">${title}<tspan dx="14" font-size="12" font-weight="400" fill="#475569">${note}</tspan></text>`;

const centreOf = ([column, row]: readonly [number, number]) => ({
  x: cell.left + column * cell.width + box.width / 2,
  y: cell.top + row * cell.height + box.height / 2,
});

function boxOf(name: string, at: readonly [number, number]): string {
  const { x, y } = centreOf(at);
  return `  <rect x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="6" fill="#ffffff" stroke="#6366f1"/><text x="${x}" y="${y + 5}" text-anchor="middle" font-weight="600" fill="#0f172a">${name}</text>`;
}

/** Lines to the other chief tables: none through a box, and to the tenants from their neighbours alone, since nearly every table has them. */
function edgesOf(table: Table): string[] {
  const from = chief[table.name];
  if (from === undefined) return [];
  const line = (name: string, isKey: boolean): string[] => {
    const to = chief[name];
    if (to === undefined) return [];
    const [across, down] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    const isFar = Math.max(across, down) > 1;
    const isThroughOthers = isFar && (across === 0 || down === 0);
    if (isThroughOthers || (isFar && tenants.includes(name))) return [];
    const [a, b] = [centreOf(from), centreOf(to)];
    const [begin, end] = [borderTowards(a, b), borderTowards(b, a)];
    const dash = isKey ? '' : ' stroke-dasharray="5 4"';
    return [
      `  <path d="M${begin.x} ${begin.y} ${end.x} ${end.y}" fill="none" stroke="#475569" stroke-width="1.3"${dash} marker-end="url(#head)"/>`,
    ];
  };
  return [
    ...table.keys.flatMap((name) => line(name, true)),
    ...table.named.flatMap((name) => line(name, false)),
  ];
}

/** Where the line from the centre of a box towards another point leaves the box. */
function borderTowards(a: { x: number; y: number }, b: { x: number; y: number }) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : box.height / 2 / Math.abs(dy),
  );
  return { x: Math.round(a.x + dx * share), y: Math.round(a.y + dy * share) };
}

/** A card for each domain, each in the column that is the shortest so far. */
function cardsFrom(top: number, of: (name: string) => Table): { lines: string[]; bottom: number } {
  const bottoms = Array.from({ length: card.columns }, () => top);
  const lines = domains.flatMap(({ title, tables }) => {
    const names = tables.split(' ');
    const column = bottoms.indexOf(Math.min(...bottoms));
    const x = card.left + column * (card.width + card.gap);
    const y = bottoms[column] ?? top;
    const height = card.head + names.length * card.row + 8;
    bottoms[column] = y + height + card.gap;
    return [
      `  <rect x="${x}" y="${y}" width="${card.width}" height="${height}" rx="8" fill="#ffffff" stroke="#94a3b8"/>`,
      `  <text x="${x + 14}" y="${y + 23}" font-weight="600" fill="#4338ca">${title}</text>`,
      ...names.map((name, n) => rowOf(of(name), x, y + card.head + n * card.row + 13)),
    ];
  });
  return { lines, bottom: Math.max(...bottoms) };
}

function rowOf({ name, keys, named, hasWorkshop, hasPartner }: Table, x: number, y: number): string {
  const marks = `${hasWorkshop ? 'W' : ''}${hasPartner ? 'P' : ''}`;
  const others = [...keys, ...named].filter((each) => !tenants.includes(each));
  const weight = name in chief ? ' font-weight="600"' : '';
  const room = card.width - 52;
  const isLong = `${name} → ${others.join(', ')}`.length * 6 > room;
  const fit = isLong ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';
  const end =
    others.length === 0 ? '' : `<tspan fill="#475569" font-weight="400"> → ${others.join(', ')}</tspan>`;
  return `  <text x="${x + 14}" y="${y}" font-size="11" fill="#4338ca">${marks}</text><text x="${x + 38}" y="${y}" font-size="12" fill="#0f172a"${weight}${fit}>${name}${end}</text>`;
}
