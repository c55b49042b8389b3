/** A visitor who changes something on a page: limited by address, and recorded as the customer. */
import type { FastifyRequest } from 'fastify';
import { actors, type CustomerActor } from '#base/values/actor.ts';

export interface Visitor {
  /** The address in the network. */
  readonly address: string;
  readonly actor: CustomerActor;
}

export const visitorOf = ({ ip, id }: Pick<FastifyRequest, 'ip' | 'id'>): Visitor => ({
  address: ip,
  actor: actors.customerByLink(id),
});
