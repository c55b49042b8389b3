/**
 * Begins work in turns of the event loop, so much in each: what need not wait (the question whether the process lives) is heard
 * between two turns, however much came at once.
 */
export function inTurns(perTurn: number): (begin: () => void) => void {
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
