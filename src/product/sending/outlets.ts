/** The gateways of this process as outlets of the loop: which routes each gateway serves now, and how many messages it takes. */
import type { Context } from '#platform/context.ts';
import type { GatewayLimiter } from '#platform/gateways/limiter/limiter.ts';
import { type ClaimedEntry, claimEntries } from './claim/store.ts';
import { classes } from './kinds.ts';
import type { Outlet } from './loop.ts';

/** The classes of an outlet, and whether its messages yield to others at the limiter. */
interface Which {
  readonly classes: readonly number[];
  readonly yields: boolean;
}

/** Campaigns have their own outlet, so that they never use up the room of replies and notices. */
const { campaign, ...before } = classes;
const urgent: Which = { classes: Object.values(before), yields: false };
const campaigns: Which = { classes: [campaign], yields: true };
const all: Which = { classes: Object.values(classes), yields: false };

/** The concurrency of a gateway without a limiter. */
const unboundedRoom = 100;

export interface Begun {
  readonly entry: ClaimedEntry;
  /** Machine time, before the claim. */
  readonly begunAt: Date;
}

interface Gateway {
  readonly name: string;
  readonly limiter?: GatewayLimiter;
}

export interface Outlets {
  readonly all: readonly Outlet<Begun>[];
  /** These routes have work. */
  learn(routes: readonly string[]): void;
}

/** The outlet of routes whose gateways are not configured in this process: each of their messages is refused with that reason. */
const nowhere: Gateway = { name: 'nowhere' };
const emailName = 'email';

/** Only a gateway whose calls take at most this long gets messages in reserve. */
const quickMs = 500;

/**
 * How many messages a gateway gets beyond its concurrency, so that it need not wait for the next claim, and one claim takes
 * several. Zero for a gateway that is slow, has just started, or gets fewer messages than it could take.
 */
function aheadOf(limiter: GatewayLimiter, yields: boolean): () => number {
  let usualMs = Number.POSITIVE_INFINITY;
  limiter.watch(({ ms }) => {
    if (ms !== null) usualMs = usualMs === Number.POSITIVE_INFINITY ? ms : 0.8 * usualMs + 0.2 * ms;
  });
  return () =>
    usualMs < quickMs && limiter.capacity(yields) === limiter.concurrency ? limiter.concurrency : 0;
}

export function outletsOf(ctx: Context): Outlets {
  const { db, config, clock, sms, email } = ctx;
  const smsGateways: readonly Gateway[] = sms.members ?? [sms];
  let routes: readonly string[] = [];

  /** The configured gateways of a route such as `sms:kannel,twilio`, in the order in which they are tried. */
  function gatewaysOf(route: string): readonly Gateway[] {
    if (route === 'email') return [];
    const names = route.startsWith('sms:') ? route.slice(4).split(',') : (sms.usual ?? [sms.name]);
    // A single gateway takes all routes.
    if (sms.members === undefined) return smsGateways;
    return names.flatMap((name) => smsGateways.find((gateway) => gateway.name === name) ?? []);
  }

  /** The gateway that the next message would go to, even when it is full at the moment. */
  function placeOf(route: string): Gateway | null {
    const gateways = gatewaysOf(route);
    if (gateways.length === 0) return nowhere;
    for (const gateway of gateways) {
      const { limiter } = gateway;
      if (
        limiter === undefined ||
        (limiter.capacity() > 0 && (limiter.room() > 0 || limiter.state().breaker === 'closed'))
      )
        return gateway;
    }
    return null;
  }

  function outlet(
    name: string,
    limiter: GatewayLimiter | undefined,
    takes: (route: string) => boolean,
    which: Which = all,
  ): Outlet<Begun> {
    const { yields } = which;
    const ahead = limiter === undefined ? () => 0 : aheadOf(limiter, yields);
    return {
      name,
      room(running) {
        const capacity = limiter?.capacity(yields) ?? unboundedRoom;
        if (capacity === 0) return 0;
        const { first, yielding } = limiter?.load() ?? { first: 0, yielding: 0 };
        const more = ahead();
        const room =
          capacity + more - (yields ? first + Math.max(running, yielding) : Math.max(running, first));
        // Zero until the whole reserve fits, so that one claim fills it instead of one claim for each message.
        return room >= more ? Math.max(room, 0) : 0;
      },
      async claim(room) {
        const own = routes.filter(takes);
        if (own.length === 0) return { works: [], hasMore: false };
        const begunAt = clock.machineNow();
        const { entries, moreDue } = await claimEntries(db, {
          routes: own,
          room,
          smsGateway: sms.name,
          emailGateway: email.name,
          exemptCountries: config.optOutExemptCountries,
          classes: which.classes,
          now: clock.now(),
        });
        const works = entries.map((entry) => ({ entry, begunAt }));
        return { works, hasMore: entries.length >= room || moreDue };
      },
      watchRoom: (watcher) => limiter?.watchRoom(watcher),
    };
  }

  const ofSms = [...smsGateways, nowhere].flatMap((gateway) => {
    const takes = (route: string) => route !== 'email' && placeOf(route) === gateway;
    return [
      outlet(gateway.name, gateway.limiter, takes, urgent),
      outlet(`${gateway.name} (campaigns)`, gateway.limiter, takes, campaigns),
    ];
  });
  return {
    all: [...ofSms, outlet(emailName, email.limiter, (route) => route === 'email')],
    learn(waiting) {
      routes = waiting;
    },
  };
}
