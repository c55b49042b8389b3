/** Callbacks of Twilio: the status of messages, customers' answers. Signed over the URL and all parameters. */
import type { InboundAttachment } from '../callbacks.ts';
import { queryOf, withAttachments } from '../fields.ts';
import type { CallbackHead, CallbackRequest, SmsCallbacks } from '../gateway.ts';
import { isSigned, type SignedParameters } from './signature.ts';
import { finalStatus } from './status.ts';

const inQuery = ({ url }: CallbackRequest) => new URLSearchParams(queryOf(url));
const formOf = ({ body }: CallbackRequest) => new URLSearchParams(body.toString());
/** The parameters: in the body of a POST, in the query of a GET. */
const fieldsOf = (request: CallbackRequest) => (request.body.length > 0 ? formOf(request) : inQuery(request));

/** Twilio sends about sixty at most; a bound, since anyone could make us hash more, several times. */
const parametersAtMost = 500;

/** A repeated parameter counts with both values. */
function signedParameters(form: URLSearchParams): SignedParameters {
  const byName = Map.groupBy(form, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

const onTheWay = { state: 'accepted', detail: null } as const;

/** Opt-out words that a workshop has set up at Twilio count too. */
function optOutOf(fields: URLSearchParams): 'stop' | 'start' | null {
  const type = fields.get('OptOutType');
  if (type === 'STOP') return 'stop';
  return type === 'START' ? 'start' : null;
}

/** "Twilio's request to your application": ten at most. */
const mediaAtMost = 10;

function attachmentsOf(fields: URLSearchParams): InboundAttachment[] {
  return Array.from({ length: mediaAtMost }, (_, i) => i).flatMap((i) => {
    const url = fields.get(`MediaUrl${i}`);
    return url ? [{ contentType: fields.get(`MediaContentType${i}`) ?? '', url }] : [];
  });
}

function signatureIn({ 'x-twilio-signature': signature }: CallbackHead['headers']): string | null {
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

/**
 * The sender of an inbound SMS. RCS names the number behind its channel, `rcs:+61…`. What it came to, `rcs:` and an agent, stays as it is: no
 * workshop's sender has a colon, so it belongs to the workshop that texted last.
 */
const numberOf = (from: string) => (/^rcs:\+/i.test(from) ? from.slice('rcs:'.length) : from);

/** `publicUrl` is what stood before the path when Twilio made its request. */
export function twilioCallbacks(authToken: string, publicUrl: string): SmsCallbacks {
  return {
    // An empty TwiML document: nothing is sent to the customer, and Twilio logs no error.
    answer: { contentType: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },

    senderOf: ({ headers }) => (signatureIn(headers) === null ? 'stranger' : 'unclear'),

    isGenuine(request) {
      const signature = signatureIn(request.headers);
      if (signature === null) return false;
      const form = formOf(request);
      if (form.size > parametersAtMost) return false;
      try {
        return isSigned(authToken, signature, `${publicUrl}${request.url}`, signedParameters(form));
      } catch {
        // The text is no URL.
        return false;
      }
    },

    reports(request) {
      const fields = fieldsOf(request);
      const status = fields.get('MessageStatus') ?? fields.get('SmsStatus');
      // An inbound SMS has the status "received": it came to the wrong path.
      if (!status || /^receiv/.test(status)) return null;
      const reference = inQuery(request).get('reference');
      // Without a reference it reports on another system's SMS on the same account.
      if (!reference) return [];
      // Twilio calls at each change.
      const final = finalStatus(status, Number(fields.get('ErrorCode') ?? 0), fields.get('ErrorMessage'));
      return [{ reference, ...(final ?? onTheWay) }];
    },

    inbound(request) {
      const fields = fieldsOf(request);
      const gatewayId = fields.get('MessageSid') ?? fields.get('SmsSid');
      const [from, to, body] = [fields.get('From'), fields.get('To'), fields.get('Body')];
      if (!gatewayId || !from || !to || body === null) return null;
      const text = withAttachments(body, Number(fields.get('NumMedia') ?? 0));
      const attachments = attachmentsOf(fields);
      const buttonPayload = fields.get('ButtonPayload');
      return [
        {
          ...{ gatewayId, from: numberOf(from), to, body: text, optOut: optOutOf(fields) },
          ...(buttonPayload && { buttonPayload }),
          ...(attachments.length > 0 && { attachments }),
        },
      ];
    },
  };
}
