/** GET /r/{code}: redirects from the SMS of a service reminder to the booking page. */
import type { FastifyInstance } from 'fastify';
import { visible } from '#base/values/bidi.ts';
import { withoutLinks } from '#base/values/callers-links.ts';
import { carText } from '#base/values/car-text.ts';
import { shorten } from '#base/values/shorten.ts';
import type { Context } from '#platform/context.ts';
import { boundedGuess } from '#platform/pages/guesses.ts';
import { readReminderCode } from '#product/bookings/reminder-code/code.ts';
import { bookingPath, expiryOf, type Prefill } from '../link/link.ts';
import { findRemindedVisit, type RemindedVisit } from './store.ts';

export function reminderPageRoutes(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { code: string } }>('/r/:code', async (request, reply) => {
    const code = readReminderCode(request.params.code);
    const found = await boundedGuess(context, { of: 'reminder', address: request.ip }, async () =>
      code === null ? null : findRemindedVisit(context.db, code),
    );
    const prefill = prefillOf(found, code ?? '');
    const expiresAt = expiryOf(prefill, context.clock.now());
    return reply.redirect(bookingPath(context, found, { ...found, expiresAt, prefill }), 303);
  });
}

/**
 * The car, the work and the first name, and no other personal data, since anybody with the code may see it. A used code can't be
 * used again.
 */
function prefillOf(found: RemindedVisit, code: string): Prefill {
  const { isOpen, rego, serviceCategory, catalogId } = found;
  return {
    reminded: remindedBy(found),
    ...(rego !== null && { rego }),
    ...(serviceCategory !== null && { serviceCategory }),
    ...(catalogId !== null && { catalogId }),
    ...(isOpen && { reminderCode: code }),
  };
}

/** A name of digits is a phone: some partners send it instead of an unknown name. */
function remindedBy({ firstName, car }: RemindedVisit): NonNullable<Prefill['reminded']> {
  const name = withoutLinks(visible(firstName ?? ''));
  return {
    ...(name !== '' && !/\d{3}/.test(name) && { firstName: shorten(name, 40) }),
    ...(car !== null && { car: shorten(carText(car), 60) }),
  };
}
