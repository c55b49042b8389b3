/** A browser's answer about a passkey: JSON of `PublicKeyCredential.toJSON()`, from a form. */

/**
 * The id of a credential: base64url of at most 1,023 bytes, the maximum of WebAuthn. Other ids are neither looked up nor stored.
 */
const credentialId = /^[A-Za-z0-9_-]{1,1364}$/;

/** Parses what is needed before the verification; null for an invalid answer. */
export function readResponse<CredentialResponse extends { readonly id: string; readonly response: object }>(
  text: string,
): CredentialResponse | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const { id, response } = (typeof read === 'object' && read !== null ? read : {}) as Record<string, unknown>;
  const isId = typeof id === 'string' && credentialId.test(id);
  const isAnswer = isId && typeof response === 'object' && response !== null;
  return isAnswer ? (read as CredentialResponse) : null;
}

/** The verification throws for every invalid answer; returns null then. */
export async function verified<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/** The user handle that an authenticator stores for a person: the bytes of the id. */
export const handleOf = (personId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(personId.replaceAll('-', ''), 'hex'));
