/** SMPP by its package, which is loaded when the first gateway is made. */
import { type Clock, systemClock } from '#base/clock.ts';
import { encodingOf } from '#base/values/sms-alphabet.ts';
import { splitSms } from '#base/values/sms-text.ts';
import type { Host, SmppOptions } from '#smpp';
import { decodeOctets } from './charset.ts';
import { type OutboundSms, type SmsGateway, type SmsListener, usualValidityMs } from './gateway.ts';
import { encodeGsm7 } from './gsm7.ts';

/** The services that Pitlane supplies to the package. */
export const smppHost = (clock: Pick<Clock, 'machineNow'>): Host => ({
  machineNow: () => clock.machineNow(),
  usualValidityMs,
  isGsm7: (text) => encodingOf([...text]) === 'gsm7',
  split: splitSms,
  encodeGsm7,
  decode: decodeOctets,
});

/** The types of the parameters let the compiler hold Pitlane's contract against that of the package. */
export async function smppSms(options: SmppOptions, clock: Clock = systemClock()): Promise<SmsGateway> {
  const { smppSms } = await import('#smpp');
  const gateway = smppSms(options, smppHost(clock));
  return {
    ...gateway,
    start: (listener: SmsListener) => gateway.start(listener),
    send: (sms: OutboundSms, signal: AbortSignal) => gateway.send(sms, signal),
  };
}
