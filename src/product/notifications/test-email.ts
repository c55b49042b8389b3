/** The test e-mail of `pitlane email test`. */

import { newId } from '#base/values/id.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { outbound } from './outbound.ts';

export function testEmail(to: string): OutboundEmail {
  return outbound(
    { reference: newId(), to },
    {
      subject: 'Test e-mail',
      preview: 'E-mails of this installation arrive here.',
      workshopName: 'Pitlane',
      colour: null,
      body:
        'The operator of a Pitlane installation has sent this to see whether its e-mails arrive. There is nothing to do.\n\n' +
        'For them: in the headers of this e-mail, Authentication-Results should say pass for SPF, DKIM and DMARC.',
      facts: [],
      phones: new Map(),
      quotes: [],
      closing: '',
      footer: 'It was sent by hand, once.',
    },
  );
}
