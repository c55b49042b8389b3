/** Encrypts what the database or a link holds and only this installation may read (AES-256-GCM), and signs what it will know again (HMAC-SHA-256). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Config } from '#base/config.ts';
import { loadSecretKey } from '#base/secret-key.ts';

/** The purpose of a sealed text. Each has a key of its own, so a text that was sealed for one can't be opened for another. */
export type SealingPurpose =
  | 'bookingLink'
  | 'feedCursor'
  | 'keptForm'
  | 'pin'
  | 'presence'
  | 'signInCode'
  | 'signInEmail'
  | 'totpOffer'
  | 'totpSeed'
  | 'wayOut'
  | 'webhookSecret';

/** The purpose of a signature, with a key of its own too. */
export type SigningPurpose = 'replyAddress' | 'bounceAddress' | 'signInCodeHash';

export interface Sealing {
  /**
   * Encrypts a text, or bytes; the result is base64url, and differs each time. `context` says where the result belongs (an id, say): it
   * opens there alone.
   */
  seal(purpose: SealingPurpose, content: string | Buffer, context?: string): string;
  /** The text again; null when it was changed, was sealed for something else, or under a key that is not known here. */
  open(purpose: SealingPurpose, sealed: string, context?: string): string | null;
  /** The same for bytes. */
  openBytes(purpose: SealingPurpose, sealed: string, context?: string): Buffer | null;
  /** False for what a former key sealed: it has to be sealed again before that key is dropped. */
  isCurrent(sealed: string): boolean;
  /** The first bytes of the signature of a text: as many as the place has, at least 10. */
  sign(purpose: SigningPurpose, text: string, bytes: number): Buffer;
  /** True for a signature of that text, under the current key or a former one. */
  isSigned(purpose: SigningPurpose, text: string, signature: Buffer): boolean;
}

const cipher = 'aes-256-gcm';
/** A sealed text begins with this many bytes that tell which key it is under. */
const markBytes = 4;
/** As NIST SP 800-38D recommends for GCM. */
const nonceBytes = 12;
const tagBytes = 16;
const signatureAtLeast = 10;

/** The installation's sealing: seals under the current key, and opens what former ones sealed. Throws ConfigError as `loadSecretKey` does. */
export function loadSealing(config: Pick<Config, 'dataDir' | 'secretKey' | 'formerSecretKeys'>): Sealing {
  return createSealing([loadSecretKey(config), ...(config.formerSecretKeys ?? [])]);
}

/** `keys`: 32 bytes each; the first is the current one. */
export function createSealing(keys: readonly [Buffer, ...Buffer[]]): Sealing {
  const [current, ...former] = keys.map((key) => ({ key, mark: markOf(key) }));
  if (current === undefined) throw new RangeError('a sealing needs a key');
  const known = [current, ...former];

  function openBytes(purpose: SealingPurpose, sealed: string, context = ''): Buffer | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < markBytes + nonceBytes + tagBytes) return null;
    const key = known.find(({ mark }) => mark.equals(bytes.subarray(0, markBytes)))?.key;
    if (key === undefined) return null;
    const nonce = bytes.subarray(markBytes, markBytes + nonceBytes);
    const decrypting = createDecipheriv(cipher, derive(key, purpose), nonce, { authTagLength: tagBytes });
    decrypting.setAAD(Buffer.from(context));
    decrypting.setAuthTag(bytes.subarray(-tagBytes));
    try {
      const body = bytes.subarray(markBytes + nonceBytes, -tagBytes);
      return Buffer.concat([decrypting.update(body), decrypting.final()]);
    } catch {
      return null;
    }
  }

  return {
    seal(purpose, content, context = '') {
      const nonce = randomBytes(nonceBytes);
      const encrypting = createCipheriv(cipher, derive(current.key, purpose), nonce);
      encrypting.setAAD(Buffer.from(context));
      const body = Buffer.concat([encrypting.update(Buffer.from(content)), encrypting.final()]);
      return Buffer.concat([current.mark, nonce, body, encrypting.getAuthTag()]).toString('base64url');
    },
    open: (...sealed) => openBytes(...sealed)?.toString('utf8') ?? null,
    openBytes,
    sign(purpose, text, bytes) {
      if (bytes < signatureAtLeast) throw new RangeError('a signature that short could be guessed');
      return signatureOf(current.key, purpose, text).subarray(0, bytes);
    },
    isSigned(purpose, text, signature) {
      if (signature.length < signatureAtLeast) return false;
      return known.some(({ key }) => {
        const right = signatureOf(key, purpose, text).subarray(0, signature.length);
        return right.length === signature.length && timingSafeEqual(right, signature);
      });
    },
    isCurrent: (sealed) => Buffer.from(sealed, 'base64url').subarray(0, markBytes).equals(current.mark),
  };
}

const signatureOf = (key: Buffer, purpose: SigningPurpose, text: string) =>
  createHmac('sha256', derive(key, purpose)).update(text).digest();

const derive = (key: Buffer, purpose: SealingPurpose | SigningPurpose) =>
  Buffer.from(hkdfSync('sha256', key, '', `pitlane ${purpose}`, 32));

/** Tells keys apart, and nothing about them. */
const markOf = (key: Buffer) =>
  createHash('sha256').update('pitlane key mark').update(key).digest().subarray(0, markBytes);
