/** `pitlane gateway …`: the configured gateways, their state, and a test SMS through one. */
import type { Command } from 'commander';
import type { Config } from '#base/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { GatewaySeen } from '#operation/status/gateways.ts';
import type { SmsGateway, SmsListener } from '#platform/gateways/sms/gateway.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at } from './times.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

export function registerGateway(program: Command): void {
  const examples = ['gateway list', 'gateway test twilio --to +61491570006'];
  const gateway = group(program, 'gateway', 'the SMS gateways and the mail server of the settings', examples);

  const list = {
    usage: 'list',
    summary: 'show how each does: breaker, backlog, last error, and the balance where the provider tells it',
    examples: ['gateway list', 'gateway list --json'],
    times: true,
  };
  verb(gateway, list, () =>
    withSession(async ({ db, config }) => {
      const { readGateways } = await import('#operation/status/gateways.ts');
      const seen = await readGateways(db, {
        sms: config.smsGateways.map(({ name }) => name),
        usual: config.smsGatewayOrder,
        email: config.smtp === null ? null : 'smtp',
      });
      const balances = await balancesOf(config);
      const rows = seen.map((row) => ({ ...row, balance: balances.get(row.gateway) ?? null }));
      return { json: rows, text: rows.length > 0 ? table(rows, columns) : 'No gateway is configured.' };
    }),
  );

  const test = {
    usage: 'test <gateway>',
    summary: 'send a test SMS now, past limits and breaker, and say what the gateway answered',
    examples: ['gateway test twilio --to +61491570006', 'gateway test smpp --to +61491570006 --from HARBOUR'],
  };
  verb<{ to?: string; from?: string }>(gateway, test, async ([name = ''], { to = '', from }) => {
    const { parsePhone } = await import('#base/values/phone.ts');
    const { commandConfig } = await import('./config.ts');
    const phone = to.startsWith('+') ? parsePhone(to, 'AU') : null;
    if (phone === null) throw new UsageError('--to must be a phone with its country, such as +61491570006');
    const shown = await sendTest(commandConfig(), name, { to: phone, from: from ?? null });
    return { json: shown, text: details(shown) };
  })
    .option('--to <phone>', 'who gets it, with + and country (required)')
    .option('--from <sender>', 'sender to show; unless given, the one of the settings');
}

const askWithinMs = 10_000;

async function balancesOf(config: Config): Promise<Map<string, string>> {
  const { createSmsGateways } = await import('#platform/gateways/sms/create.ts');
  const sms = await createSmsGateways(config);
  const balances = new Map<string, string>();
  await Promise.all(
    (sms?.members ?? []).map(async (member) => {
      if (member.balance === undefined) return;
      const shown = await member.balance(AbortSignal.timeout(askWithinMs)).then(
        ({ amount, currency }) => [amount, currency].filter(Boolean).join(' '),
        () => 'not told',
      );
      balances.set(member.name, shown);
    }),
  );
  await sms?.close?.();
  return balances;
}

const columns = {
  GATEWAY: (row: GatewaySeen) => row.gateway,
  WORKERS: ({ breakers }: GatewaySeen) =>
    Object.entries(breakers)
      .map(([breaker, count]) => `${count} ${breaker}`)
      .join(', ') || 'none',
  'UNDER WAY': (row: GatewaySeen) => row.inFlight,
  WAITING: ({ backlog, oldestSeconds }: GatewaySeen) =>
    backlog > 0 ? `${backlog} (${oldestSeconds} s)` : backlog,
  BALANCE: (row: GatewaySeen & { readonly balance: string | null }) => row.balance,
  'LAST ERROR': ({ lastError }: GatewaySeen) =>
    lastError && `${at(lastError.at)} ${lastError.reason}: ${lastError.detail ?? ''}`,
};

/** Records nothing that a carrier delivers over the test's connection: the carrier delivers it again, to the server. */
const notHere = () => Promise.reject(new Error('this is a test'));
const listener: SmsListener = { report: notHere, receive: notHere, receivePart: notHere, accepted: notHere };

async function sendTest(
  config: Config,
  name: string,
  { to, from }: { to: string; from: string | null },
): Promise<Record<string, string>> {
  const settings = config.smsGateways.find((one) => one.name === name);
  if (settings === undefined) {
    const configured = config.smsGateways.map((one) => one.name).join(', ') || 'none';
    throw new OperatorError(`no SMS gateway ${name} is configured; there are: ${configured}`);
  }
  const { createSmsGateways } = await import('#platform/gateways/sms/create.ts');
  const gateway = await createSmsGateways({
    ...config,
    smsGateways: [settings],
    smsGatewayOrder: [settings.name],
  });
  if (gateway === null) throw new OperatorError(`no SMS gateway ${name} is configured`);
  try {
    gateway.start?.(listener);
    return await outcomeOf(gateway, to, from);
  } finally {
    await gateway.close?.();
  }
}

async function outcomeOf(
  gateway: SmsGateway,
  to: string,
  from: string | null,
): Promise<Record<string, string>> {
  const { sendSms } = await import('#platform/gateways/sms/send.ts');
  const { newId } = await import('#base/values/id.ts');
  const reference = newId();
  const body = 'Pitlane: this is a test of the SMS gateway.';
  const outcome = await sendSms(gateway, { reference, messageId: reference, to, from, route: null, body });
  if (outcome.state === 'accepted')
    return { gateway: gateway.name, to, reference, gatewayId: outcome.gatewayId };
  const what = outcome.state === 'unknown' ? 'it is not known whether it was sent' : 'not sent';
  throw new OperatorError(`${what}. ${outcome.detail}`);
}
