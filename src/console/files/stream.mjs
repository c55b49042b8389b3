/** The event stream of a workshop: which of its records changed. It reconnects whenever it breaks. */

const soonMs = 2_000;
const laterMs = 15_000;

/**
 * Calls `tell` with `{ ready }` at each connection, `{ changed: [{ kind, id }] }`, `{ present: { conversationId, people } }`, and
 * `{ broken, refused }` when it ends: a browser reconnects by itself unless the stream is refused. Returns `open`, which connects again, and `close`.
 */
export function openStream(path, tell) {
  let source;
  let timer;
  let waitMs = soonMs;
  const close = () => {
    clearTimeout(timer);
    source?.close();
  };
  const open = () => {
    close();
    const it = new EventSource(path);
    source = it;
    it.addEventListener('ready', () => {
      waitMs = soonMs;
      tell({ ready: true });
    });
    it.addEventListener('changed', ({ data }) => tell({ changed: JSON.parse(data) }));
    it.addEventListener('present', ({ data }) => tell({ present: JSON.parse(data) }));
    it.addEventListener('error', () => {
      const refused = it.readyState === EventSource.CLOSED;
      tell({ broken: true, refused });
      if (!refused || source !== it) return;
      timer = setTimeout(open, waitMs * (1 + Math.random() / 4));
      waitMs = laterMs;
    });
  };
  open();
  return { open, close };
}
