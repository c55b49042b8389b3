/** The parts of this package that the embedding program uses. */
export type { NumberType } from './address.ts';
export type { Endpoint } from './dial.ts';
export type { Host } from './host.ts';
export type { SmppOptions } from './options.ts';
export { smppSms } from './smpp.ts';
export type { VendorClass, VendorCodes } from './status.ts';
