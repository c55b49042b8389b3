/** What the API document says of errors: every operation names each status and code that it can answer with. */
import { Type } from 'typebox';
import { catalogue, type ErrorCode } from '#errors.ts';
import { out, ref } from './fields.ts';
import type { ErrorBody } from './problem.ts';

export const ErrorSchema = Type.Object(
  {
    success: Type.Literal(false),
    errorCode: Type.Optional(
      Type.Unsafe<ErrorCode>({ type: 'string', description: 'Absent on 429.', examples: ['000001'] }),
    ),
    message: out.string({ description: 'For a person: what is wrong and the way out.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: out.string(), message: out.string() }), {
        description: 'On validation errors: every failing field, the first 100.',
      }),
    ),
    requestId: out.string({ description: 'Also in the header X-Request-Id; give it to support.' }),
  },
  { $id: 'Error' },
);

/** The refusals that every operation shares, beside its own. */
const shared: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['000001'],
  408: ['000001'],
  413: ['000005'],
  414: ['000001'],
  415: ['000006'],
  431: ['000001'],
  500: ['000500'],
  503: ['000007'],
};

/** Response schemas for the statuses of an operation's own errors and for those that all operations share. */
export function problems(own: Readonly<Record<number, readonly ErrorCode[]>>) {
  const responses: Record<string, ReturnType<typeof ref<ErrorBody>>> = {};
  for (const status of new Set([...Object.keys(shared), ...Object.keys(own)])) {
    const codes = new Set([...(own[Number(status)] ?? []), ...(shared[Number(status)] ?? [])]);
    const lines = [...codes].sort().map((code) => `\`${code}\` ${catalogue[code].title}.`);
    responses[status] = {
      ...ref<ErrorBody>('Error'),
      description: lines.length > 0 ? lines.join(' ') : 'Too many requests; wait as Retry-After says.',
    } as ReturnType<typeof ref<ErrorBody>>;
  }
  return responses;
}

/** For operations that need an access token. */
export function partnerProblems(own: Readonly<Record<number, readonly ErrorCode[]>>) {
  return problems({ ...own, 401: ['010000', '010001', ...(own[401] ?? [])] });
}

export const partnerSecurity = [{ accessToken: [], partnerId: [] }];
