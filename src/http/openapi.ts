/** What the API document says of errors: every operation names each status and code that it can answer with. */
import { Type } from 'typebox';
import { catalogue, type ErrorCode } from '#errors.ts';
import { out, ref } from './fields.ts';
import type { ErrorBody } from './problem.ts';

export const ErrorSchema = Type.Object(
  {
    success: Type.Literal(false),
    errorCode: Type.Optional(
      Type.Unsafe<ErrorCode>({
        type: 'string',
        description: 'One of the codes above. Absent on 429.',
        examples: ['000001'],
      }),
    ),
    message: out.string({ description: 'For a person: what is wrong and the way out.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: out.string(), message: out.string() }), {
        description: 'On validation errors: every failing field, the first 100.',
      }),
    ),
    requestId: out.string({ description: 'Also in the header X-Request-Id; give it to support.' }),
  },
  { $id: 'Error', description: 'The form of every error.' },
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

/** Where a code means something narrower under one status than its title says. */
const narrower: Readonly<Record<string, string>> = {
  '400 060001': 'The booking belongs to a different customer',
  '408 000001': 'The request did not arrive in time',
  '414 000001': 'The URL is too long',
  '431 000001': 'The headers are too large',
};

export function problemTitle(status: number, code: ErrorCode): string {
  return narrower[`${status} ${code}`] ?? catalogue[code].title;
}

/** The response of one error status; `codes` is for the API document alone (`openapi-finish.ts`). */
export type ProblemResponse = ReturnType<typeof ref<ErrorBody>> & { readonly codes: readonly ErrorCode[] };

/** Response schemas for the statuses of an operation's own errors and for those that all operations share. */
export function problems(own: Readonly<Record<number, readonly ErrorCode[]>>) {
  const responses: Record<string, ProblemResponse> = {};
  for (const status of new Set([...Object.keys(shared), ...Object.keys(own)].map(Number))) {
    const codes = [...new Set([...(own[status] ?? []), ...(shared[status] ?? [])])].sort();
    const lines = codes.map((code) => `\`${code}\` ${problemTitle(status, code)}.`);
    responses[status] = {
      ...ref<ErrorBody>('Error'),
      description: lines.length > 0 ? lines.join(' ') : 'Too many requests; wait as Retry-After says.',
      codes,
    } as unknown as ProblemResponse;
  }
  return responses;
}

/** For operations that need an access token. */
export function partnerProblems(own: Readonly<Record<number, readonly ErrorCode[]>>) {
  return problems({ ...own, 401: ['010000', '010001', ...(own[401] ?? [])] });
}

/** Of every operation the document says what it needs: an access token and the partner's id, or neither. */
export const partnerSecurity = [{ accessToken: [], partnerId: [] }];
export const noSecurity: [] = [];
