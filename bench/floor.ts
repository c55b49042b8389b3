/**
 * The floor that the API is compared with: Fastify and `pg`, plainly put together, in a process of its own that `bench/system.ts`
 * starts. It creates a booking in one transaction (customer, booking, four rows to send later), reads one of its own, and reads
 * one of Pitlane's by the same select. No authentication, no tenancy, no events, no idempotency.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import pg from 'pg';

export interface FloorOptions {
  readonly url: string;
  /** The select of GET /bookings/{id}, with the booking's id as $1 and the partner's as $2. */
  readonly select: string;
  readonly partnerId: string;
  readonly workshopId: string;
}

const tables = `
  CREATE SCHEMA floor;
  CREATE TABLE floor.customer (id uuid PRIMARY KEY, workshop_id uuid NOT NULL, phone text NOT NULL, name text NOT NULL, email text NOT NULL,
    UNIQUE (phone, workshop_id));
  CREATE TABLE floor.booking (id uuid PRIMARY KEY, workshop_id uuid NOT NULL, customer_id uuid NOT NULL REFERENCES floor.customer (id),
    rego text NOT NULL, make text, date timestamptz NOT NULL, notes text, created_at timestamptz NOT NULL);
  CREATE TABLE floor.outbox (id uuid PRIMARY KEY, booking_id uuid NOT NULL, audience text NOT NULL, channel text NOT NULL,
    payload jsonb NOT NULL, sent_at timestamptz);
  INSERT INTO floor.customer SELECT id, workshop_id, phone, name, email FROM customer;
  INSERT INTO floor.booking SELECT b.id, b.workshop_id, b.customer_id, c.rego, c.make, b.date, b.notes, b.created_at
    FROM booking b JOIN car c ON c.id = b.car_id;
  ANALYZE floor.customer; ANALYZE floor.booking;`;

const body = {
  type: 'object',
  required: ['carRego', 'bookingTime', 'customerName', 'customerPhone', 'customerEmail'],
  properties: Object.fromEntries(
    ['carRego', 'carMake', 'bookingTime', 'customerName', 'customerPhone', 'customerEmail', 'notes'].map(
      (name) => [name, { type: 'string', maxLength: 10_000 }],
    ),
  ),
};

async function serve({ url, select, partnerId, workshopId }: FloorOptions): Promise<number> {
  // Idle connections make room for pgbench.
  const pool = new pg.Pool({ connectionString: url, max: 16, idleTimeoutMillis: 500 });
  await pool.query(tables);
  const app = fastify();

  app.post<{ Body: Record<string, string> }>('/bookings', { schema: { body } }, async (request, reply) => {
    const sent = request.body;
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const customer = await client.query<{ id: string }>({
        name: 'customer',
        text: `INSERT INTO floor.customer (id, workshop_id, phone, name, email) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (phone, workshop_id) DO UPDATE SET name = excluded.name, email = excluded.email RETURNING id`,
        values: [
          randomUUID(),
          workshopId,
          sent['customerPhone'],
          sent['customerName'],
          sent['customerEmail'],
        ],
      });
      const booking = await client.query({
        name: 'booking',
        text: 'INSERT INTO floor.booking VALUES ($1, $2, $3, $4, $5, $6, $7, now()) RETURNING *',
        values: [
          ...[randomUUID(), workshopId, customer.rows[0]?.id, sent['carRego'], sent['carMake']],
          ...[sent['bookingTime'], sent['notes']],
        ],
      });
      const row = booking.rows[0];
      await client.query({
        name: 'outbox',
        text: `INSERT INTO floor.outbox SELECT gen_random_uuid(), $1, audience, channel, $2
                 FROM (VALUES ('customer', 'sms'), ('customer', 'email'), ('workshop', 'sms'), ('workshop', 'email')) AS each (audience, channel)`,
        values: [row.id, JSON.stringify(row)],
      });
      await client.query('COMMIT');
      reply.code(201);
      return { success: true, booking: row };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });

  const read = (name: string, text: string, values: (id: string) => unknown[]) =>
    app.get<{ Params: { id: string } }>(`/${name}/:id`, async (request, reply) => {
      const { rows } = await pool.query({ name, text, values: values(request.params.id) });
      if (rows.length === 0) reply.code(404);
      return { success: true, booking: rows[0]?.booking ?? rows[0] };
    });
  read('bookings', 'SELECT * FROM floor.booking WHERE id = $1', (id) => [id]);
  read('same', select, (id) => [id, partnerId]);

  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

process.once('message', (options: FloorOptions) => {
  void serve(options).then((port) => process.send?.(port));
});
