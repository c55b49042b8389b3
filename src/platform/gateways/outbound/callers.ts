/**
 * Connections of their own for each caller, so that none waits for another's, also at the same origin; and a bound on what one does
 * at once, wherever it calls. A caller that has been idle leaves nothing behind.
 */
import type { Agent } from 'undici';

interface Caller {
  readonly agent: Agent;
  running: number;
  /** First come, first served; each begins the next. */
  readonly waiting: (() => void)[];
  idle: NodeJS.Timeout | undefined;
}

export interface Callers {
  /** Does the work once the caller has a place: at once, unless it has as much under way as it may. */
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
    // Its place goes on to the next.
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
