/**
 * An operation of the API, declared once as data: `register.ts` makes its routes from it, `openapi-document.ts` its part of
 * openapi.json. A declaration stands in its domain's `operations.ts`, its handler in `routes.ts`.
 */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { PartnerActor } from '#base/values/actor.ts';
import type { ErrorCode, FieldError } from '#errors.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import type { Meanings } from './near-misses.ts';
import type { Examples } from './openapi-examples.ts';
import type { Tag } from './tags.ts';

/**
 * The callers that are accepted. `partner`: whoever has an access token, else 401; the handler gets `partnerId`. `thisMachine`: a program on this machine, else
 * 403 000003, unless `PITLANE_SANDBOX` is on.
 */
export type Access = 'partner' | 'thisMachine' | 'anyone';

type SuccessStatus = 200 | 201 | 202;

/** The success responses of an operation. */
export type Success =
  /** JSON. The description is the structure's own unless it is given. */
  | { readonly status: SuccessStatus; readonly schema: TSchema; readonly description?: string }
  /** Another content type: a text, or a stream of it. */
  | {
      readonly status: SuccessStatus;
      readonly contentType: `${string}/${string}`;
      readonly description: string;
      readonly example: string;
    }
  /** No body. */
  | { readonly status: 204; readonly description: string };

interface Declared {
  /** The `operationId`; the names of its request body and response in the document come from it. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the document: `/bookings/{id}`. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly summary: string;
  /** The first things that a reader needs, in one paragraph. */
  readonly description: string;
  /** The finer points and their reasons, which follow the paragraph as a list: each in Markdown, on one line. */
  readonly details?: readonly string[];
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The successes. With several the handler names one by status and content type. */
  readonly success: Success | readonly [Success, ...Success[]];
  /** The codes of each error status, beside those that all operations share and those that the flags below add. 429 has none. */
  readonly refusals: Readonly<Record<number, readonly ErrorCode[]>>;
  /** `answer`: of JSON. */
  readonly examples: { readonly body?: Examples; readonly answer?: Examples };
  /**
   * The handler checks what the schema cannot express, and calls `accept` with the faults: so all faults of a body are reported
   * at once.
   */
  readonly checksBody?: true;
  /** The names that other interfaces have for its fields: a required one that is missing is named with such a one that was sent. */
  readonly meanings?: Meanings;
  /** The handler resolves to `{ version, body }`; the version becomes the `ETag`. */
  readonly versioned?: true;
  /** Takes `If-Match`: 412 000010 for another version. */
  readonly ifMatch?: true;
  /** The largest body; absent: 256 KiB. */
  readonly bodyAtMostBytes?: number;
  /** The body may be empty, which counts as a body without fields. */
  readonly emptyBody?: true;
  /** The one code of every 400, in place of 000001. */
  readonly badRequestCode?: ErrorCode;
  /** Takes an `Idempotency-Key` that works like a referenceId: the handler gets it as `reference`, and keeps it for good. */
  readonly keyIsReference?: true;
  /** Also responds while other work is refused (`admission.ts`). */
  readonly servedAlways?: true;
}

/**
 * `idempotent`: takes an `Idempotency-Key`, which belongs to a partner; the handler calls `once`. A key whose first request is still under
 * way is refused with 409 000009, one of another request with 422 000008. `partnerHeader`: takes `X-Partner-ID` without a token.
 */
type ByAccess =
  | { readonly access: 'partner'; readonly idempotent?: true; readonly partnerHeader?: never }
  | {
      readonly access: Exclude<Access, 'partner'>;
      readonly idempotent?: never;
      readonly partnerHeader?: true;
    };

export type Operation = Declared & ByAccess;

declare const handler: unique symbol;
/** An operation that knows its handler's type, which follows from its schemas. */
type WithHandler<Handler> = Operation & { readonly [handler]?: Handler };

/** The successes of an operation, as a list also when it has one. */
export function successesOf({ success }: Operation): Success[] {
  return [success].flat();
}

export function operation<const Op extends Operation>(declaration: Op): WithHandler<Handler<Op>> {
  return declaration;
}

type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type BodyOf<One> = One extends { schema: infer Schema extends TSchema }
  ? Static<Schema>
  : One extends { contentType: string }
    ? string | Readable
    : undefined;

/** One of several successes. */
type Chosen<One> = One extends Success
  ? Pick<One, keyof One & ('status' | 'contentType')> & { readonly body: BodyOf<One> }
  : never;

/** The body of the success; of several, with the status and content type that say which one it is. */
type Result<Op extends Operation> = Op['success'] extends readonly Success[]
  ? Chosen<Op['success'][number]>
  : BodyOf<Op['success']>;

/** A body before it is accepted: its fields may hold anything. */
type Unchecked<Body> = { readonly [Name in keyof Body]?: unknown };

declare const kept: unique symbol;
/** The result of `once`. */
export interface Once<Body> {
  readonly [kept]: Body;
}

/** The arguments of a handler. */
export interface Call<Op extends Operation> {
  /** Empty when the operation asks for no access token. */
  readonly partnerId: string;
  /** The partner as actor, for the verb that makes a change. */
  readonly actor: PartnerActor;
  readonly params: ValueOf<Op['params']>;
  readonly query: ValueOf<Op['query']>;
  /** Validated; with `checksBody` not before `accept` returns it. */
  readonly body: Op extends { checksBody: true } ? Unchecked<ValueOf<Op['body']>> : ValueOf<Op['body']>;
  readonly ifMatch: string | undefined;
  /** The `Idempotency-Key`, where it works like a referenceId; null when none was sent. */
  readonly reference: string | null;
  /** Returns the body. Throws 400 000001 that names what the schema found together with `found`. */
  accept(found?: readonly FieldError[]): ValueOf<Op['body']>;
  /** The same when `found` alone is refused later, after other checks: it is named only together with faults of the schema. */
  acceptForm(found: readonly FieldError[]): ValueOf<Op['body']>;
  /**
   * Calls `work` once for each Idempotency-Key: with the claim that it has to finish in the commit of its result, with null
   * when no key was sent. It resolves to null when the claim was lost. Later calls get the first success.
   */
  once(work: (claim: Claim | null) => Promise<Result<Op> | null>): Promise<Once<Result<Op>>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The answer of a handler: the result, with its version when the operation is versioned. A result of `once` has version 1. */
type Answer<Op extends Operation> = Op extends { idempotent: true }
  ? Once<Result<Op>>
  : Op extends { versioned: true }
    ? { readonly version: number } & (Op['success'] extends readonly Success[]
        ? Result<Op>
        : { readonly body: Result<Op> })
    : Result<Op>;

type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Answer<Op>>;

/** An operation with its handler, whose types have been checked against each other. */
export interface Route {
  readonly operation: Operation;
  readonly handler: (call: never) => Promise<unknown>;
}

export function route<Handler extends Route['handler']>(
  operation: WithHandler<Handler>,
  handler: NoInfer<Handler>,
): Route {
  return { operation, handler };
}
