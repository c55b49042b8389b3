/** What each browser walks: the desk's day at the console, and the booking page, once. */
import assert from 'node:assert/strict';
import type { DemoServer } from '../demo-server.ts';
import { button, classed, field, heading, link, says, type Tab } from './tab.ts';

const workshop = 'yarra-street-motors';

export async function walk(tab: Tab, server: DemoServer): Promise<void> {
  await desk(tab, server);
  await bookingPage(tab, server);
}

/** The workshop's people: Today, a booking, a walk-in, an answer, and what a partner changes meanwhile. */
async function desk(tab: Tab, server: DemoServer): Promise<void> {
  const { url, consoleUrl } = server;
  const base = `${url}/console/w/${workshop}`;
  await tab.open(consoleUrl);
  await tab.click(button('Sign in'));
  await tab.see(link('Bookings to confirm'));

  await tab.click(link('Aria Walsh'));
  await tab.click(button('Confirm'));
  await tab.see(says('Confirmed'));

  await tab.open(`${base}/bookings/new`);
  await tab.fill(field('Registration'), 'WALK01');
  await tab.fill(field('Mobile number'), '0491 570 006');
  await tab.fill(field('Name'), 'Noor Haddad');
  await tab.click(field('Here'));
  await tab.click(button('Book'));
  await tab.see(says('Noor Haddad'));

  await tab.open(`${base}/inbox`);
  await tab.click(link('Aria Walsh'));
  await tab.fill(field('Answer'), `Half past four is fine. (${tab.name})`);
  await tab.click(button('Send'));
  await tab.see(says(`Half past four is fine. (${tab.name})`));

  // What a partner books is on the open page without a reload, within seconds.
  await tab.open(`${base}/today?date=2030-03-05`);
  await tab.value('void (window.isStillOpen = true) || null');
  await bookAsPartner(server);
  await tab.see(link('LIVE01'));
  assert.equal(await tab.value('window.isStillOpen === true'), true, 'the page was loaded again');
}

async function bookAsPartner({ url, partnerId, appKey, secret, workshopId }: DemoServer): Promise<void> {
  const post = async (path: string, body: object, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', 'x-partner-id': partnerId, ...headers },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { token: string };
  };
  const { token } = await post('/auth/token', { appKey, secret });
  const booking = {
    ...{ workshopId, carRego: 'LIVE01', bookingTime: '2030-03-05T09:00:00+11:00', customerName: 'Pat Quick' },
    ...{ customerPhone: '0491570156', customerEmail: 'pat@mail.example', skipNotification: true },
  };
  await post('/bookings', booking, { authorization: `Bearer ${token}` });
}

/** A customer: service, time, details, one of them wrong, done. */
async function bookingPage(tab: Tab, { url }: DemoServer): Promise<void> {
  await tab.open(`${url}/book/${workshop}`);
  await tab.see(heading('What can we do for your car?'));
  await tab.click('//main//ul[contains(@class,"rows")]//a');
  await tab.see(heading('When can you bring it?'));
  await tab.click(link('Later month'));
  await tab.click(`(${classed('month')}//a)[2]`);
  await tab.click(classed('time'));
  await tab.see(heading('Who is coming?'));
  await tab.fill(field('Your name'), 'Kim Lee');
  await tab.fill(field('Mobile number'), '12');
  await tab.fill(field('E-mail'), 'kim@mail.example');
  await tab.fill(field('Registration'), '1ab 2cd');
  await tab.click(button('Book for'));
  await tab.see(link('Enter a phone number'));
  await tab.fill(field('Mobile number'), '0491 570 158');
  await tab.click(button('Book for'));
  await tab.see(heading('Thank you, your booking is in.'));
}
