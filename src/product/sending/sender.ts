/** Sends queued messages: claims them for the gateways that have room, hands them over, and records the outcomes. */

import { actors } from '#base/values/actor.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { createScanWindow } from '#platform/db/scan-window.ts';
import type { EmailComposers } from './compose.ts';
import { type Finish, finishOf } from './finish/outcome.ts';
import { recordFinish } from './finish/store.ts';
import { kinds } from './kinds.ts';
import { turns } from './lease/store.ts';
import { type Loop, startLoop } from './loop.ts';
import { type Begun, outletsOf } from './outlets.ts';
import { reconcile } from './reconcile.ts';
import { send } from './send.ts';
import { stopped } from './stopped.ts';
import { takeWakes } from './wake/store.ts';

/** Starts sending, until `stop`; any number of processes may send on one database. */
export function startSender(ctx: Context, composers: EmailComposers): Loop {
  const { db, log } = ctx;
  const outlets = outletsOf(ctx);
  const scans = createScanWindow();
  return startLoop({
    outlets: outlets.all,
    async prepare() {
      outlets.learn(await takeWakes(db, scans));
    },
    run: (begun, ended) => work(ctx, composers, begun, ended),
    renew: (works) =>
      turns.renew(
        db,
        works.map(({ entry }) => entry),
      ),
    failed: (err, what) => log.error({ err, what }, 'the sender failed and will try again'),
  });
}

/**
 * One pass, for tests and tools: claims what is due and has room, sends it, and records it. Returns how many entries it processed;
 * more may be due.
 */
export async function sendDue(ctx: Context, composers: EmailComposers): Promise<number> {
  const outlets = outletsOf(ctx);
  outlets.learn(await takeWakes(ctx.db));
  let count = 0;
  for (const outlet of outlets.all) {
    const room = outlet.room(0);
    const { works } = room > 0 ? await outlet.claim(room) : { works: [] };
    count += works.length;
    await Promise.all(works.map((each) => work(ctx, composers, each)));
  }
  return count;
}

async function work(
  ctx: Context,
  composers: EmailComposers,
  begun: Begun,
  ended: () => void = () => undefined,
): Promise<void> {
  const { id: messageId } = begun.entry;
  try {
    const finish = await outcomeOf(ctx, composers, begun);
    ended();
    await changeAtOnce(ctx, () => recordFinish(ctx.db, finish));
  } catch (err) {
    ctx.log.error(
      { err, messageId },
      'an outcome could not be recorded; it is reconciled after its lease ends',
    );
  }
}

async function outcomeOf(
  ctx: Context,
  composers: EmailComposers,
  { entry, begunAt }: Begun,
): Promise<Finish> {
  const { id: messageId, attemptId, action, kind, channel, tries } = entry;
  const followed =
    action === 'send'
      ? await send(ctx, composers, entry, begunAt)
      : action === 'reconcile'
        ? await reconcile(ctx, entry)
        : stopped[action];
  const givenUp = followed.givenUp === true && kinds[kind].deadLetter;
  if (givenUp) {
    const { reason, detail } = followed;
    ctx.log.error({ messageId, kind, channel, tries, reason, detail }, 'a message is given up');
  }
  return finishOf({
    messageId,
    attemptId,
    now: ctx.clock.now(),
    ...followed,
    givenUp,
    actor: actors.schedule,
  });
}
