/** The pages without a link in the navigation. */
import { html } from '@remix-run/html-template';
import type { Permission } from '#product/people/permissions.ts';
import { page } from './frame/console-page.ts';

const places: readonly (readonly [name: string, path: string, permission: Permission, about: string])[] = [
  ['Reminders', 'reminders', 'seeReminders', 'Services that will be due, and who was told'],
  ['Report', 'report', 'seeReport', 'What was booked, and by whom'],
  ['Print', 'print', 'seeBookings', 'The day on paper, and the week for the board'],
  ['Automations', 'automations', 'runWorkshop', 'Texts that follow from what happens'],
  ['Blasts', 'blasts', 'runWorkshop', 'Texts to many customers'],
  ['Import', 'import', 'runWorkshop', 'Customers, cars and bookings of the system before'],
  ['People', 'settings/people', 'runWorkshop', 'Who may sign in, and what they may do'],
];

export const morePage = page('more', 'seeBookings', async (visit) => ({
  title: 'More',
  current: 'More',
  main: html`<h1>More</h1><ul class="rows">${places
    .filter(([, , permission]) => visit.may(permission))
    .map(
      ([name, path, , about]) =>
        html`<li><a href="${visit.base}/${path}"><span class="row-title">${name}</span><span class="row-detail">${about}</span></a></li>`,
    )}</ul>`,
}));
