/** The errors in the API document: every operation names each status and code that it can respond with. */

import { Type } from 'typebox';
import { ownValue } from '#base/values/own-value.ts';
import { reasons } from '#base/values/unavailable.ts';
import { catalogue, type ErrorCode } from '#errors.ts';
import { out, word } from './fields.ts';
import { helpOf } from './help.ts';
import { type Example, exampleIds } from './openapi-examples.ts';
import type { Operation } from './operation.ts';

export const ErrorSchema = Type.Object(
  {
    success: out.success(false),
    errorCode: Type.Optional(
      word(Object.keys(catalogue).sort() as ErrorCode[], {
        description: 'What kind of refusal it is. Absent on 429.',
        examples: ['000001'],
      }),
    ),
    message: out.string('For a person: what is wrong and the way out.'),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: out.string({
            description: 'Its path in the body or the query.',
            examples: ['services[0].cost'],
          }),
          message: out.string('What is wrong with it.'),
        }),
        { description: 'On validation errors: every failing field, the first 100.' },
      ),
    ),
    reason: Type.Optional(
      word(reasons, {
        description: 'With `060003`: why, in the words of `unavailable` of the availabilities.',
        examples: ['full'],
      }),
    ),
    alternatives: Type.Optional(
      Type.Array(Type.Unsafe<string>({ type: 'string', format: 'date-time' }), {
        description:
          'With `060003`: up to three next times, within 14 days, that are free for the same wish.',
      }),
    ),
    help: Type.Optional(
      out.string({
        description:
          'Where this installation says more of the code, and what to do: an address below its public one, or a path.',
        examples: ['/docs/guide/errors#000001'],
      }),
    ),
    requestId: out.string({ description: 'Also in the header X-Request-Id; give it to support.' }),
  },
  { $id: 'Error', description: 'The form of every error.' },
);

type Codes = Readonly<Record<number, readonly ErrorCode[]>>;

/** The refusals that every operation shares. */
const always: Codes = {
  400: ['000001'],
  408: ['000001'],
  414: ['000001'],
  431: ['000001'],
  500: ['000500'],
  503: ['000007'],
};

/** The refusals that a field of the declaration adds. */
const withBody: Codes = { 413: ['000005'], 415: ['000006'] };
const ofPartners: Codes = { 401: ['010000', '010001'] };
const ofThisMachine: Codes = { 403: ['000003'] };
const idempotent: Codes = { 409: ['000009'], 422: ['000008'] };
const withIfMatch: Codes = { 412: ['000010'] };

/** The codes of each error status of the operation; none at 429. */
export function refusalsOf(operation: Operation): [status: number, codes: ErrorCode[]][] {
  const parts = [
    always,
    operation.refusals,
    operation.badRequestCode ? { 400: [operation.badRequestCode] } : {},
    operation.method === 'GET' ? {} : withBody,
    operation.access === 'partner' ? ofPartners : {},
    operation.access === 'thisMachine' ? ofThisMachine : {},
    operation.idempotent ? idempotent : {},
    operation.ifMatch ? withIfMatch : {},
  ];
  const statuses = [...new Set(parts.flatMap((part) => Object.keys(part).map(Number)))].sort((a, b) => a - b);
  return statuses.map((status) => [
    status,
    [...new Set(parts.flatMap((part: Codes) => part[status] ?? []))].sort(),
  ]);
}

/** Codes that mean something narrower under one status than their title says. */
const narrower: Readonly<Record<string, string>> = {
  '400 060001': 'The booking belongs to a different customer',
  '408 000001': 'The request did not arrive in time',
  '414 000001': 'The URL is too long',
  '431 000001': 'The headers are too large',
};

function titleOf(status: number, code: ErrorCode): string {
  return ownValue(narrower, `${status} ${code}`) ?? catalogue[code].title;
}

/** The response's description: each code and what it means. */
export function describeErrors(status: number, codes: readonly ErrorCode[]): string {
  if (codes.length === 0) return 'Too many requests; wait as Retry-After says.';
  return codes.map((code) => `\`${code}\` ${titleOf(status, code)}.`).join(' ');
}

/** An example for each code, by the name that it has as a component: the code, with its status where that is not its usual one. */
export function errorExamples(status: number, codes: readonly ErrorCode[]): Record<string, Example> {
  if (codes.length === 0) return { '429': errorExample(null, 'Too many requests', status) };
  return Object.fromEntries(
    codes.map((code) => [
      status === catalogue[code].status[0] ? code : `${code}_${status}`,
      errorExample(code, titleOf(status, code), status),
    ]),
  );
}

function errorExample(code: ErrorCode | null, title: string, status: number): Example {
  const field = { field: 'customerEmail', message: 'must be a valid e-mail address' };
  const isInvalidField = status === 400 && code === '000001';
  return {
    summary: title,
    value: {
      success: false,
      ...(code !== null && { errorCode: code }),
      message: isInvalidField ? `${field.field}: ${field.message}` : title,
      ...(isInvalidField && { errors: [field] }),
      ...(code === '060003' && { reason: 'full', alternatives: ['2030-03-03T22:00:00.000Z'] }),
      help: helpOf(code),
      requestId: exampleIds.message,
    },
  };
}
