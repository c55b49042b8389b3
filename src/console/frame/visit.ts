/** A request of the console: who is signed in, and the workshop that they are at. */
import type { FastifyRequest } from 'fastify';
import type { PersonActor } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Permission } from '#product/people/permissions.ts';
import type { Membership, SignedIn } from '#product/people/sessions/store.ts';
import type { VisitReads } from './old-reads.ts';

export interface Visit {
  readonly context: Context;
  /** Where it reads what may be some seconds old. */
  readonly oldReads: VisitReads;
  readonly request: FastifyRequest;
  readonly who: SignedIn;
  readonly actor: PersonActor;
  /** The parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Form;
  /** The form's fields; empty for GET. */
  readonly form: Form;
}

export interface WorkshopVisit extends Visit {
  readonly workshop: Membership;
  /** The path of the workshop's pages: `/console/w/{slug}`. */
  readonly base: string;
  may(permission: Permission): boolean;
}
