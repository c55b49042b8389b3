/** Whole addresses of pages, for people to copy. */
import { publicUrl, urlHost } from '#base/config/public-url.ts';
import type { Config } from '#base/config.ts';
import { note } from './output.ts';

/** The address of a path of this installation. If its public address is unknown, it is that of this machine, and a note says so. */
export function addressOf(config: Config, path: string): string {
  const known = publicUrl(config);
  if (known !== null) return known + path;
  note('This is the address on this machine: with PITLANE_PUBLIC_URL it is the one that others reach.');
  return `http://${urlHost(config.host)}:${config.port}${path}`;
}
