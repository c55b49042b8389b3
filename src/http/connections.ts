/**
 * The connections of one server: how many there may be, and their end at a stop. Over the limit the one that has waited
 * longest without a request in work gives way, so that whoever holds thousands open shuts out nobody.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  /** Requests that came and are not answered to the end; one whose body is still on its way among them. */
  open: number;
  /** Those of them in work. */
  inWork: number;
}

export class Connections {
  readonly #atMost: number;
  /** Longest without work first. */
  readonly #uses = new Map<Socket, Use>();

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** To be called for each server that listens, before it does. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#uses.set(socket, { open: 0, inWork: 0 });
      socket.once('close', () => this.#uses.delete(socket));
      if (this.#uses.size > this.#atMost) this.#makeRoom();
    });
    server.on('request', ({ socket }, response) => {
      const use = this.#uses.get(socket);
      if (use === undefined) return;
      use.open++;
      response.once('close', () => {
        use.open--;
      });
    });
  }

  /** A request of this connection is in work from now on, until `endWork`. */
  beginWork(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (use) use.inWork++;
  }

  endWork(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (use === undefined) return;
    use.inWork--;
    // To the end of the line.
    this.#uses.delete(socket);
    this.#uses.set(socket, use);
  }

  /** True when no further request of this connection waits for its answer. */
  isLastAnswer(socket: Socket): boolean {
    return (this.#uses.get(socket)?.open ?? 0) <= 1;
  }

  /** Ends all of them at once, whatever they do. */
  endAll(): void {
    for (const socket of this.#uses.keys()) socket.destroy();
  }

  #makeRoom(): void {
    // At most as many are passed over as there are requests in work.
    for (const [socket, { inWork }] of this.#uses) {
      if (inWork > 0) continue;
      this.#uses.delete(socket);
      socket.destroy();
      return;
    }
  }
}
