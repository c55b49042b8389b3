/** The operations of health. */
import { Type } from 'typebox';
import { word } from '#platform/http/fields.ts';
import { operation } from '#platform/http/operation.ts';

const Health = Type.Object(
  { status: word(['ok'], { description: 'Always `ok`.' }) },
  { description: 'Yes.' },
);
const examples = { answer: { ok: { summary: 'Yes', value: { status: 'ok' } } } };

export const isLive = operation({
  id: 'isLive',
  method: 'GET',
  path: '/health/live',
  tag: 'Health',
  access: 'anyone',
  summary: 'The process runs',
  description: 'Answers as long as the process does; it asks nothing else.',
  servedAlways: true,
  success: { status: 200, schema: Health },
  refusals: {},
  examples,
});

export const isReady = operation({
  id: 'isReady',
  method: 'GET',
  path: '/health/ready',
  tag: 'Health',
  access: 'anyone',
  summary: 'The process can serve',
  description: 'Its database takes writes; 503 when it does not, and while the process shuts down.',
  success: { status: 200, schema: Health },
  refusals: {},
  examples,
});
