/** Which gateways this process sends through. What has no real one goes to the sandbox. */
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { concurrencyOf, type LimitedGateway } from './config/gateway-limits.ts';
import { isSandboxAlone, usesSandbox } from './config/sandbox.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Database, Queryable } from './db/database.ts';
import { createEmailGateway } from './gateways/email/create.ts';
import { sandboxEmail } from './gateways/email/sandbox.ts';
import { createLimiter, type GatewayLimiter } from './gateways/limiter/limiter.ts';
import { logBreaker } from './gateways/limiter/log.ts';
import { createOutboundClient } from './gateways/outbound/client.ts';
import { anyNetwork, publicNetwork } from './gateways/outbound/public-network.ts';
import { createSmsGateways } from './gateways/sms/create.ts';
import { sandboxSms } from './gateways/sms/sandbox.ts';
import { sandboxOutbox } from './sandbox/store.ts';
import { paceOf } from './work/pace/store.ts';

export async function chooseGateways(
  config: Config,
  db: Database,
  clock: Clock,
  log: Logger,
): Promise<Pick<Context, 'sms' | 'email' | 'outbound' | 'sandbox' | 'sandboxAlone'>> {
  const outbox = sandboxOutbox(db, clock);
  const limiterOf = (gateway: LimitedGateway) => limiterFor(config, db, log, gateway);
  const [sms, email] = await Promise.all([
    createSmsGateways(config, limiterOf),
    createEmailGateway(config, limiterOf),
  ]);
  return {
    sms: sms ?? sandboxSms({ outbox, latencyMs: config.sandboxSmsLatencyMs }),
    email: email ?? sandboxEmail({ outbox, from: config.mailFrom }),
    outbound: createOutboundClient({ network: config.webhooksAllowPrivate ? anyNetwork : publicNetwork }),
    sandbox: usesSandbox(config),
    sandboxAlone: isSandboxAlone(config),
  };
}

function limiterFor(config: Config, db: Queryable, log: Logger, gateway: LimitedGateway): GatewayLimiter {
  const perSecond = config.gatewayRate[gateway];
  const concurrency = concurrencyOf(config, gateway);
  return createLimiter({
    name: gateway,
    ...(concurrency !== undefined && { concurrency }),
    pace: perSecond === undefined ? null : paceOf(db, gateway, perSecond),
    breakerChanged: logBreaker(log, gateway),
  });
}
