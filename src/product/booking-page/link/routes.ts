/** GET /workshops/{id}/booking-url. */
import { publicUrl } from '#base/config/public-url.ts';
import { formatInstant } from '#base/values/instant.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { makeBookingLink } from './make.ts';
import { getBookingUrl } from './operations.ts';

export function bookingUrlRoutes(context: Context): Route[] {
  return [
    route(getBookingUrl, async ({ partnerId, params, query, request }) => {
      const { path, expiresAt } = await makeBookingLink(context, { partnerId, workshopId: params.id }, query);
      // Without a configured public address, the address of this request is used, since the partner can reach it.
      const base = publicUrl(context.config) ?? `${request.protocol}://${request.host}`;
      return { success: true, url: base + path, expiresAt: expiresAt && formatInstant(expiresAt) };
    }),
  ];
}
