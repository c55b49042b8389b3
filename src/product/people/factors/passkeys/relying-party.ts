/**
 * The host that passkeys are created for, and the origin where they may be used: browsers check the host, the service checks both.
 */

export interface RelyingParty {
  /** The host. */
  readonly id: string;
  /** The origin of the console: scheme, host and port. */
  readonly origin: string;
}

/** Derived from the service's public address; without one, this machine's name and the port it listens on. */
export function relyingPartyOf(publicUrl: string | null, port: number): RelyingParty {
  if (publicUrl === null) return { id: 'localhost', origin: `http://localhost:${port}` };
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
