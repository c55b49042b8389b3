/** /console/w/{slug}/today: the day. */
import { html } from '@remix-run/html-template';
import { page, type WorkshopRoute } from '../frame/place.ts';

export const todayRoutes: readonly WorkshopRoute[] = [
  page('today', 'seeBookings', async () => ({
    title: 'Today',
    current: 'Today',
    main: html`<h1>Today</h1>`,
  })),
];
