/** `pitlane workshop …`: workshops and their settings. */

import type { Command } from 'commander';
import type { Config } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import type { SettingsInput } from '#product/workshops/settings.ts';
import type { ListedWorkshop, Workshop } from '#product/workshops/store.ts';
import { registerBookingLink } from './booking-link.ts';
import { hoursInWords } from './hours.ts';
import { details, note } from './output.ts';
import { list } from './paging.ts';
import { addressOf } from './public-address.ts';
import { withSession } from './session.ts';
import { registerSmsAccount } from './sms-account.ts';
import { registerSmsName } from './sms-name.ts';
import { localTimes } from './times.ts';
import { UsageError } from './usage-error.ts';
import { collect, group, verb } from './verb.ts';
import { registerLogo } from './workshop-logo.ts';
import { workshopOf } from './workshop-option.ts';
import { registerSecondFactor } from './workshop-second-factor.ts';
import { registerSetup } from './workshop-setup.ts';

const example =
  'workshop create --name "Carlton Motors" --phone "03 5550 0100" --email desk@carlton.example --country AU --timezone Australia/Melbourne';

interface JsonOption {
  readonly json?: true;
}

export function registerWorkshop(program: Command): void {
  const workshop = group(program, 'workshop', 'workshops and their settings', [example, 'workshop list']);

  const create = { usage: 'create', summary: 'create a workshop', examples: [example, `${example} --json`] };
  const created = verb<SettingsInput>(workshop, create, (_, options) =>
    withSession(async ({ db, clock, config }) => {
      const { createWorkshop } = await import('#product/workshops/create.ts');
      const made = await createWorkshop({ db, clock }, options, actors.operator);
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const workshop = await requireWorkshop(db, made.workshopId);
      await tellOfSender(workshop);
      tellOfGateways(workshop, config);
      return { json: made, text: details(made) };
    }),
  );
  addSettings(created, {
    required: ' (required)',
    slug: '; made from the name unless given',
    inbox: '; on unless given',
  });

  const set = {
    usage: 'set <workshop>',
    summary: 'change settings of a workshop; what is not named stays',
    examples: [
      'workshop set carlton-motors --phone "03 5550 0101" --colour "#0a7d5a"',
      'workshop set carlton-motors --notify-phones "0491 570 006,0491 570 313" --notify-emails ""',
    ],
  };
  const changed = verb<SettingsInput & JsonOption>(
    workshop,
    set,
    async ([workshopId = ''], { json: _, ...input }) => {
      if (Object.keys(input).length === 0)
        throw new UsageError('nothing to set: name an option (see --help)');
      return withSession(async ({ db, clock, config }) => {
        const { setWorkshop } = await import('#product/workshops/set.ts');
        const after = await setWorkshop({ db, clock }, workshopId, input, actors.operator);
        if (input.smsSender ?? input.country ?? input.inboxNotices) await tellOfSender(after);
        if (input.smsGateways) tellOfGateways(after, config);
        const { phoneIn } = await import('#base/values/phone.ts');
        return { json: after, text: details({ ...after, ...phonesOf(after, phoneIn) }) };
      });
    },
  );
  addSettings(changed, { required: '', slug: '', inbox: '' });

  registerSmsAccount(workshop);
  registerSmsName(workshop);

  list<ListedWorkshop, { partner?: string }>(workshop, {
    usage: 'list',
    summary: 'list the workshops, the oldest first',
    examples: ['workshop list', 'workshop list --partner 0198c6a2-… --json'],
    what: 'workshop',
    cursor: 'after',
    columns: async () => columnsBy((await import('#base/values/phone.ts')).phoneIn),
    cursorOf: ({ workshopId }) => workshopId,
    async open({ db }, _, { partner: named }) {
      const { requirePartner } = await import('#product/partners/store.ts');
      const { listWorkshops } = await import('#product/workshops/store.ts');
      const partnerId = named === undefined ? null : (await requirePartner(db, named)).partnerId;
      return ({ cursor: after, limit }) => listWorkshops(db, { partnerId, after, limit });
    },
  }).option('--partner <partner>', 'those that this partner is linked to, also where the link is off');

  const show = {
    usage: 'show [workshop]',
    summary: 'show a workshop, by its slug or id, with its hours',
    examples: ['workshop show carlton-motors', 'workshop show carlton-motors --json'],
    times: true,
  };
  verb(workshop, show, ([named]) =>
    withSession(async (session) => {
      const { readOwnSections } = await import('#product/availability/set-up/store.ts');
      const found = await workshopOf(session, named);
      const setup = await readOwnSections(session.db, found.workshopId);
      if (setup === null) throw new Error('a workshop is gone');
      const { hours } = setup;
      // `found` has the effective state of the plain page, also where the setting is unset.
      const { page: pageSettings, plainPage: _, ...settings } = setup.settings;
      const { logoPath, readDataUrl } = await import('#product/workshops/logo/logo.ts');
      const { logo: picture } = pageSettings;
      // The picture itself is in the export.
      const logo = picture && addressOf(session.config, logoPath(readDataUrl(picture)));
      const page = { ...pageSettings, logo };
      const phones = phonesOf(found, (await import('#base/values/phone.ts')).phoneIn);
      const local = localTimes(found, found.timezone);
      return {
        json: { ...found, ...settings, page, hours },
        text: details({ ...found, ...settings, ...page, ...phones, ...local, hours: hoursInWords(hours) }),
      };
    }),
  );
  registerCalendar(workshop);
  registerBookingLink(workshop);
  registerSetup(workshop);
  registerLogo(workshop);
  registerSecondFactor(workshop);
}

function registerCalendar(workshop: Command): void {
  const calendar = {
    usage: 'calendar <workshop>',
    summary:
      "make a secret address where any calendar program shows the workshop's bookings; an earlier one ends",
    examples: ['workshop calendar carlton-motors', 'workshop calendar carlton-motors --revoke'],
  };
  verb<{ revoke?: true }>(workshop, calendar, ([workshopId = ''], { revoke }) =>
    withSession(async ({ db, clock, config }) => {
      const { makeCalendar, revokeCalendar } = await import('#product/calendar/address.ts');
      if (revoke) {
        const done = await revokeCalendar({ db, clock }, workshopId, actors.operator);
        return { json: done, text: `workshop ${done.workshopId} has no calendar address any more` };
      }
      const { path, ...made } = await makeCalendar({ db, clock }, workshopId, actors.operator);
      const url = addressOf(config, path);
      note('Who knows it sees the bookings. It is not shown again.');
      return { json: { ...made, url }, text: url };
    }),
  ).option('--revoke', 'end the address, and make none');
}

async function tellOfSender(workshop: Workshop): Promise<void> {
  const { senderNotes } = await import('#base/values/sms-sender.ts');
  for (const text of senderNotes(workshop)) note(text);
}

/** A warning, not an error: the server may run with other settings than this command. */
function tellOfGateways({ smsGateways }: Workshop, config: Config): void {
  const configured = config.smsGateways.map(({ name }) => name);
  const absent = (smsGateways ?? []).filter((name) => !configured.some((one) => one === name));
  if (absent.length === 0) return;
  note(
    `Not in PITLANE_SMS_GATEWAYS or PITLANE_SMS_OPTIONAL_GATEWAYS here: ${absent.join(', ')}. A server whose settings lack it too passes it over.`,
  );
}

/** Missing options are reported together, by the verb that creates the workshop. */
function addSettings(command: Command, notes: { required: string; slug: string; inbox: string }): void {
  const { required } = notes;
  command
    .option('--name <name>', `what customers call it${required}`)
    .option('--phone <phone>', `its phone, in any form of its country${required}`)
    .option('--email <address>', `its e-mail address${required}`)
    .option('--country <code>', `ISO 3166 country code, such as AU${required}`)
    .option('--timezone <zone>', `IANA time zone, such as Australia/Melbourne${required}`)
    .option('--address <address>', 'where customers bring their cars, as maps find it; empty: not known')
    .option('--colour <colour>', 'of its pages, such as #0a7d5a; empty: the usual one')
    .option('--slug <slug>', `its name in addresses${notes.slug}`)
    .option('--inbox-messaging <on|off>', `whether partners may text its customers${notes.inbox}`)
    .option('--notify-phones <phones>', 'who gets SMS of bookings, with commas; empty: its phone', collect)
    .option(
      '--notify-emails <addresses>',
      'who gets e-mails of bookings, with commas; empty: its e-mail',
      collect,
    )
    .option('--inbox-notices <way>', 'how it gets digests of answers: email (unless given), sms, both or off')
    .option(
      '--sms-sender <sender>',
      'number, short code or name that SMS come from, as its country allows; empty: the gateway decides',
    )
    .option(
      '--sms-gateways <names>',
      'SMS gateways that it goes through, in the order in which they are tried; empty: the usual ones',
      collect,
    );
}

type PhoneIn = typeof import('#base/values/phone.ts').phoneIn;

/** As people in its country write them. */
const phonesOf = ({ country, phone, notifyPhones }: Workshop, phoneIn: PhoneIn) => ({
  phone: phoneIn(country, phone),
  notifyPhones: notifyPhones?.map((each) => phoneIn(country, each)),
});

const columnsBy = (phoneIn: PhoneIn) => ({
  WORKSHOP: (row: ListedWorkshop) => row.workshopId,
  NAME: (row: ListedWorkshop) => row.name,
  SLUG: (row: ListedWorkshop) => row.slug,
  PHONE: (row: ListedWorkshop) => phoneIn(row.country, row.phone),
  EMAIL: (row: ListedWorkshop) => row.email,
  TIMEZONE: (row: ListedWorkshop) => row.timezone,
  'INBOX MESSAGING': (row: ListedWorkshop) => (row.inboxMessagingEnabled ? 'on' : 'off'),
  PARTNERS: (row: ListedWorkshop) => row.partnerIds.length,
});
