/** A process that keeps a core busy until its parent is gone. */
process.once('disconnect', () => process.exit());

function turn() {
  const until = performance.now() + 50;
  while (performance.now() < until);
  setImmediate(turn);
}
turn();
