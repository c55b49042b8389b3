/** The sandbox needs no token, so it serves this machine only (403 000003), unless PITLANE_SANDBOX=on. */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Config } from '#base/config.ts';
import { Problem } from '#errors.ts';
import { elsewhereBecause } from '#platform/http/this-machine.ts';

/** True when the sandbox serves this request. */
export function reachesSandbox(config: Pick<Config, 'sandboxForced'>, request: FastifyRequest): boolean {
  return config.sandboxForced || elsewhereBecause(request) === null;
}

/** A hook that refuses requests from elsewhere; with PITLANE_SANDBOX=on it accepts all. */
export function thisMachineOnly({ sandboxForced }: Pick<Config, 'sandboxForced'>): onRequestAsyncHookHandler {
  return async (request) => {
    const why = sandboxForced ? null : elsewhereBecause(request);
    if (why === null) return;
    throw new Problem('000003', {
      message: `The sandbox serves its own machine only, ${why}; the operator can open it with PITLANE_SANDBOX=on`,
    });
  };
}
