/** GET /r/{code}: from the SMS of a service reminder to the booking page (areas, section 7). */
import type { FastifyInstance } from 'fastify';
import { readReminderCode } from '#bookings/reminder-code/code.ts';
import type { Context } from '#context.ts';
import { boundedGuess } from '#pages/guesses.ts';
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

/** The car and the work, and nothing that names or reaches the person: whoever has the code may see it. A used code books no more. */
function prefillOf({ isOpen, rego, serviceCategory, catalogId }: RemindedVisit, code: string): Prefill {
  return {
    ...(rego !== null && { rego }),
    ...(serviceCategory !== null && { serviceCategory }),
    ...(catalogId !== null && { catalogId }),
    ...(isOpen && { reminderCode: code }),
  };
}
