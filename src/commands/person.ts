/** `pitlane person …`: the people who may sign in to the console, with their workshops. */
import type { Command } from 'commander';
import type { Place } from '#product/people/add.ts';
import type { InvitationFate } from '#product/people/invitation-fate.ts';
import type { Person } from '#product/people/store.ts';
import { details, note } from './output.ts';
import { list } from './paging.ts';
import { registerPersonSignIn } from './person-sign-in.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { group, verb } from './verb.ts';

interface Where {
  readonly workshop?: string;
  readonly partner?: string;
}

interface Add extends Where {
  readonly email: string;
  readonly name?: string;
  readonly role?: string;
  readonly operator?: true;
  readonly mayText?: string;
  readonly seesPhones?: string;
}

export function registerPerson(program: Command): void {
  const person = group(program, 'person', 'people who sign in to the console, and what they may do there', [
    'person add --email kim@carlton.example --name "Kim Lee" --workshop carlton-motors --role owner',
    'person code kim@carlton.example',
    'person list --workshop carlton-motors',
  ]);
  registerAdd(person);
  registerReads(person);
  registerRemove(person);
  registerPersonSignIn(person);
}

function registerAdd(person: Command): void {
  const spec = {
    usage: 'add',
    summary: "make somebody a workshop's, a partner's developer or an operator; again: with another role",
    examples: [
      'person add --email kim@carlton.example --name "Kim Lee" --workshop carlton-motors --role owner',
      'person add --email kim@carlton.example --workshop other-motors --role viewer --may-text off',
      'person add --email dev@fleet.example --name "Jo Park" --partner 0198c6a2-…',
      'person add --email ops@host.example --name "Sam Fox" --operator --json',
    ],
  };
  verb<Add>(person, spec, (_, options) =>
    withSession(async (session) => {
      const { addPerson } = await import('#product/people/add.ts');
      const { actors } = await import('#base/values/actor.ts');
      const { email, name } = options;
      const place = await placeOf(session, options);
      const added = await addPerson(session, actors.operator, { email, name, place });
      const { invitationFate } = await import('#product/people/invitation-fate.ts');
      const invitation = invitationFate(session.config, added.invitation);
      note(`${told[invitation]}; pitlane person code prints a code to sign in with.`);
      return { json: { ...added.person, invitation }, text: detailsOf(added.person) };
    }),
  )
    .requiredOption('--email <address>', 'their e-mail address, with which they sign in (required)')
    .option('--name <name>', 'what people call them; needed for somebody who is not known yet')
    .option('--workshop <workshop>', 'the workshop, by slug or id; with --role')
    .option('--role <role>', 'owner, adviser, technician or viewer, of the workshop')
    .option(
      '--partner <id>',
      'the partner whose developer they are; the console leads them to the guide, the reference and the sandbox',
    )
    .option('--operator', 'they run this installation; the console has no pages for them yet')
    .option('--may-text <on|off>', 'they may word texts to customers; unless given, owners and advisers')
    .option('--sees-phones <on|off>', 'they see phones and e-mail addresses; unless given, all but viewers');
}

const told: Readonly<Record<InvitationFate, string>> = {
  mailed: 'An e-mail tells them',
  mailedWithoutCodes: 'An e-mail tells them, but this installation mails no codes',
  noMailServer: 'No e-mail tells them: this installation has no mail server',
  dayLimit: "No e-mail tells them: the day's 20 invitations to this place are used",
  hadPlace: 'No e-mail tells them: they had this place already',
};

async function placeOf(session: Session, options: Add): Promise<Place> {
  const { workshop, partner, operator, role } = options;
  if ([workshop, partner, operator].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('name one place: --workshop with --role, --partner, or --operator');
  const switches = {
    ...switchOf('mayText', '--may-text', options.mayText),
    ...switchOf('seesPhones', '--sees-phones', options.seesPhones),
  };
  if (workshop === undefined && (role !== undefined || Object.keys(switches).length > 0))
    throw new UsageError('--role, --may-text and --sees-phones are of a workshop: name it with --workshop');
  if (partner !== undefined) return partnerPlace(session, partner);
  if (workshop === undefined) return { operator: true };
  const { roles } = await import('#product/people/permissions.ts');
  const known = roles.find((each) => each === role);
  if (known === undefined) throw new UsageError(`--role must be ${roles.join(', ')}`);
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const { workshopId } = await requireWorkshop(session.db, workshop);
  return { workshopId, role: known, ...switches };
}

async function partnerPlace({ db }: Session, partner: string): Promise<{ readonly partnerId: string }> {
  const { requirePartner } = await import('#product/partners/store.ts');
  const { partnerId } = await requirePartner(db, partner);
  return { partnerId };
}

function switchOf(name: 'mayText' | 'seesPhones', option: string, given: string | undefined) {
  if (given === undefined) return {};
  if (given !== 'on' && given !== 'off') throw new UsageError(`${option} must be on or off`);
  return { [name]: given === 'on' };
}

/** The named workshop or partner; null: none is named. */
async function whereOf(session: Session, { workshop, partner }: Where) {
  if (workshop !== undefined && partner !== undefined)
    throw new UsageError('name one of --workshop and --partner');
  if (partner !== undefined) return partnerPlace(session, partner);
  if (workshop === undefined) return null;
  const { requireWorkshop } = await import('#product/workshops/store.ts');
  const { workshopId } = await requireWorkshop(session.db, workshop);
  return { workshopId };
}

function registerReads(person: Command): void {
  list<Person, Where>(person, {
    usage: 'list',
    summary: 'list the people, the oldest first',
    examples: ['person list', 'person list --workshop carlton-motors --json'],
    what: 'person',
    cursor: 'after',
    columns: {
      PERSON: (row) => row.personId,
      NAME: (row) => row.name,
      'E-MAIL': (row) => row.email,
      PLACES: placesOf,
    },
    cursorOf: ({ personId }) => personId,
    async open(session, _, options) {
      const where = (await whereOf(session, options)) ?? {};
      const { listPeople } = await import('#product/people/store.ts');
      return ({ cursor, limit }) => listPeople(session.db, where, { after: cursor, limit });
    },
  })
    .option('--workshop <workshop>', "a workshop's people only, by slug or id")
    .option('--partner <id>', "a partner's developers only");

  const show = {
    usage: 'show <email>',
    summary: 'show somebody, by e-mail address or id, and where they may go',
    examples: ['person show kim@carlton.example'],
    times: true,
  };
  verb(person, show, ([who = '']) =>
    withSession(async ({ db }) => {
      const { requirePerson } = await import('#product/people/store.ts');
      const found = await requirePerson(db, who);
      return { json: found, text: detailsOf(found) };
    }),
  );
}

function registerRemove(person: Command): void {
  const spec = {
    usage: 'remove <email>',
    summary: 'take somebody out of a workshop or partner, or away altogether; their sessions end',
    examples: [
      'person remove kim@carlton.example --workshop carlton-motors',
      'person remove kim@carlton.example',
    ],
  };
  verb<Where>(person, spec, ([who = ''], options) =>
    withSession(async (session) => {
      const { requirePerson } = await import('#product/people/store.ts');
      const { removeFrom, removePerson } = await import('#product/people/remove.ts');
      const { actors } = await import('#base/values/actor.ts');
      const { personId, email } = await requirePerson(session.db, who);
      const where = await whereOf(session, options);
      if (where === null) await removePerson(session, actors.operator, personId);
      else await removeFrom(session, actors.operator, personId, where);
      return {
        json: { personId, email, removed: true, ...where },
        text: where === null ? `${email} is removed` : `${email} is no longer one of its people`,
      };
    }),
  )
    .option('--workshop <workshop>', 'from this workshop alone, by slug or id')
    .option('--partner <id>', 'from this partner alone');
}

/** `carlton-motors (owner)`, each partner, `operator`. */
function placesOf({ workshops, partners, operator }: Person): string[] {
  return [
    ...workshops.map(({ slug, role }) => `${slug} (${role})`),
    ...partners.map((partnerId) => `partner ${partnerId}`),
    ...(operator ? ['operator'] : []),
  ];
}

function detailsOf(person: Person): string {
  const { personId, email, name, createdAt } = person;
  return details({ personId, email, name, places: placesOf(person), createdAt });
}
