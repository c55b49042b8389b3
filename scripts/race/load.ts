/** The load: creations, moves, changed services, cancellations and imports by many clients at once, all on a few days. */
import { randomInt } from 'node:crypto';
import type { ReferenceWorkshop } from '../../test/fixtures/availability-reference.ts';
import { send } from '../../test/harness/http.ts';
import { emptyHistory, type Held, type History } from './history.ts';
import { placeOf } from './place.ts';
import { racedDates } from './workshop.ts';

export interface Race {
  /** The processes of the installation, each called in turn. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly workshopId: string;
  readonly workshop: ReferenceWorkshop;
  /** Asked before each request, with the number of those that were sent. */
  readonly isOver: (sent: number) => boolean;
  /** Clients for each process. */
  readonly clients: number;
  /** Business time. */
  readonly now: () => number;
}

interface Made {
  readonly id: string;
  date: string;
  services: readonly string[];
  busy: boolean;
}

const dayMs = 24 * 60 * 60_000;

/** Runs until the time is over, and returns what happened. */
export async function runLoad(race: Race): Promise<History> {
  const { urls, isOver, clients, workshop, now } = race;
  const history = emptyHistory();
  const made: Made[] = [];
  const held = new Map<string, Held>();
  const startedAt = Date.parse(`${racedDates(now(), workshop.timezone)[0]}T00:00:00Z`) - dayMs / 2;
  let sent = 0;

  const anyInstant = () =>
    new Date(startedAt + randomInt(5 * 1440) * 60_000 + randomInt(60) * 1_000).toISOString();
  const anyServices = () =>
    Array.from(
      { length: 1 + randomInt(2) },
      () => workshop.services[randomInt(workshop.services.length)]?.id ?? '',
    );
  const items = (services: readonly string[]) => services.map((catalogId) => ({ catalogId }));

  async function call(method: string, path: string, body: object) {
    const since = performance.now();
    const answer = await send(`${urls[sent++ % urls.length]}${path}`, method, {
      headers: race.headers,
      body,
    });
    const name = `${method} ${answer.status} ${answer.body?.errorCode ?? ''}`.trim();
    history.answers.set(name, (history.answers.get(name) ?? 0) + 1);
    return { answer, since, until: performance.now() };
  }

  function record(
    { answer, since, until: end }: Awaited<ReturnType<typeof call>>,
    booking: Pick<Made, 'date' | 'services'>,
    id: string | null,
  ): boolean {
    const instant = Date.parse(booking.date);
    const wish = { services: booking.services, category: null };
    if (answer.status === 409 && answer.body.errorCode === '060003') {
      history.refused.push({ bookingId: id, wish, instant, reason: answer.body.reason, since, until: end });
      return false;
    }
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    const bookingId = id ?? answer.body.booking.id;
    release(bookingId, end);
    const place = placeOf(workshop, instant, booking.services);
    const now_: Held = { ...place, bookingId, since, freedBy: Number.POSITIVE_INFINITY };
    held.set(bookingId, now_);
    history.held.push(now_);
    return true;
  }

  function release(bookingId: string, at: number): void {
    const before = held.get(bookingId);
    if (before) before.freedBy = at;
    held.delete(bookingId);
  }

  async function create(): Promise<void> {
    const booking = { date: anyInstant(), services: anyServices() };
    const result = await call(
      'POST',
      '/bookings',
      bodyOf(race.workshopId, booking.date, items(booking.services)),
    );
    if (record(result, booking, null))
      made.push({ ...booking, id: result.answer.body.booking.id, busy: false });
  }

  async function importPast(): Promise<void> {
    const past = new Date(now() - dayMs * (1 + randomInt(300))).toISOString();
    const { answer } = await call('POST', '/bookings', bodyOf(race.workshopId, past, items(anyServices())));
    if (answer.status !== 201)
      throw new Error(`an import was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** One client at a time changes a booking, so that its places are known in their order. */
  async function change(work: (booking: Made) => Promise<void>): Promise<void> {
    const free = made.filter(({ busy }) => !busy);
    const booking = free[randomInt(Math.max(1, free.length))];
    if (booking === undefined) return create();
    booking.busy = true;
    await work(booking);
    booking.busy = false;
  }

  async function put(booking: Made, changes: Partial<Pick<Made, 'date' | 'services'>>): Promise<void> {
    const next = { date: booking.date, services: booking.services, ...changes };
    const body = {
      ...(changes.date && { date: changes.date }),
      ...(changes.services && { services: items(changes.services) }),
      skipNotification: true,
    };
    if (record(await call('PUT', `/bookings/${booking.id}`, body), next, booking.id))
      Object.assign(booking, next);
  }

  async function cancel(booking: Made): Promise<void> {
    const { answer, until: end } = await call('POST', `/bookings/${booking.id}/cancelled`, {
      skipNotification: true,
    });
    if (answer.status !== 200) throw new Error(`a cancellation was answered with ${answer.status}`);
    release(booking.id, end);
    made.splice(made.indexOf(booking), 1);
  }

  const works = [
    ...[create, create, create, create, importPast],
    () => change((booking) => put(booking, { date: anyInstant() })),
    () => change((booking) => put(booking, { services: anyServices() })),
    () => change((booking) => put(booking, { date: anyInstant(), services: anyServices() })),
    ...[() => change(cancel), () => change(cancel)],
  ];
  const client = async () => {
    while (!isOver(sent)) await works[randomInt(works.length)]?.();
  };
  await Promise.all(Array.from({ length: clients * urls.length }, client));
  return history;
}

function bodyOf(workshopId: string, bookingTime: string, services: readonly object[]): object {
  const n = randomInt(10_000);
  return {
    ...{ workshopId, bookingTime, services, carRego: `R${n}`, customerName: `Racer ${n}` },
    ...{
      customerPhone: `+6149157${String(n).padStart(4, '0')}`,
      customerEmail: `racer${n}@mail.example`,
      skipNotification: true,
    },
  };
}
