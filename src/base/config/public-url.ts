/** The address at which customers reach this installation: links in messages begin with it. */
import { allowsDemo, type DemoSettings } from './demo.ts';

export interface PublicUrlSettings extends DemoSettings {
  /** PITLANE_PUBLIC_URL. */
  readonly publicUrl: string | null;
  readonly demo: boolean;
  readonly databaseUrl: string | null;
  /** 0: any free port, not known beforehand. */
  readonly port: number;
}

/** Without a slash at its end; null where it is not known: then no message has a link. The demo's is this machine's. */
export function publicUrl(settings: PublicUrlSettings): string | null {
  const { publicUrl: set, demo, databaseUrl, host, port } = settings;
  if (set !== null) return set;
  const isDemo = demo && databaseUrl === null && allowsDemo(settings);
  return isDemo && port !== 0 ? `http://${urlHost(host)}:${port}` : null;
}

/** True for a host that stands for every address of this machine. */
export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The listening address in words: `http://localhost:3000`, or `all addresses, port 3000 (here: http://localhost:3000)`. */
export function listenedOn(host: string, port: number): string {
  const here = `http://${urlHost(host)}:${port}`;
  return isEverywhere(host) ? `all addresses, port ${port} (here: ${here})` : here;
}

/** The host of a URL of this machine: `localhost` if the server listens on all addresses. */
export function urlHost(host: string): string {
  if (host === '127.0.0.1' || host === '::1' || isEverywhere(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
