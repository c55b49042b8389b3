/** Stops the process on signals, and when `bin/launch.mjs`, which started it, is gone. */
import { constants } from 'node:os';

/** A signal this long after the first one requests an immediate end; an earlier one is the same Ctrl-C, delivered twice. */
const forcedAfterMs = 1_000;

/**
 * Calls `stop` when the launcher is gone, even by `kill -9`. Does nothing when there is none, and never keeps the process
 * alive.
 */
export function stopWithLauncher(stop: () => void): void {
  if (process.send === undefined) return;
  if (!process.connected) {
    stop();
    return;
  }
  process.once('disconnect', stop);
  process.channel?.unref();
}

/**
 * Calls `stop` once: at the first SIGINT, SIGTERM or SIGHUP, or when the launcher is gone. One Ctrl-C may arrive twice (from
 * the terminal and through npm); a signal a second or more after the first ends the process at once.
 */
export function stopOnSignals(stop: (reason: string) => void): void {
  let stopping = false;
  let mayForce = false;
  const request = (reason: string) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      mayForce = true;
    }, forcedAfterMs).unref();
    stop(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (mayForce) process.exit(128 + constants.signals[signal]);
      request(signal);
    });
  }
  stopWithLauncher(() => request('the launcher is gone'));
}
