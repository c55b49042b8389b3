/** The numbers of the partner report, in its order. */
export const counts = {
  bookingsCreated: 'Bookings created.',
  bookingsPending: 'Of these: pending now.',
  bookingsConfirmed: 'Of these: confirmed now.',
  bookingsCompleted: 'Of these: completed now.',
  bookingsCancelled: 'Of these: cancelled now.',
  callLeads: 'Calls registered, by `calledAt`.',
  callLeadsBooked: 'Of these: with a booking by now.',
  quotesRequested: 'Quotes requested.',
  quotesAccepted: 'Of these: accepted by now.',
  remindersSent: 'Service reminders sent, by `sentAt`.',
  remindersBooked: 'Of these: booked by now.',
  messagesSent: 'SMS that a gateway has accepted, of those that you caused.',
  messagesDelivered: 'Of these: delivered.',
  messagesFailed: 'SMS that were not sent or did not arrive: `failed`, `undelivered` and `expired` ones.',
  messagesReceived: "Customers' answers to your SMS.",
  smsSegments: 'Segments of the SMS that a gateway has accepted.',
} as const;

export type CountName = keyof typeof counts;
export type Counts = Readonly<Record<CountName, number>>;

export const countNames = Object.keys(counts) as CountName[];

/** All counts, computed by `of`. */
export function countsBy(of: (name: CountName) => number): Counts {
  return Object.fromEntries(countNames.map((name) => [name, of(name)])) as Record<CountName, number>;
}

export const none: Counts = countsBy(() => 0);
