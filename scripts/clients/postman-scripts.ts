/**
 * The scripts of the Postman collection: it signs in before the first request that needs a token, and again when that is refused; and what
 * one request makes or lists is what the next one is about.
 */

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

/** Deliveries are made in the background: until one is in the log there is nothing to deliver again. */
export const skipWithoutDelivery = [
  "if (!pm.collectionVariables.get('deliveryId')) {",
  "  console.log('There is no delivery yet: let something happen, then send \"Read an endpoint\\'s log\".');",
  '  pm.execution.skipRequest();',
  '}',
];

export const keepTheTokens = [
  'if (pm.response.code === 200) {',
  '  const { token, refreshToken } = pm.response.json();',
  "  pm.collectionVariables.set('token', token);",
  "  pm.collectionVariables.set('refreshToken', refreshToken);",
  '}',
];

/** The variable that holds an id, and where answers have it. */
const idsOfAnswers = {
  bookingId: 'booking?.id',
  customerId: 'booking?.customerId',
  quoteId: 'quote?.id',
  serviceReminderId: 'serviceReminder?.id',
  callLeadId: 'callLead?.id',
  messageId: 'sms?.messageId',
  webhookId: 'webhook?.id',
  // "Deliver all since a time again" says how many; a test is in the log, and is not delivered again.
  deliveryId: "deliveries?.find?.(({ action }) => action !== 'test')?.id",
  automationId: 'automations?.[0]?.id',
  blastId: 'blasts?.[0]?.id',
};
export type KeptId = keyof typeof idsOfAnswers;

export const keepTheIds = [
  'if (pm.response.code < 300 && /json/.test(pm.response.headers.get("Content-Type") ?? "")) {',
  '  const answer = pm.response.json();',
  '  const ids = {',
  ...Object.entries(idsOfAnswers).map(([name, path]) => `    ${name}: answer.${path},`),
  '  };',
  '  for (const [name, id] of Object.entries(ids)) if (id) pm.collectionVariables.set(name, id);',
  '}',
];
