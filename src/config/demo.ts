/** Where the demo partner may be: everybody knows its credentials. */
import { isLoopback } from './loopback.ts';

export interface DemoSettings {
  readonly host: string;
  readonly smsGateways: readonly unknown[];
  readonly smtp: object | null;
}

/** Only on this machine, and only while nothing leaves it: a proxy before a loopback address makes it public. */
export function allowsDemo({ host, smsGateways, smtp }: DemoSettings): boolean {
  return isLoopback(host) && smsGateways.length === 0 && smtp === null;
}
