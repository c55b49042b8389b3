/** What a job that sends is marked with, so that the queue can leave those alone whose gateway takes nothing for now. */

/** What a message goes through. */
export interface Sending {
  readonly channel: 'sms' | 'email';
  readonly workshopId: string;
  /** The workshop's own SMS gateways; null: the installation's. */
  readonly smsGateways: readonly string[] | null;
}

/** What it goes through, and the workshop, for when that changes its gateways. */
export function flagsOf(sending: Sending): string[] {
  return [passageOf(sending), workshopFlag(sending.workshopId)];
}

export const workshopFlag = (workshopId: string) => `workshop:${workshopId}`;

/** `email`; `sms` by the installation's gateways, `sms:kannel,twilio` by the workshop's own. */
export function passageOf({ channel, smsGateways }: Omit<Sending, 'workshopId'>): string {
  return channel === 'sms' && smsGateways !== null ? `sms:${smsGateways.join(',')}` : channel;
}

export interface Passage {
  readonly channel: 'sms' | 'email';
  readonly smsGateways: readonly string[] | null;
}

/** Null for a flag that says something else. */
export function readPassage(flag: string): Passage | null {
  if (flag === 'email' || flag === 'sms') return { channel: flag, smsGateways: null };
  return flag.startsWith('sms:') ? { channel: 'sms', smsGateways: flag.slice(4).split(',') } : null;
}
