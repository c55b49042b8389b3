/** The cookies of the sign-in: of the session, of the browser (to which codes are bound), and of the address that was typed. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isEmail } from '#base/values/email.ts';
import type { Context } from '#platform/context.ts';
import { writeCookie } from '#platform/http/cookies.ts';
import { hashSessionToken } from '#product/people/sessions/token.ts';
import {
  browserSha256Of,
  type Connection,
  connectionOf,
  cookieOn,
  nameOn,
  sessionSha256Of,
} from '../frame/cookie.ts';

const day = 86_400;
/** By name: the life of the cookie in seconds. */
const kept = { pitlane: 90 * day, 'pitlane-browser': 400 * day, 'pitlane-asked': 1_800 } as const;
type Name = keyof typeof kept;

export class SignInCookies {
  readonly #context: Context;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly connection: Connection;

  constructor(context: Context, request: FastifyRequest, reply: FastifyReply) {
    this.#context = context;
    this.#request = request;
    this.#reply = reply;
    this.connection = connectionOf(context, request);
  }

  /** The hash of the session's token, also of an ended session. */
  get sessionSha256(): Buffer | null {
    return sessionSha256Of(this.connection, this.#request);
  }

  /** The browser's id, as a hash; null: it has none yet. */
  get browserSha256(): Buffer | null {
    return browserSha256Of(this.connection, this.#request);
  }

  /** The same; a browser without an id gets one. */
  nameBrowser(): Buffer {
    const present = this.#read('pitlane-browser') ?? '';
    const known = hashSessionToken(present);
    const token = known === null ? randomBytes(32).toString('base64url') : present;
    this.#write('pitlane-browser', token);
    const hash = known ?? hashSessionToken(token);
    if (hash === null) throw new Error('a token of our own');
    return hash;
  }

  /** The address to which a code was sent from this browser; null: none, or the cookie is of another browser. */
  get askedFor(): string | null {
    const browser = this.browserSha256;
    const sealed = this.#read('pitlane-asked');
    if (browser === null || sealed === undefined) return null;
    const email = this.#context.sealing.open('signInEmail', sealed, browser.toString('hex'));
    return email !== null && isEmail(email) ? email : null;
  }

  setAskedFor(email: string, browserSha256: Buffer): void {
    const sealed = this.#context.sealing.seal('signInEmail', email, browserSha256.toString('hex'));
    this.#write('pitlane-asked', sealed);
  }

  startSession(token: string): void {
    this.#write('pitlane', token);
    this.forgetAskedFor();
  }

  /** Forgets the address, so that another can be typed. */
  forgetAskedFor(): void {
    this.#write('pitlane-asked', null);
  }

  endSession(): void {
    this.#write('pitlane', null);
  }

  #read(name: Name): string | undefined {
    return cookieOn(this.connection, this.#request, name);
  }

  /** Null takes it back. */
  #write(name: Name, value: string | null): void {
    writeCookie(this.#reply, {
      name: nameOn(this.connection, name),
      value: value ?? '',
      seconds: value === null ? 0 : kept[name],
      isSecure: this.connection === 'secure',
    });
  }
}
