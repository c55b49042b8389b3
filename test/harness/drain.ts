/** Runs all background work in this process until none is left, without loops or waiting. */
import type { Context } from '#platform/context.ts';
import { relayBatch } from '#platform/events/batch.ts';
import type { Reactions } from '#platform/events/reaction.ts';
import { keepSearch } from '#product/customers/search/keep.ts';
import { sendDue } from '#product/sending/sender.ts';
import { deliverDue } from '#product/webhooks/deliveries/deliverer.ts';
import { reactions as allReactions } from '#reactions.ts';
import { composers } from '#work.ts';
import { tryFailedAgain } from './failed-work.ts';
import { makeAllDue } from './sending.ts';

const roundsAtMost = 500;

export interface DrainOptions {
  /** Sends messages that wait for a retry too, until they are given up. Without it they stay queued. */
  readonly retries?: boolean;
  /** Instead of those of `reactions.ts`. */
  readonly reactions?: Reactions;
}

/** Relays all events, has customers found, sends all messages and delivers all webhooks that are due. */
export async function drain(ctx: Context, options: DrainOptions = {}): Promise<void> {
  const { retries = false, reactions = allReactions } = options;
  for (let round = 0; round < roundsAtMost; round++) {
    const relayed = await relayBatch(ctx, reactions);
    const sent = await sendDue(ctx, composers);
    const delivered = await deliverDue(ctx);
    if (relayed > 0 || sent > 0 || delivered > 0) continue;
    await keepSearch(ctx);
    if (!retries || (await makeAllDue(ctx.db)) + (await tryFailedAgain(ctx)) === 0) return;
  }
  throw new Error(`background work was not done after ${roundsAtMost} rounds`);
}
