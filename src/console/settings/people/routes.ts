/** /console/w/{slug}/settings/people: the workshop's staff, for its owners. All routes need a sign-in of the last 15 minutes. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type Added, addPerson } from '#product/people/add.ts';
import { type PrintedCode, printMembersCode } from '#product/people/codes/print.ts';
import { requireSecondFactor } from '#product/people/factors/require.ts';
import { changeMember } from '#product/people/members/change.ts';
import { findMember, listMembers, type Member } from '#product/people/members/store.ts';
import { type Role, roles } from '#product/people/permissions.ts';
import { removeFrom } from '#product/people/remove.ts';
import { readRequirement } from '#product/workshops/second-factor/store.ts';
import { askAgainCard, askAgainRoute } from '../../desk/ask-again.ts';
import { type ConsoleResponse, change, page, type WorkshopRoute } from '../../frame/console-page.ts';
import { type Refused, submit, versionOf } from '../../frame/form-key/submit.ts';
import { afresh } from '../../frame/routes.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { codePage, memberPage, peoplePage, rowsAtMost } from './pages.ts';

const permission = 'runWorkshop';
const place = 'settings/people';

/** For routes about one member: 404 for anybody who is not one. */
const ofMember = (
  handle: (visit: WorkshopVisit, member: Member) => Promise<ConsoleResponse>,
): WorkshopRoute['handle'] =>
  afresh(async (visit) => {
    const id = visit.params['id'] ?? '';
    const member = isId(id) ? await findMember(visit.context.db, visit.workshop.workshopId, id) : null;
    if (member === null) throw new Problem('000002');
    return handle(visit, member);
  });

export const peopleRoutes: readonly WorkshopRoute[] = [
  page(
    place,
    permission,
    afresh((visit) => list(visit, null)),
  ),
  change(place, permission, afresh(add)),
  change(`${place}/second-factor`, permission, afresh(setRequirement)),
  askAgainRoute(list),
  page(
    `${place}/:id`,
    permission,
    ofMember(async (visit, member) => memberPage(visit, member, null)),
  ),
  change(`${place}/:id`, permission, ofMember(set)),
  change(`${place}/:id/remove`, permission, ofMember(remove)),
  change(`${place}/:id/code`, permission, ofMember(printCode)),
];

async function list(visit: WorkshopVisit, refused: Refused | null) {
  const { context, workshop, query } = visit;
  const after = query['after'] !== undefined && isId(query['after']) ? query['after'] : null;
  const { workshopId } = workshop;
  const [members, isRequired, desk] = await Promise.all([
    listMembers(context.db, workshopId, { after, limit: rowsAtMost + 1 }),
    readRequirement(context.db, workshopId),
    askAgainCard(visit, refused),
  ]);
  return peoplePage(visit, members, isRequired, refused, desk);
}

const roleOf = (text: string | undefined): Role => roles.find((role) => role === text) ?? 'viewer';

function add(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  // Beyond the day's limit an owner is refused: an invitation is queued, or not needed.
  const toOf = ({ invitation }: Added) =>
    `${base}/${place}?said=${invitation === 'hadPlace' ? 'hadPlace' : 'added'}`;
  const { workshopId } = workshop;
  const person = {
    ...{ email: form['email'] ?? '', name: form['name'] },
    place: { workshopId, role: roleOf(form['role']) },
  };
  return submit(
    visit,
    async (key) => {
      return toOf(await addPerson(key.once(toOf), actor, person));
    },
    (refused) => list(visit, refused),
  );
}

/** The form sends the wanted state, so repeating it changes nothing. */
function setRequirement(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const required = form['required'] === 'yes';
  const to = `${base}/${place}?said=${required ? 'required' : 'optional'}`;
  return submit(
    visit,
    async (key) => {
      const { workshopId } = workshop;
      await requireSecondFactor(key.once(to), actor, { workshopId, required });
      return to;
    },
    (refused) => list(visit, refused),
  );
}

function set(visit: WorkshopVisit, member: Member): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const { workshopId } = workshop;
  const { personId } = member;
  const to = `${base}/${place}?said=changed`;
  const role = roleOf(form['role']);
  const changes = {
    ...{ role, seen: versionOf(form) },
    ...{ mayText: form['mayText'] === 'on', seesPhones: form['seesPhones'] === 'on' },
  };
  return submit(
    visit,
    async (key) => {
      await changeMember(key.once(to), actor, { workshopId, personId }, changes);
      return to;
    },
    (refused) => memberPage(visit, member, refused),
  );
}

function remove(visit: WorkshopVisit, member: Member): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const to = `${base}/${place}?said=removed`;
  return submit(
    visit,
    async (key) => {
      if (versionOf(form) !== member.version) throw new Problem('000010');
      await removeFrom(key.once(to), actor, member.personId, { workshopId: workshop.workshopId });
      return to;
    },
    (refused) => memberPage(visit, member, refused),
  );
}

/** The response shows the code once, since it must not appear in an address. A repeat redirects to the person's page. */
async function printCode(visit: WorkshopVisit, member: Member): Promise<ConsoleResponse> {
  const { actor, workshop, base } = visit;
  const which = { workshopId: workshop.workshopId, personId: member.personId };
  const to = `${base}/${place}/${member.personId}`;
  let printed: PrintedCode | null = null;
  const answer = await submit(
    visit,
    async (key) => {
      printed = await printMembersCode(key.once(to), actor, which);
      return to;
    },
    (refused) => memberPage(visit, member, refused),
  );
  return printed === null ? answer : codePage(visit, member, printed);
}
