/** What is measured: each operation's requests, made from what is in the database of a side. */
import { randomInt } from 'node:crypto';
import { foundAtMost } from '#product/customers/search/find.ts';
import { type Caller, rawRequest } from '../http.ts';
import { customersOfWorkshop, daysBack } from './shape.ts';
import type { Side } from './side.ts';

export interface Operation {
  readonly name: string;
  readonly expectedStatus: number;
  readonly connections: number;
  /** May take longer the more there is. */
  readonly isReport?: true;
  /** Made again for each round. */
  readonly isFresh?: true;
  readonly requests: (side: Side) => Promise<string[]>;
}

interface Sample {
  readonly workshopId: string;
  readonly bookingId: string;
  readonly phone: string;
  readonly email: string;
  readonly name: string;
  readonly rego: string;
}

/** Few enough that each is asked for before rates count, and some of each workshop. */
const samples = 4_000;
const day = 86_400_000;

/** Bookings of the large partner, as many of each workshop; nine of ten are of the last months. */
async function sampleOf({ db, workshops }: Side, of: number = samples): Promise<Sample[]> {
  return db.query<Sample>(
    `SELECT o.id AS workshop_id, growth.booking_id(w, n) AS booking_id, growth.phone(w, k) AS phone, growth.email(w, k) AS email,
            growth.first_name(w, k) || ' ' || growth.last_name(w, k) AS name, growth.rego(w, k) AS rego
       FROM generate_series(0, $1::int - 1) AS i
      CROSS JOIN LATERAL (SELECT (i * 7919) % $2::int AS w, CASE WHEN i % 10 = 0 THEN (i * 31) % 500 ELSE 400 + (i * 31) % 100 END * 10 + i % 2 AS n) AS one
      CROSS JOIN LATERAL (SELECT growth.customer_of(w, n) AS k) AS who JOIN growth.workshop o ON o.number = w ORDER BY i`,
    [of, workshops],
  );
}

/** Customers of all workshops in turn, each once in as many as there are. */
async function phonesOf({ db, workshops }: Side) {
  return db.query<Pick<Sample, 'workshopId' | 'phone'>>(
    `SELECT o.id AS workshop_id, growth.phone(o.number, i / $2::int * 7919 % ${customersOfWorkshop}) AS phone
       FROM generate_series(0, $1::int - 1) AS i JOIN growth.workshop o ON o.number = i % $2::int ORDER BY i`,
    [samples, workshops],
  );
}

const bodyOf = ({ workshopId, phone, email, name, rego }: Sample, n: number) => ({
  ...{ workshopId, carRego: rego, carMake: 'Toyota' },
  bookingTime: new Date(Date.now() + (20 + (n % 300)) * day).toISOString(),
  ...{
    customerName: name,
    customerPhone: phone,
    customerEmail: email.replace(/^/, n % 3 === 0 ? 'new.' : ''),
    notes: 'Squeaks when braking',
  },
});

/** Every third is of somebody new. */
export function createRequestsOf(caller: Caller, all: readonly Sample[]): string[] {
  return all.map((one, n) => {
    const phone = n % 3 === 0 ? `+6142${String(randomInt(10_000_000)).padStart(7, '0')}` : one.phone;
    return rawRequest(caller, 'POST', '/bookings', bodyOf({ ...one, phone }, n));
  });
}

/** For `bookings` of them where that is more than a sample: nobody books more than some twenty times. */
export const creates = async (side: Side, bookings = samples) =>
  createRequestsOf(side.caller, await sampleOf(side, Math.max(samples, Math.ceil(bookings / 20))));

const get =
  (path: (one: Sample) => string) =>
  async (side: Side): Promise<string[]> =>
    (await sampleOf(side)).map((one) => rawRequest(side.caller, 'GET', path(one)));

/** The pages of a list from the twentieth on. */
const farPages = (path: string) => async (side: Side) => {
  const requests: string[] = [];
  let cursor: string | null = null;
  for (let page = 1; page <= 30; page++) {
    const query: string = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    if (page > 20) requests.push(rawRequest(side.caller, 'GET', query));
    const response = await fetch(`http://127.0.0.1:${side.port}${query}`, {
      headers: { 'x-partner-id': side.caller.partnerId, authorization: `Bearer ${side.caller.token}` },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const found = (await response.json()) as { nextCursor?: string | null };
    cursor = found.nextCursor ?? null;
    if (cursor === null) break;
  }
  if (requests.length === 0) throw new Error(`${path} has no twentieth page`);
  return requests;
};

const changesOf = (days: number) =>
  `/bookings?limit=50&updatedSince=${new Date(Date.now() - days * day).toISOString()}`;

const desksOf = (paths: readonly string[]) => async (side: Side) => {
  const requests: string[] = [];
  for (let number = 0; number < Math.min(20, side.workshops); number++) {
    const desk = await side.desk(Math.floor((number * side.workshops) / 20));
    requests.push(...paths.map(desk));
  }
  return requests;
};

/** What people type. A session may see only that many customers an hour, so each desk searches for a part. */
async function finds(side: Side): Promise<string[]> {
  const requests: string[] = [];
  const texts = 2_000 / foundAtMost;
  for (let number = 0; number < 12; number++) {
    const w = Math.floor((number * side.workshops) / 12);
    const rows = await side.db.query<{
      phone: string;
      rego: string;
      first: string;
      last: string;
      code: string;
    }>(
      `SELECT growth.phone($1, k) AS phone, growth.rego($1, k) AS rego, growth.first_name($1, k) AS first, growth.last_name($1, k) AS last,
              growth.code($1, k) AS code FROM generate_series(1, $2::int) AS i CROSS JOIN LATERAL (SELECT (i * 7919 + $3) % ${customersOfWorkshop} AS k) AS one`,
      [w, texts, randomInt(customersOfWorkshop)],
    );
    const desk = await side.desk(w);
    const typed = rows.map(({ phone, rego, first, last, code }, n) => {
      const texts = [
        ...[
          rego,
          rego.slice(0, 4),
          `${rego.slice(0, 3)} ${rego.slice(3)}`,
          `0${phone.slice(3)}`,
          phone.slice(-6),
        ],
        ...[
          last,
          last.slice(0, 3),
          `${first} ${last}`,
          last.slice(2, 7),
          code,
          code.slice(0, 4),
          phone.slice(-4),
        ],
      ];
      return texts[n % texts.length] ?? last;
    });
    requests.push(...typed.map((q) => desk(`find?${new URLSearchParams({ q })}`)));
  }
  return requests;
}

const jsonRequest = (path: string, body: object, partnerId: string) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Partner-ID: ${partnerId}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

const year = () => {
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `from=${date(Date.now() - 365 * day)}&to=${date(Date.now())}&timezone=Australia%2FMelbourne`;
};

/** At few connections: what is compared is the work for a request, not how requests wait for each other. */
const few = { expectedStatus: 200, connections: 8 };
const one = { expectedStatus: 200, connections: 1 };

export const operations: readonly Operation[] = [
  { name: 'POST /bookings', expectedStatus: 201, connections: 8, requests: (side) => creates(side) },
  {
    name: 'PUT /bookings/{id}',
    ...few,
    requests: async (side) =>
      (await sampleOf(side)).map(({ bookingId }, n) =>
        rawRequest(side.caller, 'PUT', `/bookings/${bookingId}`, { notes: `Squeaks ${n}` }),
      ),
  },
  { name: 'GET /bookings/{id}', ...few, requests: get(({ bookingId }) => `/bookings/${bookingId}`) },
  { name: 'GET /bookings', ...few, requests: get(() => '/bookings?limit=50') },
  {
    name: 'GET /bookings of a workshop',
    ...few,
    requests: get(({ workshopId }) => `/bookings?limit=50&workshopId=${workshopId}`),
  },
  { name: 'GET /bookings, a far page', ...few, requests: farPages('/bookings?limit=50') },
  // Of all time: pages of fifty on either side.
  { name: 'GET /bookings, a far page of changes', ...few, requests: farPages(changesOf(2 * daysBack)) },
  // Where bookings have been made, which the creations above do, it has fifty on either side too.
  { name: 'GET /bookings, changes of a day', ...few, requests: get(() => changesOf(1)) },
  { name: 'GET /events', ...few, requests: get(() => '/events?limit=50') },
  {
    name: 'POST /workshops/{id}/messages',
    ...few,
    // Of all customers: one may be sent five messages a second.
    requests: async (side) =>
      (await phonesOf(side)).map(({ workshopId, phone }, n) =>
        rawRequest(side.caller, 'POST', `/workshops/${workshopId}/messages`, {
          phone: n % 3 === 0 ? `+6143${String(randomInt(10_000_000)).padStart(7, '0')}` : phone,
          channels: { sms: { message: 'Your car is ready to collect.' } },
        }),
      ),
  },
  {
    name: 'Availabilities',
    ...few,
    requests: get(({ workshopId }) => `/workshops/${workshopId}/availabilities`),
  },
  {
    name: 'POST /auth/token',
    ...few,
    requests: async ({ credentials: { partnerId, appKey, secret } }) => [
      jsonRequest('/auth/token', { appKey, secret }, partnerId),
    ],
  },
  { name: 'Console: Find', ...one, isFresh: true, requests: finds },
  { name: 'Console: Today', ...one, requests: desksOf(['today']) },
  { name: 'Console: Week', ...one, requests: desksOf(['week']) },
  { name: 'Console: Inbox', ...one, requests: desksOf(['inbox?filter=waiting', 'inbox?filter=all']) },
  { name: 'Console: a workshop’s report', ...one, isReport: true, requests: desksOf(['report']) },
  {
    name: 'GET /reports/partner, a year by day',
    ...one,
    isReport: true,
    requests: async ({ caller }) => [rawRequest(caller, 'GET', `/reports/partner?${year()}&groupBy=day`)],
  },
];
