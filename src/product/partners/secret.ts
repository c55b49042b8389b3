/** App keys and their secrets: 256 random bits each, with a prefix that secret scanners can look for. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** The cost of making, and of verifying, an argon2id hash. */
export interface HashCost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const usualCost: HashCost = { memory: 19_456, passes: 2 };
const parallelism = 1;
const tagLength = 32;

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** `ptl_key_…`: names a key; not secret, but not guessable either. */
export function newAppKey(): string {
  return `ptl_key_${randomBytes(32).toString('base64url')}`;
}

/** `ptl_secret_…`: returned once, stored only as a hash. */
export function newSecret(): string {
  return `ptl_secret_${randomBytes(32).toString('base64url')}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** The hash to store, in the PHC form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`; a new salt each time. Only tests lower the cost. */
export async function hashSecret(secret: string, cost: HashCost = usualCost): Promise<string> {
  const { memory, passes } = cost;
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: secret, nonce, memory, passes, parallelism, tagLength });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** True when the hash was made from the secret, with any parameters; compared in constant time. */
export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  const match = form.exec(hash);
  if (!match) return false;
  const [storedMemory = 0, storedPasses = 0, storedLanes = 0] = match.slice(1, 4).map(Number);
  const nonce = Buffer.from(match[4] ?? '', 'base64');
  const wanted = Buffer.from(match[5] ?? '', 'base64');
  const tag = await derive('argon2id', {
    message: secret,
    nonce,
    memory: storedMemory,
    passes: storedPasses,
    parallelism: storedLanes,
    tagLength: wanted.length,
  });
  return timingSafeEqual(tag, wanted);
}
