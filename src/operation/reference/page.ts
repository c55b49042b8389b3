/** GET /docs: the interactive reference. Scalar draws it in the browser; it loads and calls only this server. */
import { randomBytes } from 'node:crypto';
import { html } from '@remix-run/html-template';
import { siteTop } from '#platform/pages/site-top.ts';
import type { DemoCredentials } from '../demo/demo.ts';
import { files } from './files.ts';
import { scalarPath } from './scalar-script.ts';

/** Switches off what would call Scalar's servers: fonts, telemetry, the assistant, MCP, the hosted client, the proxy. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  documentDownloadType: 'direct',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'Pitlane Partner API' },
} as const;

interface Rendered {
  readonly html: string;
  readonly policy: string;
}

/** With a demo, its partner id is filled in, and the page signs it in for a token. */
export function referencePage(demo: DemoCredentials | null, hasSandbox: boolean): Rendered {
  const nonce = randomBytes(16).toString('base64');
  // In a script element, `<` could end it.
  const settings = JSON.stringify({ configuration, demo }).replaceAll('<', '\\u003c');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta property="csp-nonce" content="${nonce}">
<title>Pitlane Partner API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files.reference.path}">
<script type="application/json" id="settings">${html.raw`${settings}`}</script>
<script type="module" nonce="${nonce}" src="${files.nonces.path}"></script>
<script defer nonce="${nonce}" src="${scalarPath}"></script>
<script type="module" nonce="${nonce}" src="${files.script.path}"></script>
</head>
<body>
${siteTop('/docs', hasSandbox)}
<noscript><p>This page needs JavaScript. The same is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;
  return { html: String(text), policy: policyOf(nonce) };
}

/**
 * Scripts and style sheets hold by the nonce alone (`files/nonces.mjs` gives it to those that Scalar makes). Scalar draws with `style` attributes, which no nonce can allow: that is what
 * 'unsafe-inline' is for, and it holds for attributes only.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
