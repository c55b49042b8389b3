/** Where a page hears what changed: from the worker of this browser, or, where there is none, by a stream of its own. */
import { openStream } from './stream.mjs';

/** `tell` hears what a stream tells, and of one that was open before: `{ joined }` when it has said all that this page may miss, else `{ behind }`. Returns `start` and `stop`, as the page is shown and hidden. */
export function sourceOf(path, tell) {
  let worker = null;
  let stream = null;
  let isOn = false;
  const start = (since) => {
    isOn = true;
    if (worker !== null) worker.port.postMessage({ path, since });
    else stream ??= openStream(path, tell);
  };
  const stop = () => {
    isOn = false;
    worker?.port.postMessage({ path: null });
    stream?.close();
    stream = null;
  };
  try {
    worker = new SharedWorker(new URL('worker.mjs', import.meta.url), {
      ...{ type: 'module', name: 'console', extendedLifetime: true },
    });
    worker.port.onmessage = ({ data }) => isOn && tell(data);
    worker.onerror = () => {
      worker = null;
      if (isOn) start();
    };
  } catch {
    worker = null;
  }
  return { start, stop };
}
