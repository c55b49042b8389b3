/** The demo's day: today's bookings and conversations of its first workshop, created at the first start of each day. */
import { actors } from '#base/values/actor.ts';
import { dateAt, localDay } from '#base/values/local-day.ts';
import { formatLocalTime } from '#base/values/local-time.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { readDay } from '#product/bookings/staff/day/store.ts';
import { giveStatus } from '#product/bookings/staff/status.ts';
import { recordCall } from '#product/leads/register.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { createQuote } from '#product/quotes/create.ts';
import { makeAhead } from './ahead.ts';
import { demoPartner, demoWorkshops } from './data.ts';
import { hasPast, insertPast } from './past/store.ts';
import { makeTalks } from './talks.ts';

const [{ id: workshopId, settings }] = demoWorkshops;
const { timezone } = settings;

type State = 'pending' | 'confirmed' | 'completed' | 'cancelled';
/** Local time of today; `late` is half an hour ago. */
type Line = readonly [
  time: string,
  name: string,
  phone: string,
  rego: string,
  car: string,
  service: string,
  state: State,
];

const lines: readonly Line[] = [
  ['07:30', 'Ruby Foster', '0491573770', '1KLM22', 'Toyota Camry', 'oil', 'completed'],
  ['07:30', 'Liam Oakes', '0491573087', '1NPQ33', 'Mazda 3', 'logbook', 'completed'],
  ['08:00', 'Isla Grant', '0491574118', '1RST44', 'Subaru Forester', 'tyres-4', 'completed'],
  ['08:30', 'Owen Price', '0491574632', '1UVW55', 'Ford Ranger', 'brakes-front', 'confirmed'],
  ['09:00', 'Zoe Marsh', '0491575254', '1XYZ66', 'Kia Cerato', 'inspection', 'cancelled'],
  ['09:30', 'Hugo Lane', '0491575789', '1ABD77', 'Hyundai i30', 'logbook', 'confirmed'],
  ['10:00', 'Ella Stone', '0491576398', '1EFG88', 'Honda Jazz', 'alignment', 'confirmed'],
  ['late', 'Noah Bell', '0491570156', '1HJK99', 'Nissan Navara', 'diagnosis', 'confirmed'],
  ['11:00', 'Mila Hayes', '0491576801', '1LMN11', 'Volkswagen Golf', 'battery', 'confirmed'],
  ['11:30', 'Finn Doyle', '0491577426', '1PQR12', 'Toyota HiLux', 'roadworthy', 'confirmed'],
  ['13:00', 'Aria Walsh', '0491577644', '1STU13', 'Mitsubishi ASX', 'rotation', 'pending'],
  ['13:30', 'Kai Burton', '0491578957', '1VWX14', 'Holden Colorado', 'puncture', 'confirmed'],
  ['14:30', 'Luna Abbott', '0491578148', '1YZA15', 'Suzuki Swift', 'aircon', 'pending'],
  ['15:30', 'Max Ellery', '0491578888', '1BCD16', 'Isuzu D-Max', 'oil', 'pending'],
  ['16:00', 'Nina Cole', '0491578212', '1DEF17', 'Audi A3', 'inspection', 'cancelled'],
];

const actor = actors.operator;

/** The most bookings that the demo makes ahead for a day: a day with no more than these is not created yet. */
const bookedAheadAtMost = 4;

/**
 * Creates today's bookings, a quote to price, a missed call, texts of customers, and a text that will fail; nothing when the day
 * exists. On the first day also the weeks before and the week ahead.
 */
export async function ensureDemoDay(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const today = dateAt(now.getTime(), timezone);
  const booked = await readDay(db, workshopId, localDay(today, timezone), bookedAheadAtMost + 1);
  if (booked.length > bookedAheadAtMost) return;
  for (const line of lines) await book(context, line, today);
  await askForQuote(context);
  await missCall(context);
  await makeTalks(context, today);
  const content = { text: 'Good morning, we expected your Navara today. Are you on your way?' };
  // A number that the sandbox refuses, as carriers refuse one that is not in use.
  await sendOwnMessage(context, {
    workshopId,
    to: { phone: '+61491570156' },
    bookingId: null,
    content,
    actor,
    ground: { reason: 'They booked for today' },
  });
  const past = { workshopId, partnerId, timezone, now };
  if (await hasPast(db, past)) return;
  await change(context, ({ tx }) => insertPast(tx, past));
  await makeAhead(context, today);
}

async function book(
  context: Context,
  [time, name, phone, rego, car, service, state]: Line,
  today: string,
): Promise<void> {
  const [make = '', ...model] = car.split(' ');
  const input = {
    bookingTime: `${today} ${time === 'late' ? lateTime(context, today) : time}`,
    ...{
      customerName: name,
      customerPhone: phone,
      customerEmail: `${name.toLowerCase().replace(' ', '.')}@mail.example`,
    },
    ...{ carRego: rego, carMake: make, carModel: model.join(' '), service: [service] },
    isPending: state === 'pending',
  };
  const { id } = await createOwnBooking(context, workshopId, input, { notify: false, anyway: null, actor });
  if (state === 'pending' || state === 'confirmed') return;
  const reason = state === 'cancelled' ? 'The customer called: the car was sold.' : undefined;
  await giveStatus(context, id, { status: state, reason, notify: false, actor });
}

/** Half an hour ago; just after midnight, midnight. */
function lateTime({ clock }: Context, today: string): string {
  const agoMs = clock.now().getTime() - 30 * 60_000;
  if (dateAt(agoMs, timezone) !== today) return '00:00';
  return /\d\d:\d\d/.exec(formatLocalTime(new Date(agoMs), timezone))?.[0] ?? '00:00';
}

const partnerId = demoPartner.id;
const byPartner = actors.partner(partnerId, demoPartner.appKey, 'demo');
const asPartner = { partnerId, actor: byPartner, claim: null } as const;

async function askForQuote(context: Context): Promise<void> {
  const customer = {
    customerName: 'Theo Marlow',
    customerPhone: '0491579760',
    customerEmail: 'theo.marlow@mail.example',
  };
  const body = {
    ...{
      workshopId,
      ...customer,
      carRego: '1GHJ18',
      carMake: 'BMW',
      carModel: '320i',
      skipNotification: true,
    },
    services: [{ title: 'Timing chain rattles when cold', category: 'repair' as const }],
  };
  await createQuote(context, { ...asPartner, body, phone: '+61491579760', found: [] });
}

async function missCall(context: Context): Promise<void> {
  const calledAt = new Date(context.clock.now().getTime() - 20 * 60_000).toISOString();
  const body = {
    workshopId,
    callerPhone: '0491579455',
    calledAt,
    outcome: 'missed' as const,
    customerName: 'Poppy Dunn',
  };
  await recordCall(context, { ...asPartner, body, phone: '+61491579455' });
}
