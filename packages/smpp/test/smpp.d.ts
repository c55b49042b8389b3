/** The parts of the library that tests use; the library has no types of its own. */
declare module 'smpp' {
  import type { Server, Socket } from 'node:net';

  export interface Fields {
    readonly [name: string]: unknown;
  }
  export class PDU {
    constructor(command: string, fields?: Fields);
    constructor(bytes: Buffer);
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly [name: string]: unknown;
    toBuffer(): Buffer;
    response(fields?: Fields): PDU;
  }
  export interface Session {
    readonly socket: Socket;
    on(event: string, heard: (pdu: PDU) => void): void;
    send(pdu: PDU, answered?: (pdu: PDU) => void): boolean;
    destroy(): void;
  }
  export interface SmppServer extends Server {
    readonly sessions: readonly Session[];
  }
  const smpp: {
    readonly PDU: typeof PDU;
    createServer(options: Fields, listener: (session: Session) => void): SmppServer;
    readonly encodings: { readonly ASCII: { encode(text: string): Buffer; decode(octets: Buffer): string } };
  };
  export default smpp;
}
