/** Which gateways this process sends through. What has no real one goes to the sandbox. */
import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import { concurrencyOf, type LimitedGateway } from './base/config/gateway-limits.ts';
import { isSandboxAlone, usesSandbox } from './base/config/sandbox.ts';
import type { Config } from './base/config.ts';
import { sandboxOutbox } from './operation/sandbox/store.ts';
import type { Context } from './platform/context.ts';
import type { Database, Queryable } from './platform/db/database.ts';
import { createEmailGateway } from './platform/gateways/email/create.ts';
import { sandboxEmail } from './platform/gateways/email/sandbox.ts';
import { createLimiter, type GatewayLimiter } from './platform/gateways/limiter/limiter.ts';
import { logBreaker } from './platform/gateways/limiter/log.ts';
import { createOutboundClient } from './platform/gateways/outbound/client.ts';
import { anyNetwork, publicNetwork } from './platform/gateways/outbound/public-network.ts';
import { createSmsGateways } from './platform/gateways/sms/create.ts';
import { sandboxSms } from './platform/gateways/sms/sandbox.ts';
import { paceOf } from './platform/work/pace/store.ts';

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
    email: email ?? sandboxEmail({ outbox, from: { ...config.mailFrom, via: config.mailVia } }),
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
