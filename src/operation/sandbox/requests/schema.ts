/** Wire shapes of the request log. */
import { Type } from 'typebox';
import { catalogue, type ErrorCode } from '#errors.ts';
import { nullable, out, ref, text, word } from '#platform/http/fields.ts';
import { requestsAtMost } from '#platform/http/request-log.ts';

const outcomes = ['accepted', 'refused', 'ignored'] as const;

export const RequestsQuery = Type.Object({
  partnerId: Type.Optional(text({ max: 64, description: 'Requests with this `X-Partner-ID` only.' })),
  id: Type.Optional(text({ max: 128, description: 'The request with this `X-Request-Id` only.' })),
  outcome: Type.Optional(
    word(outcomes, {
      description:
        '`accepted`: answered with a status below 400. `refused`: with another. `ignored`: those with fields that the operation did not know.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: requestsAtMost,
      default: 50,
      description: `Items in one answer, at most ${requestsAtMost}.`,
    }),
  ),
});

/** Those that the server reads. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'] as const;
export type Method = (typeof methods)[number];

const codes = Object.keys(catalogue) as ErrorCode[];

const Failing = Type.Object({
  field: out.string('Its path, such as `services[0].cost`.'),
  message: out.string('What is wrong with it, for people.'),
});

const SandboxRequest = Type.Object(
  {
    id: out.string({ description: 'The `X-Request-Id`.' }),
    at: out.instant({ description: 'The business time.' }),
    method: word(methods, { description: 'The HTTP method.' }),
    path: out.string({ description: 'The path with its query.' }),
    operationId: nullable(
      out.string({ description: 'The operation of this document; null: there is no such path or method.' }),
    ),
    partnerId: nullable(out.string({ description: 'The `X-Partner-ID` as it was sent.' })),
    status: out.integer({ description: 'The HTTP status of the answer.' }),
    durationMs: out.number({ description: 'From the request to its answer, in milliseconds.' }),
    ignoredFields: out.list(
      Type.String(),
      'The fields of the body that the operation does not know: paths, as in `Pitlane-Ignored-Fields`.',
    ),
    replayed: out.boolean({
      description: 'True: the stored answer to an earlier request with the same key.',
    }),
    errorCode: nullable(word(codes, { description: 'Of a refusal.' })),
    message: nullable(out.string({ description: 'Of a refusal, for people.' })),
    errors: out.list(Failing, 'The failing fields of a refusal.'),
    requestBody: nullable(
      out.string({
        description:
          'JSON, as the service read it, without secrets and tokens; at most 4,000 characters, then `…`; `… longer than 16 KiB` in place of such a one.',
      }),
    ),
    responseBody: nullable(
      out.string({
        description:
          'JSON, without secrets and tokens; at most 4,000 characters, then `…`; `… longer than 16 KiB` in place of such a one.',
      }),
    ),
  },
  { $id: 'SandboxRequest', description: 'A request of a partner, and its answer.' },
);

export const RequestsAnswer = Type.Object(
  {
    requests: out.list(ref(SandboxRequest), 'The requests that fit.'),
    redacted: out.boolean({
      description: 'True: a gateway is real, so no values of bodies and queries are kept.',
    }),
    processId: out.uuid({
      description: 'Which process answered. Each keeps its own requests: of several, ask each.',
    }),
  },
  { description: 'The last requests, newest first.' },
);

export const requestComponents = [SandboxRequest];
