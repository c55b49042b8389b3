/** The scripts of the Postman collection: it signs in before the first request that needs a token, and again when that is refused. */

export const signInBefore = [
  'const needsToken = !/^\\/(?:v1\\/auth|health|sandbox)\\//.test(pm.request.url.getPath());',
  "if (needsToken && !pm.collectionVariables.get('token')) {",
  '  const value = (name) => pm.variables.get(name);',
  '  const request = {',
  "    url: value('baseUrl') + '/v1/auth/token',",
  "    method: 'POST',",
  "    header: { 'X-Partner-ID': value('partnerId'), 'Content-Type': 'application/json' },",
  "    body: { mode: 'raw', raw: JSON.stringify({ appKey: value('appKey'), secret: value('secret') }) },",
  '  };',
  '  pm.sendRequest(request, (error, response) => {',
  "    if (error || response.code !== 200) throw new Error('signing in failed: look at baseUrl, partnerId, appKey and secret');",
  '    const { token, refreshToken } = response.json();',
  "    pm.collectionVariables.set('token', token);",
  "    pm.collectionVariables.set('refreshToken', refreshToken);",
  '  });',
  '}',
];

export const forgetTheToken = ["if (pm.response.code === 401) pm.collectionVariables.set('token', '');"];

export const keepTheTokens = [
  'if (pm.response.code === 200) {',
  '  const { token, refreshToken } = pm.response.json();',
  "  pm.collectionVariables.set('token', token);",
  "  pm.collectionVariables.set('refreshToken', refreshToken);",
  '}',
];
