/** The e-mail gateway of the sandbox: sends nothing, stores every e-mail. */

import { mailboxText } from '#base/values/mailbox.ts';
import type { SandboxOutbox } from '#platform/gateways/sandbox-outbox.ts';
import type { EmailGateway, OutboundEmail } from './gateway.ts';
import { type Sender, senderOf } from './sender.ts';

export interface SandboxEmailOptions {
  readonly outbox: SandboxOutbox;
  /** The sender of the installation. */
  readonly from: Sender;
}

export function sandboxEmail({ outbox, from }: SandboxEmailOptions): EmailGateway {
  return {
    name: 'sandbox',
    async send(email) {
      try {
        const gatewayId = await outbox.keep({
          reference: email.reference,
          messageId: email.reference,
          channel: 'email',
          outcome: 'accepted',
          to: email.to,
          from: mailboxText(senderOf(email, from)),
          subject: email.subject,
          body: email.text,
          html: shownHere(email),
          calendar: email.calendar?.content ?? null,
          report: null,
        });
        return { state: 'accepted', gatewayId };
      } catch {
        return {
          state: 'refused',
          permanent: false,
          reason: 'gatewayUnavailable',
          detail: 'The sandbox could not keep the e-mail.',
        };
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Its HTML with the picture that goes along at the service's own address, since only a mail program knows `cid:`. */
const shownHere = ({ html, logo }: OutboundEmail): string =>
  logo ? html.replaceAll(`cid:${logo.cid}`, logo.path) : html;
