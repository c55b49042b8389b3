/** Examples of availabilities, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const frame = {
  success: true,
  workshopId: exampleIds.workshop,
  timezone: 'Australia/Melbourne',
  slotMinutes: 30,
  enforced: true,
};

export const availabilityExamples: { answer: Examples } = {
  answer: {
    free: {
      summary: 'A day with two free slots',
      value: {
        ...frame,
        days: [
          {
            date: '2027-03-29',
            open: true,
            openingTime: '08:00',
            closingTime: '17:30',
            note: null,
            slots: [
              { time: '2027-03-28T21:00:00.000Z', localTime: '08:00', remaining: 2 },
              { time: '2027-03-28T22:30:00.000Z', localTime: '09:30', remaining: 1 },
            ],
            pickupTimes: [{ time: '2027-03-29T05:00:00.000Z', localTime: '16:00' }],
            unavailable: [],
          },
        ],
      },
    },
    explained: {
      summary: 'With `explain`: a day that is closed, and a time that is full',
      value: {
        ...frame,
        days: [
          {
            date: '2027-03-26',
            open: false,
            openingTime: null,
            closingTime: null,
            note: 'Good Friday',
            slots: [],
            pickupTimes: [],
            unavailable: [{ time: null, localTime: null, reason: 'custom' }],
          },
          {
            date: '2027-03-29',
            open: true,
            openingTime: '08:00',
            closingTime: '09:00',
            note: null,
            slots: [{ time: '2027-03-28T21:30:00.000Z', localTime: '08:30', remaining: 2 }],
            pickupTimes: [],
            unavailable: [{ time: '2027-03-28T21:00:00.000Z', localTime: '08:00', reason: 'full' }],
          },
        ],
      },
    },
  },
};
