/**
 * An error that nobody has caught fails the test during which it came. Loaded before Node's runner (`--import`), which follows each
 * promise to know whose it is, a tenth of what the tests cost: here it does so only while a file is loaded, when tests and suites find
 * the one that they belong to.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
let follow: (promises: boolean) => void = () => undefined;

// The runner's is the first, and the only one.
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook;
  const all = createHook(callbacks);
  const others = createHook({ ...callbacks, trackPromises: false });
  follow = (promises) => {
    (promises ? others : all).disable();
    (promises ? all : others).enable();
  };
  return all;
};

/** Runs what declares tests. */
export async function declaring(work: () => Promise<unknown>): Promise<void> {
  follow(true);
  await work().finally(() => follow(false));
}

let uncaught: unknown[] = [];
const keep = (error: unknown) => void uncaught.push(error);
process.on('uncaughtException', keep);
process.on('unhandledRejection', keep);

/** Throws the first error that nobody has caught since the last call. */
export function throwUncaught(): void {
  const errors = uncaught;
  uncaught = [];
  if (errors.length > 0) throw errors[0];
}
