/**
 * Starts queued work in several turns of the event loop, a fixed number of calls in each. Requests that need no queue, such as
 * health checks, are served between two turns, however many requests came at once.
 */
export function inEventLoopTurns(perTurn: number): (begin: () => void) => void {
  const waiting: (() => void)[] = [];

  function turn(): void {
    for (const begin of waiting.splice(0, perTurn)) begin();
    if (waiting.length > 0) setImmediate(turn);
  }

  return (begin) => {
    waiting.push(begin);
    if (waiting.length === 1) setImmediate(turn);
  };
}
