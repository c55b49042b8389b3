/** A fair queue of calls that wait for a batch: partners are served in turn. No clock, no database. */

export interface BatchLimits {
  readonly rowsAtMost: number;
  readonly bytesAtMost: number;
  /** A call that is larger than this goes alone. */
  readonly aloneAboveBytes: number;
}

export interface WaitingCall {
  /** The partner of the call: partners are served in turn. */
  readonly partner: string;
  /** Two calls of one key are never in flight together: the second waits for the first. Undefined: no key. */
  readonly key: string | undefined;
  readonly bytes: number;
}

export interface FairQueue<Call> {
  /** Calls of one key, and calls without a key of one partner, leave in the order in which they were added. */
  add(call: Call): void;
  /** How many calls could go into batches now. */
  ready(): number;
  /**
   * The next batch of at most that many calls: one of each partner in turn, until a limit is reached. Each call is under way until
   * `done`.
   */
  take(atMost?: number): Call[];
  done(call: Call): void;
}

/** Calls of one key. Its first call is ready, or one of its calls is under way. */
interface Line<Call> {
  readonly calls: Call[];
}

export function createFairQueue<Call extends WaitingCall>(limits: BatchLimits): FairQueue<Call> {
  const lines = new Map<string, Line<Call>>();
  /** Lines that are ready, by the partner of their first call. A map iterates in the order of insertion. */
  const ready = new Map<string, Line<Call>[]>();
  let readyCount = 0;

  function makeReady(line: Line<Call>): void {
    const partner = line.calls[0]?.partner;
    if (partner === undefined) return;
    readyCount++;
    const waiting = ready.get(partner);
    if (waiting === undefined) ready.set(partner, [line]);
    else waiting.push(line);
  }

  function fits(call: Call, taken: readonly Call[], bytes: number): boolean {
    if (taken.length === 0) return true;
    return call.bytes <= limits.aloneAboveBytes && bytes + call.bytes <= limits.bytesAtMost;
  }

  return {
    add(call) {
      const line = call.key === undefined ? undefined : lines.get(call.key);
      if (line !== undefined) {
        line.calls.push(call);
        return;
      }
      const own = { calls: [call] };
      if (call.key !== undefined) lines.set(call.key, own);
      makeReady(own);
    },
    ready: () => readyCount,
    take(atMost = limits.rowsAtMost) {
      const taken: Call[] = [];
      let bytes = 0;
      while (taken.length < Math.min(atMost, limits.rowsAtMost)) {
        const [next] = ready;
        if (next === undefined) break;
        const [partner, waiting] = next;
        const call = waiting[0]?.calls[0];
        if (call === undefined || !fits(call, taken, bytes)) break;
        waiting.shift()?.calls.shift();
        readyCount--;
        ready.delete(partner);
        if (waiting.length > 0) ready.set(partner, waiting);
        taken.push(call);
        bytes += call.bytes;
        if (call.bytes > limits.aloneAboveBytes) break;
      }
      return taken;
    },
    done({ key }) {
      const line = key === undefined ? undefined : lines.get(key);
      if (key === undefined || line === undefined) return;
      if (line.calls.length === 0) lines.delete(key);
      else makeReady(line);
    },
  };
}
