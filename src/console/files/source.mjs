/** The source of a page's hints: the shared worker of this browser, or, where there is none, the page's own event stream. */
import { openStream } from './stream.mjs';

/**
 * Calls `tell` with each message of the stream. Of a stream that was open before: `{ joined }` when the messages since the page's
 * request have been repeated, else `{ behind }`. Returns `start` and `stop`, for when the page is shown and hidden.
 */
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
