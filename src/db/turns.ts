/** Calls that wait to be gathered: who goes into the next batch. No clock, no database. */

export interface TurnLimits {
  readonly rowsAtMost: number;
  readonly bytesAtMost: number;
  /** A call above this goes alone. */
  readonly aloneAboveBytes: number;
}

export interface WaitingCall {
  /** Whose call it is: partners are served in turn. */
  readonly partner: string;
  /** Two calls of one key are never under way together: the second waits for the first. Undefined: nobody's. */
  readonly key: string | undefined;
  readonly bytes: number;
}

export interface Turns<Call> {
  /** Calls of one key, and calls without a key of one partner, leave in the order in which they were added. */
  add(call: Call): void;
  /** Whether a batch could be taken now. */
  hasReady(): boolean;
  /** The next batch: one call of each partner in turn, until a limit is met. Each call is under way until `done`. */
  take(): Call[];
  done(call: Call): void;
}

/** Calls of one key. Its first call is ready, or one of its calls is under way. */
interface Line<Call> {
  readonly calls: Call[];
}

export function createTurns<Call extends WaitingCall>(limits: TurnLimits): Turns<Call> {
  const lines = new Map<string, Line<Call>>();
  /** Lines that are ready, by the partner of their first call. A map iterates in the order of insertion. */
  const ready = new Map<string, Line<Call>[]>();

  function makeReady(line: Line<Call>): void {
    const partner = line.calls[0]?.partner;
    if (partner === undefined) return;
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
    hasReady: () => ready.size > 0,
    take() {
      const taken: Call[] = [];
      let bytes = 0;
      while (taken.length < limits.rowsAtMost) {
        const [next] = ready;
        if (next === undefined) break;
        const [partner, waiting] = next;
        const call = waiting[0]?.calls[0];
        if (call === undefined || !fits(call, taken, bytes)) break;
        waiting.shift()?.calls.shift();
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
