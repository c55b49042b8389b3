/** GET /openapi.json, and /docs/json, where it was before: the API document. */
import type { FastifyPluginAsync } from 'fastify';
import { askAgain, type StaticText, sendStatic, staticText } from '#platform/http/static-text.ts';
import { demoPartner } from '../demo/data.ts';

/** The ids and credentials in the examples where there is no demo. */
const placeholders: readonly (readonly [string, string])[] = [
  [demoPartner.id, '0198f3a2-5b10-7c20-8d31-4e9f0a1b2c03'],
  [demoPartner.appKey, 'ptl_key_your_app_key'],
  [demoPartner.secret, 'ptl_secret_your_secret'],
];

function jsonOf(document: object, mayHaveDemo: boolean): string {
  const json = JSON.stringify(document);
  if (mayHaveDemo) return json;
  return placeholders.reduce((text, [demo, other]) => text.replaceAll(demo, other), json);
}

/**
 * Public and not limited: it is made once, at the first request, as most processes are never asked for it. Its examples have the
 * demo's credentials only where there may be a demo.
 */
export function documentRoute(makeDocument: () => object, mayHaveDemo: boolean): FastifyPluginAsync {
  let made: StaticText | undefined;
  const text = () => {
    made ??= staticText('application/json; charset=utf-8', Buffer.from(jsonOf(makeDocument(), mayHaveDemo)));
    return made;
  };
  return async (app) => {
    for (const path of ['/openapi.json', '/docs/json']) {
      app.get(path, { config: { needsNoPermit: true } }, (request, reply) =>
        sendStatic(request, reply, text(), askAgain),
      );
    }
  };
}
