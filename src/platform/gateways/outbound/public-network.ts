/** Restricts requests to addresses that others choose: only https at public addresses. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { isPublicAddress } from '#base/values/public-address.ts';
import { type Found, resolveName } from './resolve.ts';

export interface Network {
  /** Checks the URL alone; `connect` looks names up. */
  allows(url: URL): boolean;
  /** For connections: names are looked up here, and refused when an address of theirs is not allowed. */
  readonly connect: buildConnector.BuildOptions;
}

const refusedCode = 'EADDRESSNOTALLOWED';

/** True for the error of a connection whose name leads to an address that is not allowed. */
export function addressIsRefused(error: unknown): boolean {
  return Object(error).code === refusedCode;
}

/**
 * True for the error of a connection whose name is unknown, or leads to an address that is not allowed: callers get the same error
 * for both.
 */
export function nameLeadsNowhere(error: unknown): boolean {
  return addressIsRefused(error) || /^(?:query|getaddrinfo)/.test(Object(error).syscall);
}

type LookedUp = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

type Resolve = (hostname: string, found: Found) => void;

/** `isAllowed`, `connect` (a certificate) and `resolve` are others in tests. */
export function networkOf(
  isAllowed: (address: string) => boolean,
  connect: buildConnector.BuildOptions = {},
  resolve: Resolve = resolveName,
): Network {
  function checked(hostname: string, options: LookupOptions, found: LookedUp): void {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return found(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return found(Object.assign(new Error('the address is not allowed'), { code: refusedCode }), '');
      }
      return options.all ? found(null, addresses) : found(null, first.address, first.family);
    });
  }
  return {
    allows({ protocol, hostname, username, password }) {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      if (protocol !== 'https:' || username !== '' || password !== '') return false;
      // An address is connected to without a look-up.
      return isIP(host) === 0 || isAllowed(host);
    },
    connect: { ...connect, lookup: checked },
  };
}

export const publicNetwork: Network = networkOf(isPublicAddress);

/** For development alone: any address, with TLS or without. */
export const anyNetwork: Network = {
  allows: ({ protocol, username, password }) =>
    ['http:', 'https:'].includes(protocol) && username === '' && password === '',
  connect: {},
};
