/**
 * The gateways of this process as outlets of the loop: which routes go to which gateway now, and how many messages each takes.
 */
import type { Context } from '#context.ts';
import type { GatewayLimiter } from '#gateways/limiter/limiter.ts';
import { type ClaimedEntry, claimEntries } from './claim/store.ts';
import type { Outlet } from './loop.ts';
import { waitingRoutes } from './wake/store.ts';

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
  /** Sets the routes that have something to do. */
  learn(): Promise<void>;
}

/** The outlet of routes whose gateways this process lacks: each message is refused with that reason. */
const nowhere: Gateway = { name: 'nowhere' };
const emailName = 'email';

/** A gateway gets messages in reserve only when it is this quick. */
const quickMs = 500;

/**
 * How many messages a gateway gets beyond its concurrency, so that it does not wait for the next claim, and claims take several
 * at once. None for a gateway that is slow, that has just started, or that gets fewer messages than it could take.
 */
function aheadOf(limiter: GatewayLimiter): () => number {
  let usualMs = Number.POSITIVE_INFINITY;
  limiter.watch(({ ms }) => {
    if (ms !== null) usualMs = usualMs === Number.POSITIVE_INFINITY ? ms : 0.8 * usualMs + 0.2 * ms;
  });
  return () => (usualMs < quickMs && limiter.capacity() === limiter.concurrency ? limiter.concurrency : 0);
}

export function outletsOf(ctx: Context): Outlets {
  const { db, config, clock, sms, email } = ctx;
  const smsGateways: readonly Gateway[] = sms.members ?? [sms];
  let routes: readonly string[] = [];

  /** `sms:kannel,twilio` → its gateways here, in the order in which they are tried. */
  function gatewaysOf(route: string): readonly Gateway[] {
    if (route === 'email') return [];
    const names = route.startsWith('sms:') ? route.slice(4).split(',') : (sms.usual ?? [sms.name]);
    // A single gateway takes all routes.
    if (sms.members === undefined) return smsGateways;
    return names.flatMap((name) => smsGateways.find((gateway) => gateway.name === name) ?? []);
  }

  /** The gateway that the next message would go to: a full one is waited for. */
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
  ): Outlet<Begun> {
    const ahead = limiter === undefined ? () => 0 : aheadOf(limiter);
    return {
      name,
      room(running) {
        const capacity = limiter?.capacity() ?? unboundedRoom;
        if (capacity === 0) return 0;
        const { inFlight, waiting } = limiter?.state() ?? { inFlight: 0, waiting: 0 };
        const more = ahead();
        const room = capacity + more - Math.max(running, inFlight + waiting);
        // All in one step, not one by one.
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
          now: clock.now(),
        });
        const works = entries.map((entry) => ({ entry, begunAt }));
        return { works, hasMore: entries.length >= room || moreDue };
      },
      watchRoom: (watcher) => limiter?.watchRoom(watcher),
    };
  }

  const ofSms = [...smsGateways, nowhere].map((gateway) =>
    outlet(gateway.name, gateway.limiter, (route) => route !== 'email' && placeOf(route) === gateway),
  );
  return {
    all: [...ofSms, outlet(emailName, email.limiter, (route) => route === 'email')],
    async learn() {
      routes = await waitingRoutes(db);
    },
  };
}
