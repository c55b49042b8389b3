/** `pitlane email …`: a test e-mail, and the DNS record that DKIM needs. */
import type { Command } from 'commander';
import type { Config } from '#base/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { details } from './output.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

export function registerEmail(program: Command): void {
  const examples = ['email test --to you@example.com', 'email dkim-record'];
  const email = group(program, 'email', 'the mail server and DKIM, as the settings say', examples);

  const test = {
    usage: 'test',
    summary: 'send a test e-mail now, and say what the mail server answered',
    examples: ['email test --to you@example.com', 'email test --to you@example.com --json'],
  };
  verb<{ to?: string }>(email, test, async (_, { to: typed = '' }) => {
    const { cleanEmail, isEmail } = await import('#base/values/email.ts');
    const to = cleanEmail(typed);
    if (!isEmail(to)) throw new UsageError('--to must be an e-mail address');
    const shown = await sendTest(await smtpConfig(), to);
    return { json: shown, text: details(shown) };
  }).option('--to <address>', 'who gets it (required)');

  const record = {
    usage: 'dkim-record',
    summary: 'print the TXT record to publish for the DKIM key of the settings',
    examples: ['email dkim-record', 'email dkim-record --json'],
  };
  verb(email, record, async () => {
    const { dkim } = (await smtpConfig()).smtp;
    if (dkim === null) {
      throw new OperatorError(
        'there is no DKIM key: set PITLANE_DKIM_DOMAIN, PITLANE_DKIM_SELECTOR and PITLANE_DKIM_KEY_FILE',
      );
    }
    const { dkimRecord } = await import('#platform/gateways/email/dkim-record.ts');
    const { name, value } = dkimRecord(dkim);
    const shown = { name, type: 'TXT', value };
    return { json: shown, text: details(shown) };
  });
}

type WithServer = Config & { readonly smtp: NonNullable<Config['smtp']> };

async function smtpConfig(): Promise<WithServer> {
  const { commandConfig } = await import('./config.ts');
  const config = commandConfig();
  const { smtp } = config;
  if (smtp === null) throw new OperatorError('SMTP_URL is not set: e-mails stay in the sandbox');
  return { ...config, smtp };
}

/** Without the gateway's limiter: it is one e-mail, and a person waits for the result. */
async function sendTest(config: WithServer, to: string): Promise<Record<string, string>> {
  const { smtp, mailFrom } = config;
  const { smtpGateway } = await import('#platform/gateways/email/smtp.ts');
  const { testEmail } = await import('#product/notifications/test-email.ts');
  const { mailboxText } = await import('#base/values/mailbox.ts');
  const gateway = smtpGateway({ ...smtp, from: mailFrom, connections: 1 });
  const envelopeSender = await envelopeSenderOf(config);
  try {
    const outcome = await gateway.send({ ...testEmail(to), envelopeSender });
    if (outcome.state !== 'accepted') {
      const what = outcome.state === 'unknown' ? 'it is not known whether it was sent' : 'not sent';
      throw new OperatorError(`${what}. ${outcome.detail}`);
    }
    return {
      server: `${smtp.host}:${smtp.port}`,
      answer: outcome.answer ?? '',
      from: mailboxText(mailFrom),
      ...(envelopeSender !== null && { bouncesTo: envelopeSender }),
      to,
      messageId: outcome.gatewayId,
      dkim:
        smtp.dkim === null ? 'not signed' : `signed as ${smtp.dkim.selector}._domainkey.${smtp.dkim.domain}`,
    };
  } finally {
    await gateway.close();
  }
}

/** The envelope sender of every e-mail, so that a server that refuses it says so; a bounce of the test matches no stored e-mail. */
async function envelopeSenderOf(config: WithServer): Promise<string | null> {
  const { bounceDomain } = await import('#base/config/email.ts');
  if (bounceDomain(config) === null) return null;
  const { bounceAddress } = await import('#product/sending/bounce/address.ts');
  const { systemClock } = await import('#base/clock.ts');
  const { loadSealing } = await import('#base/sealing.ts');
  const { newId } = await import('#base/values/id.ts');
  return bounceAddress({ config, clock: systemClock(), sealing: loadSealing(config) }, newId());
}
