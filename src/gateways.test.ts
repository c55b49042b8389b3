/** The gateways of the settings, as the server has them: the log says that one of them can't be reached. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../test/harness/database.ts';
import { freePorts } from '../test/harness/ports.ts';
import { systemClock } from './base/clock.ts';
import { readConfig } from './base/config.ts';
import { createLog } from './base/log.ts';
import { chooseGateways } from './gateways.ts';
import { failuresToOpen } from './platform/gateways/limiter/breaker.ts';
import { sendSms } from './platform/gateways/sms/send.ts';

test('a gateway that can not be reached is logged once, without its address and password', async () => {
  const { db } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const [port] = await freePorts(1);
  const config = readConfig({
    PITLANE_SMS_GATEWAYS: 'kannel',
    PITLANE_PUBLIC_URL: 'https://pitlane.example',
    KANNEL_URL: `http://127.0.0.1:${port}/cgi-bin/sendsms`,
    KANNEL_USERNAME: 'pitlane',
    KANNEL_PASSWORD: 'kannel-password',
    KANNEL_CALLBACK_TOKEN: 'a-token-of-kannels-own-requests-1',
  });
  const { sms } = await chooseGateways(config, db, systemClock(), log);
  const message = { messageId: 'm', to: '+61491570006', from: null, body: 'Hi Kim', route: null };
  for (let i = 0; i < failuresToOpen + 3; i++) await sendSms(sms, { ...message, reference: `${i}` });
  assert.equal(lines.length, 1, lines.join(''));
  const { level, gateway, detail } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(
    [level, gateway, detail],
    [40, 'kannel', 'The gateway can not be reached (ECONNREFUSED).'],
  );
  assert.doesNotMatch(lines.join(''), /kannel-password|127\.0|61491570006|Kim|token/);
});
