/** How the workshop's staff make or change a booking. */
import type { Actor } from '#base/values/actor.ts';

export interface OwnOptions {
  /** False: nobody is told. */
  readonly notify: boolean;
  /** Also against a conflict that is enforced. */
  readonly anyway: boolean;
  readonly actor: Actor;
}
