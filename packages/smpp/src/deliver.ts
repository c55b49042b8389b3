/** Handles what the carrier delivers: receipts and customers' messages. */
import { asSubmitted, written } from './address.ts';
import { charsetOf, type DefaultAlphabet } from './data-coding.ts';
import type { Host, Listener } from './host.ts';
import { createMessageIds } from './message-ids.ts';
import { contentOf, type Delivery, hasUserDataHeader, parameter, readDelivery } from './messages.ts';
import { asPosition, type PartPosition, readHeader } from './parts.ts';
import { MalformedPdu, type Pdu } from './pdu.ts';
import { isReceipt, type ReceiptIdForm, readReceipt } from './receipt.ts';
import { status } from './status.ts';

/** How many are processed at once; the carrier keeps the rest for later. */
const underWayAtMost = 100;
/** No part of a long message is longer than one SMS. */
const partAtMostOctets = 160;

export interface Deliveries {
  /** Handles a deliver_sm or data_sm. Resolves to the status of the response once it is recorded; never rejects. */
  take(pdu: Pick<Pdu, 'command' | 'body'>): Promise<number>;
  /** The connection is lost: the carrier may repeat the deliveries that were acknowledged last. */
  lost(): void;
  /** Resolves when no delivery is in progress. */
  close(): Promise<void>;
}

export interface DeliveryOptions {
  readonly name: string;
  readonly listener: Listener;
  readonly host: Pick<Host, 'machineNow' | 'decode'>;
  readonly receiptIds: ReceiptIdForm;
  readonly alphabet: DefaultAlphabet;
}

export function takeDeliveries(options: DeliveryOptions): Deliveries {
  const { name, listener, host, receiptIds, alphabet } = options;
  const ids = createMessageIds(host);
  const underWay = new Set<Promise<unknown>>();

  async function report(delivery: Delivery): Promise<void> {
    const receipt = readReceipt(delivery, receiptIds);
    if (receipt?.state == null) return;
    const { id, otherId, userReference, state, detail } = receipt;
    await listener.report(name, {
      reference: null,
      segment: { id, of: null, ...(otherId === null ? {} : { otherId }) },
      // The sender of a receipt is the recipient of the message.
      ...(userReference === null ? {} : { handedOver: { userReference, to: asSubmitted(delivery.from) } }),
      ...{ state, detail },
    });
  }

  async function receive(delivery: Delivery): Promise<void> {
    const { octets, place } = textOf(delivery);
    const [from, to] = [written(delivery.from), written(delivery.to)];
    const charset = charsetOf(delivery.coding, alphabet);
    if (place !== null && octets.length <= partAtMostOctets)
      return listener.receivePart(name, { from, to, ...place, octets, charset });
    const text = host.decode(octets, charset);
    const given = ids.idOf(`${place?.series ?? ''}\n${from}\n${to}\n${text}`);
    try {
      await listener.receive(name, { gatewayId: given.id, from, to, body: text });
    } catch (error) {
      given.failed();
      throw error;
    }
    given.recorded();
  }

  async function handle(pdu: Pick<Pdu, 'command' | 'body'>): Promise<number> {
    try {
      const delivery = readDelivery(pdu);
      await (isReceipt(delivery) ? report(delivery) : receive(delivery));
      return status.ok;
    } catch (error) {
      return error instanceof MalformedPdu ? status.malformed : status.tryAgain;
    }
  }

  return {
    async take(pdu) {
      if (underWay.size >= underWayAtMost) return status.throttled;
      const work = handle(pdu);
      underWay.add(work);
      const code = await work;
      underWay.delete(work);
      return code;
    },
    lost: () => ids.lost(),
    async close() {
      await Promise.all(underWay);
    },
  };
}

/** The text without a header, and its place among the parts of a long message. */
function textOf(delivery: Delivery): { readonly octets: Buffer; readonly place: PartPosition | null } {
  const content = contentOf(delivery);
  if (hasUserDataHeader(delivery)) {
    const { text, place } = readHeader(content);
    return { octets: text, place };
  }
  const number = (tag: number) => delivery.parameters.get(tag)?.at(-1) ?? 0;
  const { parameters } = delivery;
  const reference = parameters.get(parameter.seriesReference);
  const series = reference?.length === 2 ? reference.readUInt16BE(0) : 0;
  return {
    octets: content,
    place:
      reference === undefined
        ? null
        : asPosition(series, number(parameter.seriesTotal), number(parameter.seriesNumber)),
  };
}
