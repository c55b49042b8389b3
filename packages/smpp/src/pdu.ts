/** The units that an SMPP connection carries (SMPP 3.4, section 3.2): a header of 16 octets, then a body. */

export const command = {
  nack: 0x80000000,
  submit: 0x00000004,
  submitAnswer: 0x80000004,
  deliver: 0x00000005,
  deliverAnswer: 0x80000005,
  bindReceiver: 0x00000001,
  bindReceiverAnswer: 0x80000001,
  bindTransmitter: 0x00000002,
  bindTransmitterAnswer: 0x80000002,
  unbind: 0x00000006,
  unbindAnswer: 0x80000006,
  bindTransceiver: 0x00000009,
  bindTransceiverAnswer: 0x80000009,
  outbind: 0x0000000b,
  enquireLink: 0x00000015,
  enquireLinkAnswer: 0x80000015,
  alertNotification: 0x00000102,
  data: 0x00000103,
  dataAnswer: 0x80000103,
} as const;

export interface Pdu {
  readonly command: number;
  /** 0 is success; in a request it has no meaning. */
  readonly status: number;
  readonly sequence: number;
  readonly body: Buffer;
}

/** The received octets are not SMPP. */
export class MalformedPdu extends Error {}

export const headerBytes = 16;
/** The longest text that a message_payload can hold, and room for the other fields. */
export const pduAtMostBytes = 70_000;

/** The highest bit of a command marks a response. */
export const isResponse = (pdu: Pdu) => pdu.command >= command.nack;

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(headerBytes + body.length, 0);
  header.writeUInt32BE(command, 4);
  header.writeUInt32BE(status, 8);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}

/**
 * Cuts a stream into PDUs, chunk by chunk. Holds one unfinished PDU at most. At malformed octets it gives the PDUs before them,
 * then throws MalformedPdu.
 */
export function pduReader(): (chunk: Buffer) => Iterable<Pdu> {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = headerBytes;

  return function* (chunk) {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      const length = bytes.readUInt32BE(0);
      if (length < headerBytes || length > pduAtMostBytes) {
        throw new MalformedPdu(`a PDU of ${length} octets`);
      }
      chunks = [bytes];
      wanted = length;
      if (size < length) return;
      const rest = bytes.subarray(length);
      chunks = [rest];
      size = rest.length;
      wanted = headerBytes;
      yield {
        command: bytes.readUInt32BE(4),
        status: bytes.readUInt32BE(8),
        sequence: bytes.readUInt32BE(12),
        body: bytes.subarray(headerBytes, length),
      };
    }
  };
}
