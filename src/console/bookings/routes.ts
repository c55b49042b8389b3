/** /console/w/{slug}/bookings: bookings that wait for a confirmation, a new one, and one with all its actions. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { askCancel, cancel } from './cancel.ts';
import { attend, complete, confirm, ready, saveJob, undo } from './change.ts';
import { askEdit, edit } from './edit.ts';
import { bookingMessage } from './message.ts';
import { askMove, move } from './move.ts';
import { askNew, book } from './new.ts';
import { showBooking } from './show.ts';

export const bookingRoutes: readonly WorkshopRoute[] = [
  page('bookings/new', 'changeBookings', askNew),
  change('bookings/new', 'changeBookings', book),
  page('bookings/:id', 'seeBookings', showBooking),
  change('bookings/:id/confirm', 'changeBookings', confirm),
  change('bookings/:id/complete', 'handleCars', complete),
  change('bookings/:id/attendance', 'handleCars', attend),
  change('bookings/:id/ready', 'handleCars', ready),
  change('bookings/:id/job', 'noteJobs', saveJob),
  change('bookings/:id/undo', 'handleCars', undo),
  page('bookings/:id/move', 'changeBookings', askMove),
  change('bookings/:id/move', 'changeBookings', move),
  page('bookings/:id/cancel', 'changeBookings', askCancel),
  change('bookings/:id/cancel', 'changeBookings', cancel),
  page('bookings/:id/edit', 'changeBookings', askEdit),
  change('bookings/:id/edit', 'changeBookings', edit),
  page('bookings/:id/message', 'wordTexts', bookingMessage.ask),
  change('bookings/:id/message', 'wordTexts', bookingMessage.send),
  change('bookings/:id/message/preview', 'wordTexts', bookingMessage.preview),
  change('bookings/:id/message/later', 'wordTexts', bookingMessage.later),
];
