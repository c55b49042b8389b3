/** Pages that follow, for browser tests: an office behind a proxy that can break its event streams. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '#product/people/permissions.ts';
import { type ChangeStreams, changeStreams } from '../fixtures/change-stream.ts';
import { signedInPerson } from '../fixtures/office.ts';
import { secondApp } from '../fixtures/second-app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { until } from '../harness/wait.ts';
import { bookingBody } from '../harness/world.ts';
import { desk } from './customer.ts';
import { openConsole, startOffice } from './office.ts';
import type { Visit } from './visit.ts';

/** Longer than from a look of the API to the next, and from one fetch of a page to the next. */
const settledMs = 800;

export interface LiveOffice {
  readonly streams: ChangeStreams;
  /** The places of its workshop. */
  readonly base: string;
  /** Opens a place, and waits until its stream is open and it asks for itself no more. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Resolves once no page has asked for itself for a while: a stream begins with what changed lately. */
  settled(): Promise<void>;
  /** A partner books; returns the id. */
  book(carRego: string, bookingTime: string, customerPhone?: string): Promise<string>;
  /** A partner changes the status. */
  become(id: string, status: 'confirmed' | 'cancelled'): Promise<void>;
  /** Opens a place in the browser of another person of this role, at the process of this address. */
  openAs(role: Role, path: string, url?: string): Promise<Visit>;
  /** What the partner sees of the booking. */
  seenByPartner(id: string): Promise<{ readonly status: string }>;
  /** A further process behind the same database; returns its address. */
  further(): Promise<string>;
  /** Saves a note of today, in another browser. */
  note(text: string): Promise<void>;
  /** Somebody else signs in in the browser of the page. */
  signInAnother(page: Page): Promise<void>;
  /** The time of each Undo is over. */
  later(): Promise<void>;
  /** Closes all pages, also what a failed test left open, and serves streams again. */
  clear(): Promise<void>;
}

export async function startLiveOffice(): Promise<LiveOffice> {
  const office = await startOffice();
  const { app, partner, busy } = office;
  const { db } = app.context;
  const streams = await changeStreams(app.url);
  const browser: Browser = await launchBrowser();
  const [first] = await db.query<{ workshopId: string }>('SELECT workshop_id FROM booking WHERE id = $1', [
    office.bookings[0],
  ]);
  let booked = 0;
  async function settled(): Promise<void> {
    for (let asked = -1; asked !== streams.fetched(); ) {
      asked = streams.fetched();
      await new Promise((resolve) => setTimeout(resolve, settledMs));
    }
  }
  return {
    ...{ streams, base: busy },
    async open(path, options = desk) {
      const visit = await openConsole(
        browser,
        { ...office, app: { ...app, url: streams.url } },
        `${busy}/${path}`,
        options,
      );
      await until('it follows', () => streams.open() === 1);
      await settled();
      return visit;
    },
    settled,
    async book(carRego, bookingTime, phone) {
      booked += 1;
      const { status, body } = await partner.call(
        'POST',
        '/bookings',
        bookingBody(first?.workshopId ?? '', {
          ...{
            carRego,
            bookingTime,
            customerPhone: phone ?? `04915701${10 + booked}`,
            services: [{ title: 'Other' }],
          },
        }),
      );
      assert.equal(status, 201, JSON.stringify(body));
      return body.booking.id;
    },
    async become(id, became) {
      const { status } = await partner.call(
        'POST',
        `/bookings/${id}/${became}`,
        became === 'cancelled' ? { reason: 'x' } : undefined,
      );
      assert.equal(status, 200);
    },
    async openAs(role, path, url = streams.url) {
      const person = await signedInPerson(app, [first?.workshopId ?? ''], role);
      return openConsole(browser, { ...office, app: { ...app, url } }, `${busy}/${path}`, desk, person);
    },
    async seenByPartner(id) {
      const { status, body } = await partner.call('GET', `/bookings/${id}`);
      assert.equal(status, 200);
      return body.booking;
    },
    further: async () => (await secondApp(app)).url,
    async note(text) {
      const { status } = await office.owner.submit(`${busy}/today`, `${busy}/today/note`, { text });
      assert.equal(status, 303);
    },
    async signInAnother(page) {
      const { cookie } = await signedInPerson(app, [first?.workshopId ?? ''], 'viewer');
      const [name = '', value = ''] = cookie.split('=');
      await page.context().addCookies([{ name, value, url: streams.url }]);
    },
    async later() {
      await db.query("UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'");
      await app.drain();
    },
    async clear() {
      await browser.close();
      streams.refuse(null);
      await until('no stream is open', () => streams.open() === 0);
    },
  };
}

export const entry = (page: Page, rego: string) => page.locator('.lanes .entry', { hasText: rego });

/** The count beside the switch. */
export const count = (page: Page) => page.locator('#changes').textContent();
export const counts = (page: Page, text: string) =>
  until(`the count is ${text}`, async () => (await count(page)) === text);

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where it is seen. */
export const placeOf = (page: Page, selector: string) =>
  page.evaluate<Point>(
    `(({ x, y }) => ({ x, y }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
  );

/** Fails when it has moved, but for parts of a pixel: a page is scrolled by whole ones. */
export async function assertStayed(page: Page, selector: string, then: Point): Promise<void> {
  const now = await placeOf(page, selector);
  assert.ok(Math.abs(now.x - then.x) < 1 && Math.abs(now.y - then.y) < 1, JSON.stringify({ now, then }));
}
