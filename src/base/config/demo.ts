/** Where the demo partner is allowed: its credentials are public. */
import { isLoopback } from './loopback.ts';
import { type GatewaySettings, isSandboxAlone } from './sandbox.ts';

export interface DemoSettings extends GatewaySettings {
  readonly host: string;
}

/** Only on this machine, and only while nothing leaves it: a proxy before a loopback address makes it public. */
export function allowsDemo(settings: DemoSettings): boolean {
  return isLoopback(settings.host) && isSandboxAlone(settings);
}
