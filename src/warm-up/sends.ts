/** The background work of a rehearsal: what follows from its bookings, up to a hand-over to nobody. */
import type { Context } from '#platform/context.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { sendDue } from '#product/sending/sender.ts';
import { reactions } from '#reactions.ts';
import { composers } from '#work.ts';

/** Takes every message and hands none over. Under the names of the real ones, whose routes it serves. */
function nobody(ctx: Context): Context {
  const gatewayId = 'warm-up';
  const nothing = () => undefined;
  return {
    ...ctx,
    // Those of the sandbox keep what they get in the database, so in the rehearsal; but nobody waits for how long an SMS is set to take there.
    ...((!ctx.sandboxAlone || ctx.config.sandboxSmsLatencyMs > 0) && {
      sms: {
        name: ctx.sms.name,
        send: async () => ({ state: 'accepted', gatewayId }),
        lookUp: async () => ({ state: 'unknown' }),
      },
      email: {
        name: ctx.email.name,
        send: async () => ({ state: 'accepted', gatewayId }),
        close: async () => undefined,
      },
    }),
    nudgeRelay: nothing,
    nudgeSender: nothing,
  };
}

/** Relays the events that wait and sends the messages that are due, once. Only for where no others wait. */
export async function rehearseSends(ctx: Context): Promise<void> {
  const own = nobody(ctx);
  await relayBatch(own, reactions);
  await sendDue(own, composers);
}
