/** How long work keeps the event loop to itself. */

/** Milliseconds of CPU of this process in the longest turn of the event loop while `work` runs; what others of the machine do counts for nothing. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [before, longest, isOver] = [process.cpuUsage(), 0, false];
  const turn = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => {
    isOver = true;
  });
  turn();
  return longest;
}
