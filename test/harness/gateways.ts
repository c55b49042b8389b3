/** Gateways for tests: they record hand-overs and respond as the test scripts it. */
import type { EmailGateway, EmailOutcome, OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { OutboundSms, SmsGateway, SmsLookUp, SmsOutcome } from '#platform/gateways/sms/gateway.ts';

/** The response of a recorded gateway: an outcome, one made from the message, or `hang` for none at all. */
export type Script<Sent, Outcome> = Outcome | 'hang' | ((sent: Sent) => Outcome | Promise<Outcome>);

export interface Recorded<Sent, Outcome> {
  /** All hand-overs, oldest first, whatever the response was. */
  readonly sent: Sent[];
  /** The outcomes of the next hand-overs, one each; after them the outcome is `accepted` again. */
  next(...answers: Script<Sent, Outcome>[]): void;
  /** The outcome of every hand-over to this recipient, until `clear`. */
  always(recipient: string, answer: Script<Sent, Outcome>): void;
  /** Forgets what was sent and what was scripted. */
  clear(): void;
}

export interface RecordedSms extends SmsGateway, Recorded<OutboundSms, SmsOutcome> {
  /** What was sent to one number. */
  to(phone: string): OutboundSms[];
  /**
   * Scripts the look-up of one reference; without a script the gateway repeats the outcome of the hand-over, and cannot be asked
   * about an unknown one.
   */
  setLookUp(reference: string, answer: SmsLookUp): void;
}

export interface RecordedEmail extends EmailGateway, Recorded<OutboundEmail, EmailOutcome> {
  to(address: string): OutboundEmail[];
}

type Recorder<Sent, Outcome> = Recorded<Sent, Outcome> & {
  take(sent: Sent, signal?: AbortSignal): Promise<Outcome>;
};

function recorder<Sent extends { readonly to: string }, Outcome>(
  accepted: (sent: Sent) => Outcome,
): Recorder<Sent, Outcome> {
  const sent: Sent[] = [];
  const queue: Script<Sent, Outcome>[] = [];
  const byRecipient = new Map<string, Script<Sent, Outcome>>();
  return {
    sent,
    next: (...answers) => void queue.push(...answers),
    always: (recipient, answer) => void byRecipient.set(recipient, answer),
    clear() {
      sent.length = 0;
      queue.length = 0;
      byRecipient.clear();
    },
    async take(item, signal) {
      sent.push(item);
      const answer = byRecipient.get(item.to) ?? queue.shift() ?? accepted;
      if (answer === 'hang') return silence(signal);
      return typeof answer === 'function'
        ? (answer as (sent: Sent) => Outcome | Promise<Outcome>)(item)
        : answer;
    },
  };
}

/** Never resolves; rejects when the caller gives up, so that no test leaves a promise behind. */
function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** An SMS gateway that accepts everything that is not scripted otherwise. */
export function recordedSms(): RecordedSms {
  const lookUps = new Map<string, SmsLookUp>();
  const outcomes = new Map<string, SmsOutcome>();
  const record = recorder<OutboundSms, SmsOutcome>((sms) => ({
    state: 'accepted',
    gatewayId: `sms-${sms.reference}`,
  }));
  return {
    ...record,
    name: 'recorded',
    async send(sms, signal) {
      const outcome = await record.take(sms, signal);
      outcomes.set(sms.reference, outcome);
      return outcome;
    },
    async lookUp(reference) {
      const outcome = outcomes.get(reference);
      const answered: SmsLookUp =
        outcome?.state === 'accepted'
          ? outcome
          : outcome?.state === 'unknown'
            ? { state: 'unknown', permanent: true }
            : { state: 'notFound' };
      return lookUps.get(reference) ?? answered;
    },
    to: (phone) => record.sent.filter((sms) => sms.to === phone),
    setLookUp: (reference, answer) => void lookUps.set(reference, answer),
    clear() {
      record.clear();
      lookUps.clear();
      outcomes.clear();
    },
  };
}

/** An e-mail gateway that accepts everything that is not scripted otherwise. */
export function recordedEmail(): RecordedEmail {
  const record = recorder<OutboundEmail, EmailOutcome>((email) => ({
    state: 'accepted',
    gatewayId: `<${email.reference}@pitlane.test>`,
  }));
  return {
    ...record,
    name: 'recorded',
    send: (email) => record.take(email),
    to: (address) => record.sent.filter((email) => email.to === address),
    close: async () => undefined,
  };
}
