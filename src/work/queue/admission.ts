/**
 * Which jobs a runner may take: no more that send through one gateway than it has places, and none while it takes nothing.
 * So a gateway that is slow or dead leaves the other places to other jobs, and its own jobs wait unspent.
 */
import type { Context } from '#context.ts';
import type { Lane } from '#gateways/lane/lane.ts';
import { readPassage } from '../flags.ts';

export type Gateways = Pick<Context, 'sms' | 'email'>;

export interface Admission {
  /** How many jobs at once: a place for each that a gateway may have, and some for all else. */
  readonly places: number;
  /** For each time that a job is looked for. */
  fetch(): Fetch;
  /** Takes a place for a job; null when there is none for it. What it returns gives the place back. */
  begin(flags: readonly string[]): (() => void) | null;
  /** True when no job with this flag may be taken now. */
  isClosed(flag: string): boolean;
  /** Resolves when a place is given back. */
  freed(): Promise<void>;
  /** True, once, when a fetch left out what there is a place for by now: another look may be worth it. */
  isWorthALook(): boolean;
}

export interface Fetch {
  /** The flags of jobs that it must not bring. */
  readonly forbidden: string[];
  /** True when it can bring nothing that sends. */
  readonly isPointless: boolean;
  /** It has ended, with a job or without. */
  end(): void;
}

const placesAtLeast = 20;
/** For what sends nothing, and what goes to the sandbox. */
const placesBeside = 10;

export function lanesOf({ sms, email }: Gateways): readonly Lane[] {
  return [...(sms.members ?? [sms]), email].flatMap(({ lane }) => (lane === undefined ? [] : [lane]));
}

export function createAdmission(gateways: Gateways): Admission {
  const { sms, email } = gateways;
  const lanes = lanesOf(gateways);
  /** Jobs under way. */
  const taken = new Map<Lane, number>();
  /** Fetches under way that may bring a job: they hold a place until it is known what they bring. */
  const reserved = new Map<Lane, number>();
  /** True when a fetch left something out for the sake of another one alone. */
  let wasKept = false;
  /** Flags are made of what workshops have chosen: they are learnt as they come. */
  const known = new Set(['sms', 'email']);
  let nextFreed = Promise.withResolvers<void>();

  /** Empty for what has no lane: it has no bounds either. */
  function routeOf(flag: string): readonly Lane[] {
    const passage = readPassage(flag);
    if (passage === null) return [];
    if (passage.channel === 'email') return email.lane === undefined ? [] : [email.lane];
    const names = passage.smsGateways ?? sms.usual ?? [sms.name];
    return names.flatMap((name) => (sms.members ?? [sms]).find((member) => member.name === name)?.lane ?? []);
  }

  /** The lane of the gateway that would have the message, as the router goes: one that is only full is waited for. */
  function place(route: readonly Lane[], load: (lane: Lane) => number): Lane | null {
    for (const lane of route) {
      const capacity = lane.capacity();
      if (load(lane) < capacity) return lane;
      if (capacity > 0 && lane.state().breaker === 'closed') return null;
    }
    return null;
  }

  function giveBack(counts: Map<Lane, number>, lane: Lane): void {
    add(counts, lane, -1);
    nextFreed.resolve();
    nextFreed = Promise.withResolvers<void>();
  }

  const jobsIn = (lane: Lane) => taken.get(lane) ?? 0;
  const allIn = (lane: Lane) => jobsIn(lane) + (reserved.get(lane) ?? 0);

  function isClosed(flag: string): boolean {
    const route = routeOf(flag);
    return route.length > 0 && place(route, allIn) === null;
  }

  return {
    places: Math.max(
      placesAtLeast,
      lanes.reduce((sum, { concurrency }) => sum + concurrency, placesBeside),
    ),
    isClosed,
    freed: () => nextFreed.promise,

    isWorthALook() {
      if (!wasKept || ![...known].some((flag) => routeOf(flag).length > 0 && !isClosed(flag))) return false;
      wasKept = false;
      return true;
    },

    fetch() {
      const forbidden = [...known].filter(isClosed);
      const allowed = [...known].filter((flag) => !forbidden.includes(flag));
      wasKept ||= forbidden.some((flag) => place(routeOf(flag), jobsIn) !== null);
      const held = new Set(allowed.flatMap((flag) => place(routeOf(flag), allIn) ?? []));
      for (const lane of held) add(reserved, lane, 1);
      return {
        forbidden,
        isPointless: allowed.length === 0,
        end() {
          for (const lane of held) giveBack(reserved, lane);
          held.clear();
        },
      };
    },

    begin(flags) {
      for (const flag of flags) {
        if (readPassage(flag) !== null) known.add(flag);
      }
      const route = flags.flatMap(routeOf);
      if (route.length === 0) return () => undefined;
      const lane = place(route, jobsIn);
      if (lane === null) return null;
      add(taken, lane, 1);
      return () => giveBack(taken, lane);
    },
  };
}

function add(counts: Map<Lane, number>, lane: Lane, change: number): void {
  counts.set(lane, (counts.get(lane) ?? 0) + change);
}
