/** The frame of the API document: title, conventions, servers, security. */

import { version } from '../base/version.ts';
import { catalogue } from '../errors.ts';
import type { DocumentFrame } from '../platform/http/openapi-document.ts';
import { exampleIds } from '../platform/http/openapi-examples.ts';
import { versionPrefix } from '../platform/http/paths.ts';

const codes = Object.entries(catalogue)
  .map(([code, { status, title }]) => `| \`${code}\` | ${status.join(', ')} | ${title} |`)
  .sort();

const description = `
The partner API of automotive workshops: book customers in, change bookings, text customers.

**Signing in**

1. \`POST /auth/token\` with your App Key and Secret, and your partner id in \`X-Partner-ID\`.
2. Send \`Authorization: Bearer <token>\` and \`X-Partner-ID\` with every other call.
3. Refresh the token before its 48 hours are over: \`POST /auth/refresh\`.

**Conventions**

- Every operation also answers below \`${versionPrefix}\`, but for those of the sandbox and of health.
- Bodies are JSON, at most 256 KiB (4 KiB to \`/auth\`). Types are strict: \`"2019"\` is no integer. Unknown fields are ignored, and
  named in \`Pitlane-Ignored-Fields\`; with \`Pitlane-Strict: on\` they are refused. Strings are trimmed before they are checked. Where a field is optional,
  \`null\` means absent, and so does an empty string, but in \`notes\`.
- Times go in as RFC 3339 with a zone and come out in UTC with milliseconds. Phones go in as people write them in the
  workshop's country and come out as E.164. Money is a decimal with at most two places.
- Lists take \`limit\` and \`cursor\`; \`nextCursor\` is \`null\` at the end.
- A POST that creates something takes an \`Idempotency-Key\`: the same key with the same body within 24 hours replays the
  first success. \`POST /workshops/{id}/messages\` has \`referenceId\` instead.
- Every response carries \`X-Request-Id\`; send your own to find it in the logs.

**Errors** share one form: an \`errorCode\` for programs, a \`message\` for people, and on validation errors every failing
field in \`errors\`. 429 carries no code.

| Code | HTTP | Meaning |
|---|---|---|
${codes.join('\n')}
`;

const partnerIdText = `Your partner id, with every call; the demo's is \`${exampleIds.partner}\`.`;

export const documentFrame: DocumentFrame = {
  openapi: '3.1.0',
  info: {
    title: 'Pitlane Partner API',
    version,
    description: description.trim(),
    // The operator, not the authors: the operator gives partners their credentials.
    contact: { name: 'The operator of this installation' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: '/', description: 'This server' },
    { url: versionPrefix, description: 'The same, with the version in the path' },
  ],
  securitySchemes: {
    accessToken: { type: 'http', scheme: 'bearer', description: 'The `token` of POST /auth/token.' },
    partnerId: { type: 'apiKey', in: 'header', name: 'X-Partner-ID', description: partnerIdText },
  },
};
