/** Which host passkeys are made for, and where they may be used: browsers hold to the one, the service to both. */

export interface RelyingParty {
  /** The host. */
  readonly id: string;
  /** Where the console is opened: scheme, host and port. */
  readonly origin: string;
}

/** The service's address as forms are compared with it; without one this machine's, on the port that is listened on. */
export function relyingPartyOf(publicUrl: string | null, port: number): RelyingParty {
  if (publicUrl === null) return { id: 'localhost', origin: `http://localhost:${port}` };
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
