/**
 * The senders that workshops really use: names of which nobody has said that they are registered with the gateway that sends, senders
 * that the country refuses, and texts that would have no way out.
 */
import { readSender, senderRuleOf } from '#base/values/sms-sender.ts';
import { isSenderName } from '#base/values/sms-sender-form.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type WayOutSettings, wayOutFor } from '#product/way-out/way-out.ts';
import { sendersAfter, type WorkshopWithSenders } from '#product/workshops/senders/store.ts';
import { type UsedSender, usedSenders } from '#product/workshops/senders/used.ts';

export interface SenderFinding {
  readonly kind: 'noWayOut' | 'notAllowed' | 'notRegistered';
  /** Null: it is about a gateway's own sender, which several workshops may have. */
  readonly workshopId: string | null;
  /** For people, with what mends it. */
  readonly message: string;
}

const workshopsAtOnce = 100;
const findingsAtMost = 1_000;

/** The first 1,000, each once; none where the sandbox keeps all SMS. `noWayOut` is a fault: such texts are not sent. */
export async function examineSenders(db: Queryable, settings: WayOutSettings): Promise<SenderFinding[]> {
  if (settings.smsGateways.length === 0) return [];
  const found = new Map<string, SenderFinding>();
  let after: string | null = null;
  do {
    const page: WorkshopWithSenders[] = await sendersAfter(db, after, workshopsAtOnce);
    for (const workshop of page)
      for (const finding of findingsOf(workshop, settings)) found.set(finding.message, finding);
    after = page.at(-1)?.workshopId ?? null;
  } while (after !== null && found.size < findingsAtMost);
  return [...found.values()].slice(0, findingsAtMost);
}

function findingsOf(workshop: WorkshopWithSenders, settings: WayOutSettings): SenderFinding[] {
  const senders = usedSenders(workshop, settings);
  const { slug, workshopId } = workshop;
  const findings = senders.flatMap((sender) => ofSender(workshop, sender, settings) ?? []);
  if (wayOutFor(workshop, settings).way !== 'none') return findings;
  const message = `${slug} sends no reminders and campaigns (noWayOut): nobody can answer their sender, and there is no public address for a link to stop them: set PITLANE_PUBLIC_URL, or pitlane workshop set ${slug} --sms-sender NUMBER`;
  return [...findings, { kind: 'noWayOut', workshopId, message }];
}

function ofSender(
  { workshopId, slug, country, registeredWith }: WorkshopWithSenders,
  { gateway, sender, isWorkshops }: UsedSender,
  { smsNamesRegistered }: WayOutSettings,
): SenderFinding | null {
  if (sender === null || gateway === null) return null;
  const id = isWorkshops ? workshopId : null;
  const whose = isWorkshops ? slug : `Workshops in ${country} without a sender of their own`;
  const read = readSender(sender, country);
  if ('fault' in read)
    return { kind: 'notAllowed', workshopId: id, message: `${whose}, through ${gateway}: ${read.fault}` };
  const rule = senderRuleOf(country);
  if (!isSenderName(sender) || rule?.names !== 'registered') return null;
  const isSaid = isWorkshops
    ? registeredWith.includes(gateway)
    : smsNamesRegistered.some((name) => name === gateway);
  if (isSaid) return null;
  const say = isWorkshops
    ? `pitlane workshop sms-name ${slug} ${gateway}`
    : `PITLANE_SMS_NAMES_REGISTERED=${gateway}`;
  const verb = isWorkshops ? 'sends' : 'send';
  return {
    ...{ kind: 'notRegistered', workshopId: id },
    message: `${whose} ${verb} as ${sender} through ${gateway}, and nobody has said that it is registered there: ${rule.why}. When it is: ${say}`,
  };
}
