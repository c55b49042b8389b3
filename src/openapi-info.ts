/** The frame of the API document: title, servers, security, tags. Operations come from the routes. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { versionPrefix } from './http/paths.ts';

const description = `
The partner API of automotive workshops: book customers in, change bookings, text customers.

1. Sign in: \`POST /auth/token\` with your App Key and Secret, and your partner id in \`X-Partner-ID\`.
2. Send \`Authorization: Bearer <token>\` and \`X-Partner-ID\` with every other call.
3. Refresh the token before its 48 hours are over: \`POST /auth/refresh\`.

Every operation also answers below \`/v1\`. Times are RFC 3339 with a zone in, and UTC out. Errors share one form, with an
\`errorCode\` for programs, a \`message\` for people, and on validation errors every failing field.
`;

export const apiDocument: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Pitlane Partner API', version: '1.0.0', description: description.trim() },
    servers: [
      { url: '/', description: 'This server' },
      { url: versionPrefix, description: 'The same, with the version in the path' },
    ],
    tags: [
      { name: 'Authentication', description: 'Signing in, and keeping signed in.' },
      { name: 'Workshops', description: 'The workshops that you are linked to.' },
      { name: 'Bookings', description: 'Creating, reading and changing bookings.' },
      { name: 'Messaging', description: "Texting a workshop's customers through its inbox." },
      { name: 'Sandbox', description: 'Looking at what was sent, and moving the clock. Only without a real gateway.' },
      { name: 'Health', description: 'For whoever runs the service.' },
    ],
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'The `token` of POST /auth/token.' },
        partnerId: { type: 'apiKey', in: 'header', name: 'X-Partner-ID' },
      },
    },
  },
  hideUntagged: true,
  refResolver: {
    buildLocalReference: (json, _baseUri, _fragment, index) => (typeof json['$id'] === 'string' ? json['$id'] : `def-${index}`),
  },
  transform: ({ schema, url }) => ({
    schema: url.startsWith(`${versionPrefix}/`) ? { ...schema, hide: true } : schema,
    url,
  }),
};
