/** The layout of the console: the workshop's places, the search box, who is signed in, and the page. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { type RenderedPage, renderDocument, usualColour } from '#platform/pages/document.ts';
import { iconLink } from '#platform/pages/head.ts';
import type { Permission } from '#product/people/permissions.ts';
import type { ConsolePage, NavigationName } from './console-page.ts';
import { consoleCss, usualScripts } from './files.ts';
import type { Visit, WorkshopVisit } from './visit.ts';

/** The links of the navigation, with the permission that each needs. */
const navigation: readonly (readonly [name: NavigationName, path: string, permission: Permission])[] = [
  ['Today', 'today', 'seeBookings'],
  ['Week', 'week', 'seeBookings'],
  ['Inbox', 'inbox', 'seeCustomers'],
  ['Quotes', 'quotes', 'seeQuotes'],
  ['Calls', 'calls', 'seeQuotes'],
  ['Customers', 'customers', 'seeCustomers'],
  ['More', 'more', 'seeBookings'],
];

/** Null: nobody is signed in, as on the page of the sign-in. */
export type Where = Visit | WorkshopVisit | null;

const isAtWorkshop = (visit: Where): visit is WorkshopVisit => visit !== null && 'workshop' in visit;

export function renderConsole(page: ConsolePage, visit: Where): RenderedPage {
  const workshop = isAtWorkshop(visit) ? visit.workshop : null;
  const colour = workshop?.colour ?? usualColour;
  const title = page.isRefusal ? `Error: ${page.title}` : page.title;
  return renderDocument({
    title: `${title} · ${workshop?.name ?? 'Pitlane'}`,
    colour,
    head: html`<meta name="htmx-config" content='${htmxConfig}'>
${iconLink({ name: workshop?.name ?? 'Pitlane', logo: null }, colour)}`,
    ...(page.rules === undefined ? {} : { rules: page.rules }),
    stylesheets: [consoleCss.path],
    scripts: [...(visit === null ? [] : usualScripts), ...(page.scripts ?? [])],
    body: html`<a class="skip" href="#main">Skip to the page</a>
${isAtWorkshop(visit) ? workshopTop(visit, page) : plainTop(visit)}
<p id="said" class="said" role="status">${page.said ?? ''}</p>
<main id="main" tabindex="-1"${visit === null ? null : html` data-keys="${visit.who.singleKeys ? 'on' : 'off'}"`}${page.isWide ? html` class="wide"` : null}${isAtWorkshop(visit) ? followed(page, visit) : null}>${page.main}</main>
${workshop === null ? null : html`<footer class="foot">Times are those of the workshop: ${workshop.timezone.replaceAll('_', ' ')}</footer>`}
`,
  });
}

/** The page's policy forbids inline styles and scripts in attributes. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, history: false, defaultTimeout: 10_000 });

function workshopTop(visit: WorkshopVisit, { current, ...page }: ConsolePage): SafeHtml {
  const { base, who, workshop, query } = visit;
  const links = navigation.filter(([, , permission]) => visit.may(permission));
  return html`<header class="top">
<div class="bar">
<a class="shop" href="${base}/today"><bdi>${workshop.name}</bdi></a>
${who.memberships.length > 1 ? workshopsMenu(visit) : null}
${
  visit.may('seeCustomers')
    ? html`<form class="find" role="search" action="${base}/find"><label for="find"><span class="unseen">Find</span>${lens}</label><input id="find" name="q" type="search" value="${visit.request.routeOptions.url?.endsWith('/find') ? (query['q'] ?? '') : ''}" placeholder="Find: rego, phone, name, code" autocomplete="off" maxlength="100"${findAsTyped(base)}><div id="found" class="found" hidden></div></form>`
    : null
}
${visit.may('changeBookings') ? html`<a class="button new" href="${base}/bookings/new">${plus}<span class="words">New booking</span></a>` : null}
${personMenu(visit)}
</div>
<div class="places"><nav aria-label="Places"><ul>${links.map(([name, path]) => html`<li><a href="${base}/${path}"${name === current ? html` aria-current="page"` : null}>${name}</a></li>`)}</ul></nav>${follows(page) && !page.isForm ? pauseSwitch : null}</div>
${clockNote(visit)}
</header>`;
}

/** Signs in place of words where the bar is narrow; the words stay the name. */
const lens = html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"/><path d="m13 13 5 5"/></svg>`;
const swap = html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><path d="m5 8 5 5 5-5"/></svg>`;
const person = html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="6.5" r="3.5"/><path d="M3 17.5c0-3.5 3-5.5 7-5.5s7 2 7 5.5"/></svg>`;
const plus = html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3v14M3 10h14"/></svg>`;

/** A refused form has unsaved input, and its address may not answer GET. */
const follows = ({ live, isForm, isRefusal }: Pick<ConsolePage, 'live' | 'isForm' | 'isRefusal'>): boolean =>
  live !== undefined && (isForm || !isRefusal);

/** For the script that follows changes: the records that the page shows, and the address of the stream. */
function followed(page: ConsolePage, { base }: WorkshopVisit): SafeHtml | null {
  if (!follows(page)) return null;
  return html` data-stream="${base}/changes" data-live="${page.live?.join(' ')}"${page.version ? html` data-version="${page.version}"` : null}${page.isForm ? html` data-form` : null}${page.behindMs ? html` data-behind-ms="${page.behindMs}"` : null}`;
}

const pauseSwitch = html`<p class="follow"><label><input type="checkbox" role="switch" id="pause" autocomplete="off"> Pause updates</label> <span id="changes"></span></p>`;

/** Results appear below the box while somebody types: the list of the search page, or why there is none. */
const findAsTyped = (base: string): SafeHtml =>
  html` aria-controls="found" hx-get="${base}/find" hx-trigger="input changed delay:200ms" hx-target="#found" hx-select=".results, .refused" hx-swap="innerHTML ignoreTitle:true" hx-sync="this:replace"`;

function plainTop(visit: Visit | null): SafeHtml {
  return html`<header class="top"><div class="bar"><a class="shop" href="/console">Pitlane</a>${visit === null ? null : html`${visit.who.memberships.length > 0 ? workshopsMenu(visit) : null}${personMenu(visit)}`}</div>${visit === null ? null : clockNote(visit)}</header>`;
}

function workshopsMenu({ who, ...visit }: Visit): SafeHtml {
  const here = 'workshop' in visit ? (visit as WorkshopVisit).workshop.workshopId : null;
  return html`<details class="menu workshops"><summary title="Workshops">${swap}<span class="words">Workshops</span></summary><ul>${who.memberships.map(({ workshopId, slug, name }) => html`<li><a href="/console/w/${slug}/today"${workshopId === here ? html` aria-current="true"` : null}>${name}</a></li>`)}</ul></details>`;
}

function personMenu({ who }: Visit): SafeHtml {
  return html`<details class="menu person"><summary title="${who.name}">${person}<span class="words"><bdi>${who.name}</bdi></span></summary><ul>
<li><a href="/console/me">Your settings</a></li>
<li><a href="/console/switch">Switch person</a></li>
<li><form method="post" action="/console/sign-out"><button class="plain">Sign out</button></form></li>
</ul></details>`;
}

/** The sandbox's clock can be moved: then "today" is not the real day. */
function clockNote(visit: Visit): SafeHtml | null {
  const { clock } = visit.context;
  if (clock.advanceSeconds() === 0) return null;
  const now = isAtWorkshop(visit)
    ? localDateTime(clock.now(), visit.workshop.timezone)
    : `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return html`<p class="moved">The clock of this installation was moved: here it is ${now}.</p>`;
}
