/** The demo's coming week: bookings, a limit that is used, reminders that are due, and a quote that waits for its customer. */
import { actors } from '#base/values/actor.ts';
import { addDays } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { createQuote } from '#product/quotes/create.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { remind } from '#product/reminders/remind.ts';
import { demoPartner, demoPeople, demoWorkshops } from './data.ts';

const [{ id: workshopId }] = demoWorkshops;
const actor = actors.operator;
const byPartner = actors.partner(demoPartner.id, demoPartner.appKey, 'demo');
const asPartner = { partnerId: demoPartner.id, actor: byPartner } as const;

type Line = readonly [time: string, name: string, phone: string, rego: string, service: string];

const lines: readonly Line[] = [
  ['12:00', 'Ida Crane', '0491570314', '1GGA21', 'logbook'],
  ['14:00', 'Noel Barnes', '0491570315', '1GGB22', 'tyres-4'],
  ['15:00', 'Cleo Hart', '0491570316', '1GGC23', 'brakes-front'],
  ['16:30', 'Rafi Stern', '0491570317', '1GGD24', 'oil'],
];

const inTheMorning: Line = ['09:00', 'Vera Lund', '0491570318', '1GGE25', 'inspection'];

/** Fewer bookings on each of the next six days, none on Sundays. */
export async function makeAhead(context: Context, today: string): Promise<void> {
  for (let day = 1; day <= 6; day++) {
    const date = addDays(today, day);
    const weekday = Temporal.PlainDate.from(date).dayOfWeek;
    if (weekday === 7) continue;
    const its = weekday === 6 ? [inTheMorning] : lines.slice(0, Math.max(2, 5 - day));
    for (const line of its) await book(context, date, line);
  }
  await remindThem(context);
  await offer(context);
}

async function book(context: Context, date: string, [time, name, phone, rego, service]: Line): Promise<void> {
  await createOwnBooking(
    context,
    workshopId,
    {
      ...{ bookingTime: `${date} ${time}`, customerName: name, customerPhone: phone, carRego: rego },
      ...{ service: [service], isPending: service === 'oil' },
    },
    { notify: false, anyway: null, actor },
  );
}

/** Reminds the customers whose cars the demo knows, one and two weeks from now. */
async function remindThem(context: Context): Promise<void> {
  const known = demoPeople.filter(({ customer }) => customer.workshopId === workshopId);
  for (const [n, { customer, car }] of known.entries()) {
    const sendAt = new Date(context.clock.now().getTime() + (n + 1) * 7 * 86_400_000).toISOString();
    const body = {
      workshopId,
      customerPhone: customer.phone,
      customerName: customer.name,
      carRego: car.rego,
      sendAt,
    };
    await remind(context, { ...asPartner, body, referenceId: null });
  }
}

async function offer(context: Context): Promise<void> {
  const body = {
    ...{ workshopId, customerName: 'Dora Finch', customerPhone: '0491579761' },
    ...{ customerEmail: 'dora.finch@mail.example', carRego: '1GHK19', carMake: 'Skoda', carModel: 'Octavia' },
    ...{ skipNotification: true, services: [{ title: 'Clutch slips', category: 'repair' as const }] },
  };
  const quote = await createQuote(context, {
    ...asPartner,
    ...{ body, phone: '+61491579761', found: [], claim: null },
  });
  if (quote === null) return;
  const lines = ['Clutch kit:1:780', 'Labour:4.5:120'];
  const message = 'With the flywheel if it needs one; we call you before.';
  await priceQuote(context, { quoteId: quote.id, lines, validDays: '14', message, actor, notify: false });
}
