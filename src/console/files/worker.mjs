/**
 * One stream a workshop for all pages of this browser (SharedWorker). Pages join when they are shown, and leave when they are
 * hidden.
 */
import { openStream } from './stream.mjs';

const portsAtMost = 50;
/** The stream stays open this long after the last page: usually the next page follows. */
const lingerMs = 5_000;
const keptMs = 30_000;
const keptAtMost = 500;

/** Workshops, by the path of their stream. */
const places = new Map();

function open(path) {
  const place = { ports: new Set(), kept: [], readyAt: null, end: null };
  const tell = (message) => {
    if (message.ready) Object.assign(place, { readyAt: Date.now(), kept: [] });
    if (message.broken) place.readyAt = null;
    if (message.changed) keep(place, message.changed);
    place.last = message;
    for (const port of place.ports) port.postMessage(message);
  };
  place.stream = openStream(path, tell);
  places.set(path, place);
  return place;
}

/** Recent messages, for a page that was rendered before them. When there are too many, pages fetch themselves instead. */
function keep(place, changed) {
  const at = Date.now();
  place.kept = place.kept.filter((one) => at - one.at < keptMs);
  place.kept.push({ at, changed });
  if (place.kept.length > keptAtMost) Object.assign(place, { kept: [], readyAt: at });
}

/** `since`: when the page was requested, in ms; it may not show later changes. */
function come(port, path, since) {
  const place = places.get(path) ?? open(path);
  clearTimeout(place.end);
  place.ports.delete(port);
  place.ports.add(port);
  // A crashed page never leaves.
  if (place.ports.size > portsAtMost) place.ports.delete(place.ports.values().next().value);
  const { readyAt, kept, last } = place;
  if (readyAt === null) {
    if (last?.broken) port.postMessage(last);
    return;
  }
  const isWhole = readyAt <= since && Date.now() - since < keptMs;
  port.postMessage(isWhole ? { joined: true } : { behind: true });
  if (!isWhole) return;
  const missed = kept.flatMap(({ at, changed }) => (at >= since ? changed : []));
  if (missed.length > 0) port.postMessage({ changed: missed });
}

function leave(port) {
  for (const [path, place] of places) {
    if (!place.ports.delete(port) || place.ports.size > 0) continue;
    place.end = setTimeout(() => {
      place.stream.close();
      places.delete(path);
    }, lingerMs);
  }
}

self.addEventListener('connect', ({ ports: [port] }) => {
  port.onmessage = ({ data: { path, since } }) => (path === null ? leave(port) : come(port, path, since));
});

// A computer that slept has connections that look open and are not.
let awakeAt = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - awakeAt > keptMs) for (const { stream } of places.values()) stream.open();
  awakeAt = now;
}, 10_000);
