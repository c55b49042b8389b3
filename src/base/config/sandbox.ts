/** Which messages go to the sandbox, by the configured gateways. */

export interface GatewaySettings {
  readonly smsGateways: readonly unknown[];
  readonly smtp: object | null;
}

/** True when SMS or e-mails, or both, go to the sandbox. */
export function usesSandbox({ smsGateways, smtp }: GatewaySettings): boolean {
  return smsGateways.length === 0 || smtp === null;
}

/** True when all messages go to the sandbox: nothing leaves the machine, so this installation has no real customers. */
export function isSandboxAlone({ smsGateways, smtp }: GatewaySettings): boolean {
  return smsGateways.length === 0 && smtp === null;
}

/** True when others than this machine may read what goes to the sandbox, by PITLANE_SANDBOX. */
export function isSandboxOpen(settings: GatewaySettings & { readonly sandboxForced: boolean }): boolean {
  return settings.sandboxForced && usesSandbox(settings);
}
