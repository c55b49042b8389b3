/** The setting that says what a carrier's own statuses mean. */
import type { VendorClass, VendorCodes } from '#smpp';
import { entriesOf } from '../kinds.ts';
import { ConfigError, type Kind } from '../setting.ts';

/** The reasons of `sms.reason` that a carrier's status may stand for. */
const vendorClasses = [
  'invalidNumber',
  'refused',
  'optedOut',
  'temporarilyRefused',
  'gatewayUnavailable',
] as const satisfies readonly VendorClass[];

/** A status is a number of 32 bits, and 0 is success. */
const code = /^(?:0x[0-9a-f]{1,8}|\d{1,10})$/i;
const highestCode = 0xffffffff;

/** `0x401=gatewayUnavailable,0x40b=invalidNumber`: in hexadecimal or decimal, SMPP's own codes too where a carrier uses them otherwise. */
export const vendorCodes: Kind<VendorCodes> = {
  form: `statuses, each with one of ${vendorClasses.map((name) => `\`${name}\``).join(', ')}`,
  parse(given, name) {
    const found = new Map<number, VendorClass>();
    for (const entry of entriesOf(given)) {
      const [codeText = '', classText = '', ...more] = entry.split('=').map((part) => part.trim());
      const vendorClass = vendorClasses.find((known) => known === classText);
      const value = code.test(codeText) ? Number(codeText) : 0;
      if (value < 1 || value > highestCode || vendorClass === undefined || more.length > 0) {
        throw new ConfigError(
          `${name}: ${entry} is not a status and one of ${vendorClasses.join(', ')}, such as 0x401=gatewayUnavailable`,
        );
      }
      if (found.has(value)) throw new ConfigError(`${name} names ${codeText} twice`);
      found.set(value, vendorClass);
    }
    return found;
  },
};
