/**
 * Separate connections for each caller, also at the same origin, so that no caller waits for another's; and a limit on the
 * concurrent calls of each. Idle callers are removed.
 */
import type { Agent } from 'undici';

interface Caller {
  readonly agent: Agent;
  running: number;
  /** Waiting calls, first come, first served; each one that ends starts the next. */
  readonly waiting: (() => void)[];
  idle: NodeJS.Timeout | undefined;
}

export interface Callers {
  /** Runs the work once the caller has a permit: at once, unless it has as many calls under way as it may. */
  run<T>(name: string, work: (agent: Agent) => Promise<T>): Promise<T>;
  /** How many have connections, or had some until a moment ago. */
  size(): number;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface CallersOptions {
  /** The most that one caller has under way. */
  readonly atOnce: number;
  /** How long a caller's connections outlive its last call, in milliseconds. */
  readonly idleMs: number;
  readonly makeAgent: () => Agent;
}

export function createCallers({ atOnce, idleMs, makeAgent }: CallersOptions): Callers {
  const callers = new Map<string, Caller>();

  function callerOf(name: string): Caller {
    const known = callers.get(name);
    if (known !== undefined) return known;
    const caller: Caller = { agent: makeAgent(), running: 0, waiting: [], idle: undefined };
    callers.set(name, caller);
    return caller;
  }

  function leave(name: string, caller: Caller): void {
    const next = caller.waiting.shift();
    // The permit passes to the next call.
    if (next !== undefined) {
      next();
      return;
    }
    caller.running--;
    if (caller.running > 0) return;
    caller.idle = setTimeout(() => {
      callers.delete(name);
      void caller.agent.destroy();
    }, idleMs).unref();
  }

  return {
    async run(name, work) {
      const caller = callerOf(name);
      clearTimeout(caller.idle);
      if (caller.running < atOnce) caller.running++;
      else await new Promise<void>((resolve) => caller.waiting.push(resolve));
      try {
        return await work(caller.agent);
      } finally {
        leave(name, caller);
      }
    },
    size: () => callers.size,
    async close() {
      for (const { idle } of callers.values()) clearTimeout(idle);
      await Promise.all([...callers.values()].map(({ agent }) => agent.destroy()));
    },
  };
}
