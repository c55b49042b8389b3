/**
 * Which pages may show data that is some seconds old: none that the person could compare with what they have just done, and none that is fetched since
 * something changed. A browser that has sent a form has a cookie for some seconds.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import { writeCookie } from '#platform/http/cookies.ts';
import type { ConsoleResponse } from './console-page.ts';
import { connectionOf, cookieOn, nameOn } from './cookie.ts';
import type { Visit } from './visit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As the page's route declares it. */
    onlyAsks?: boolean;
  }
}

/** Where this request reads what may be old: without the replica where nothing may. */
export type VisitReads = Pick<Context, 'db' | 'replica' | 'clock'>;

const changedCookie = 'pitlane-changed';
/** Longer than any read is old. */
const changedSeconds = 15;

export function oldReadsOf(context: Context, request: FastifyRequest): VisitReads {
  const { db, clock, replica } = context;
  return { db, clock, replica: replica !== null && mayBeOld(context, request) ? replica : null };
}

/** `Pitlane-Follows`: an open page fetches itself after a change. */
function mayBeOld(context: Context, request: FastifyRequest): boolean {
  const { method, headers } = request;
  const hasChanged = cookieOn(connectionOf(context, request), request, changedCookie) !== undefined;
  return method !== 'POST' && headers['pitlane-follows'] === undefined && !hasChanged;
}

/**
 * After a form that was not refused: what this browser reads in the next seconds has its effect. A page's heartbeats, and forms that only ask, change
 * nothing that is read later.
 */
export function rememberChange(
  { context, request }: Pick<Visit, 'context' | 'request'>,
  reply: FastifyReply,
  response: ConsoleResponse,
): ConsoleResponse {
  const { isBeat, onlyAsks } = request.routeOptions.config;
  const isRefusal = 'isRefusal' in response && response.isRefusal === true;
  if (context.replica === null || request.method !== 'POST' || isBeat || onlyAsks || isRefusal)
    return response;
  const connection = connectionOf(context, request);
  writeCookie(reply, {
    ...{ name: nameOn(connection, changedCookie), value: 'yes', seconds: changedSeconds },
    isSecure: connection === 'secure',
  });
  return response;
}
