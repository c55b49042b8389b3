/** The gateways of this process as outlets of the loop: which routes go to which of them now, and how much each takes. */
import type { Context } from '#context.ts';
import type { GatewayLimiter } from '#gateways/limiter/limiter.ts';
import { type ClaimedEntry, claimEntries } from './claim/store.ts';
import type { Outlet } from './loop.ts';
import { waitingRoutes } from './wake/store.ts';

/** At once, to what has no bounds of its own. */
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
  /** Learns which routes there are. */
  learn(): Promise<void>;
}

/** What no gateway of this process is named for: tried there, each message is told that there is none. */
const nowhere: Gateway = { name: 'nowhere' };
const emailName = 'email';

/** How quick a gateway must be for the next messages to stand ready behind those that it has. */
const quickMs = 500;

/**
 * How many messages more than it takes at once a gateway is given, so that it does not wait for a claim, and claims bring some together.
 * None to a gateway that is slow, that has just begun, or that is given less than it could take.
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
    // A gateway alone takes whatever there is.
    if (sms.members === undefined) return smsGateways;
    return names.flatMap((name) => smsGateways.find((gateway) => gateway.name === name) ?? []);
  }

  /** The gateway that would have the next message: one that is only full is waited for. */
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
        // In one go, not one by one.
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
