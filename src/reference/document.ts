/** GET /openapi.json, and /docs/json, where it was before: the API document. */
import type { FastifyPluginAsync } from 'fastify';
import { demoPartner } from '../demo-data.ts';
import { askAgain, sendStatic, staticText } from './static-text.ts';

/** What stands in the examples where there is no demo. */
const placeholders: readonly (readonly [string, string])[] = [
  [demoPartner.id, '0198f3a2-5b10-7c20-8d31-4e9f0a1b2c03'],
  [demoPartner.appKey, 'ptl_key_your_app_key'],
  [demoPartner.secret, 'ptl_secret_your_secret'],
];

/** Public and not limited: it is made once. Its examples have the demo's credentials only where there may be a demo. */
export function documentRoute(document: object, mayHaveDemo: boolean): FastifyPluginAsync {
  let json = JSON.stringify(document);
  if (!mayHaveDemo) for (const [demo, other] of placeholders) json = json.replaceAll(demo, other);
  const text = staticText('application/json; charset=utf-8', Buffer.from(json));
  return async (app) => {
    for (const path of ['/openapi.json', '/docs/json']) {
      app.get(path, { config: { needsNoPermit: true } }, (request, reply) =>
        sendStatic(request, reply, text, askAgain),
      );
    }
  };
}
