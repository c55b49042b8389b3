/** Encoding and decoding of PDUs: compared with another library, and fuzzed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import smpp from 'smpp';
import { charsetOf } from '../src/data-coding.ts';
import { messageIdOf } from '../src/fields.ts';
import { contentOf, readDelivery, submitBody } from '../src/messages.ts';
import { readHeader } from '../src/parts.ts';
import { command, encodePdu, headerBytes, MalformedPdu, type Pdu, pduReader } from '../src/pdu.ts';
import { isReceipt, readReceipt } from '../src/receipt.ts';
import { host } from './connect.ts';

const octets = fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes));

test('a stream is cut into the same PDUs, whatever its chunks', () => {
  const fields = {
    command: fc.constantFrom(...Object.values(command)),
    status: fc.nat(0xffff),
    sequence: fc.nat(),
    body: octets,
  };
  const pdu = fc.record(fields, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(pdu, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 })), (pdus, cuts) => {
      const stream = Buffer.concat(pdus.map(encodePdu));
      const read = pduReader();
      const found: Pdu[] = [];
      let at = 0;
      for (const cut of cuts) {
        found.push(...read(stream.subarray(at, at + cut)));
        at += cut;
      }
      found.push(...read(stream.subarray(at)));
      assert.deepEqual(found, pdus);
    }),
  );
});

test('any stream is cut into PDUs or is malformed', () => {
  fc.assert(
    fc.property(fc.array(octets), (chunks) => {
      const read = pduReader();
      try {
        for (const chunk of chunks) for (const _ of read(chunk));
      } catch (error) {
        assert.ok(error instanceof MalformedPdu);
      }
    }),
  );
});

test('any body is read or is malformed', () => {
  const begun = Buffer.from('000101363100010136310000000000000000000000', 'hex').subarray(0, 19);
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), octets, (isBegun, isData, tail) => {
      try {
        const body = isBegun ? Buffer.concat([begun, tail]) : tail;
        const delivery = readDelivery({ command: isData ? command.data : command.deliver, body });
        const text = readHeader(contentOf(delivery)).text;
        host.decode(text, charsetOf(delivery.coding));
        if (isReceipt(delivery)) readReceipt(delivery, 'hex');
        messageIdOf(tail);
      } catch (error) {
        assert.ok(error instanceof MalformedPdu, String(error));
      }
    }),
    { numRuns: 3_000 },
  );
});

test('a message of another library is read as it was written', () => {
  const address = fc.string({ unit: fc.constantFrom(...'0123456789AbC'), maxLength: 20 });
  const delivery = fc.record({
    source_addr: address,
    destination_addr: address,
    data_coding: fc.constantFrom(0, 3, 8),
    short_message: octets,
    receipted_message_id: address,
  });
  fc.assert(
    fc.property(delivery, (fields) => {
      const {
        from,
        to,
        coding,
        octets: text,
        parameters,
      } = readDelivery({
        command: command.deliver,
        body: new smpp.PDU('deliver_sm', { ...fields }).toBuffer().subarray(headerBytes),
      });
      assert.deepEqual(
        [from.text, to.text, coding, text, parameters.get(0x001e)?.toString()],
        [
          fields.source_addr,
          fields.destination_addr,
          fields.data_coding,
          fields.short_message,
          `${fields.receipted_message_id}\0`,
        ],
      );
    }),
  );
});

test('another library finds every field of a submission', () => {
  const pdu = encodePdu({
    command: command.submit,
    status: 0,
    sequence: 7,
    body: submitBody({
      serviceType: '',
      parameters: [],
      validForMs: 24 * 3_600_000,
      from: { ton: 5, npi: 0, text: 'HARBOUR' },
      to: { ton: 1, npi: 1, text: '61491570006' },
      coding: 0,
      withHeader: false,
      octets: Buffer.from('Hi'),
    }),
  });
  const read = new smpp.PDU(pdu);
  assert.partialDeepStrictEqual(
    { ...read },
    {
      command: 'submit_sm',
      command_length: pdu.length,
      sequence_number: 7,
      service_type: '',
      source_addr_ton: 5,
      source_addr: 'HARBOUR',
      dest_addr_npi: 1,
      destination_addr: '61491570006',
      esm_class: 0,
      registered_delivery: 1,
      replace_if_present_flag: 0,
      short_message: { message: 'Hi' },
    },
  );
  assert.ok(pdu.includes('000001000000000R\0'));
});
