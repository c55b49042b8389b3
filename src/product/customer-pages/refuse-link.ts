/** A refusal on a page that customers open by a link. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isBookingCode, readCode } from '#base/values/code.ts';
import type { Problem } from '#errors.ts';
import { linkButton } from '#platform/pages/components.ts';
import { errorPage } from '#platform/pages/error-page.ts';
import { showPage } from '#platform/pages/scope.ts';
import { findPath } from '#platform/pages/shop.ts';

/** A link that leads nowhere leads on to **Find your booking**; whose it was is not known, and the page is the same for every code. */
export function refuseLink(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code = '' } = request.params as Readonly<Record<string, string>>;
  return showPage(reply, errorPage(problem, request.shop, request.id, wayOn(readCode(code))));
}

/** A booking's own code, in place of its link's, is taken along. */
function wayOn(code: string): SafeHtml {
  const query = isBookingCode(code) ? `?${new URLSearchParams({ code })}` : '';
  return html`<p>Open the whole link of the message that you got. The workshop’s phone number is in that message too: they can help you.</p><p class="buttons">${linkButton('Find your booking', findPath + query)}</p>`;
}
