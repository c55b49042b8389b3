/** A worker that sends the notices of bookings which were made while none ran. */
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import type { Found, Size } from './bench.ts';
import { say } from './beside.ts';
import { customerOrder } from './bookings.ts';
import { createBody } from './create-sql.ts';
import { deliverLimit, drainNotices } from './flows.ts';
import type { SharedInstallation } from './shared.ts';

const poolSize = 20;

export async function drainRow({ quick }: Size, shared: SharedInstallation): Promise<Found> {
  say('Draining notifications …');
  const bookings = quick ? 200 : 1_500;
  const notices = bookings * 4;
  const { db: before, clock, server, made } = await shared.running();
  await before.query('UPDATE event SET relayed_at = $1 WHERE relayed_at IS NULL', [clock.now()]);
  const caller = await shared.caller();
  for (const n of customerOrder.slice(0, bookings)) {
    const response = await fetch(`http://127.0.0.1:${server.port}/bookings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-partner-id': caller.partnerId,
        authorization: `Bearer ${caller.token}`,
      },
      body: JSON.stringify(createBody(made.workshopId, n)),
    });
    if (response.status !== 201) throw new Error(`a booking gave ${response.status}`);
    await response.text();
  }
  const worker = await shared.running({ env: { PITLANE_ROLE: 'worker' }, poolSize });
  const api = await drainNotices(worker.db, notices);
  // Without the worker, which would deliver some of them.
  const { db } = await shared.running({ poolSize });
  const limit = await deliverLimit({ db, outbox: sandboxOutbox(db, clock), clock, notices });
  const limitName = 'driver loop, the same statements of a delivery';
  return { rows: [{ name: `Drain ${notices} notices`, limitName, api, limit }] };
}
