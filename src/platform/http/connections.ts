/**
 * The open connections: limits their number, and closes them at a shutdown. Over the limit the connection that has been idle
 * longest is closed, so that a client with thousands of open connections shuts out nobody.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  /** Requests whose response has not been sent completely, including those whose body is still arriving. */
  open: number;
  /** The requests among them that the process works on. */
  inWork: number;
}

export class Connections {
  readonly #atMost: number;
  /** The connection that has been idle longest comes first. */
  readonly #uses = new Map<Socket, Use>();
  /** Connections whose response is a stream: the code that sends the streams counts them. */
  readonly #apart = new Set<Socket>();
  #ended = 0;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** Call it for each server before it listens. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#uses.set(socket, { open: 0, inWork: 0 });
      socket.once('close', () => this.#uses.delete(socket));
      if (this.#uses.size > this.#atMost) this.#makeRoom();
    });
  }

  /** Its response is a stream: from now on it is neither counted nor closed to make room. A further request on it ends it. */
  setApart(socket: Socket): void {
    if (!this.#uses.delete(socket)) return;
    this.#apart.add(socket);
    socket.once('close', () => this.#apart.delete(socket));
  }

  /** A request of this connection has come: returns how many wait for their response, it included; 0 once it was closed. */
  requestCame(socket: Socket): number {
    if (this.#apart.has(socket)) this.end(socket);
    const use = this.#uses.get(socket);
    return use === undefined ? 0 : ++use.open;
  }

  requestAnswered(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (use) use.open--;
  }

  /** The process works on a request of this connection from now on, until `endWork`. */
  beginWork(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (use) use.inWork++;
  }

  endWork(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (use === undefined) return;
    use.inWork--;
    // Moves it to the end of the order.
    this.#uses.delete(socket);
    this.#uses.set(socket, use);
  }

  /** True when no further request of this connection waits for its response. */
  isLastAnswer(socket: Socket): boolean {
    return (this.#uses.get(socket)?.open ?? 0) <= 1;
  }

  /** Closes this connection at once, with its waiting requests, since it takes more than its share. */
  end(socket: Socket): void {
    this.#ended++;
    this.#uses.delete(socket);
    socket.destroy();
  }

  /** How many connections `end` has closed since this was last called. */
  takeEnded(): number {
    const ended = this.#ended;
    this.#ended = 0;
    return ended;
  }

  /** Closes all connections at once. */
  endAll(): void {
    for (const socket of [...this.#uses.keys(), ...this.#apart]) socket.destroy();
  }

  #makeRoom(): void {
    // Skips at most as many connections as there are requests that are worked on.
    for (const [socket, { inWork }] of this.#uses) {
      if (inWork > 0) continue;
      this.end(socket);
      return;
    }
  }
}
