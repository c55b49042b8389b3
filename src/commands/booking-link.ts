/** `pitlane workshop booking-link`: a partner's link to the booking page of a workshop. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { addressOf } from './public-address.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

interface Options {
  readonly partner?: string;
  readonly revoke?: true;
}

export function registerBookingLink(workshop: Command): void {
  const spec = {
    usage: 'booking-link <workshop>',
    summary:
      "make a partner's link to the booking page, for a button on a website; it lasts until it is revoked",
    examples: [
      'workshop booking-link carlton-motors --partner 0198c6a2-…',
      'workshop booking-link carlton-motors --partner 0198c6a2-… --revoke',
    ],
  };
  verb<Options>(workshop, spec, async ([workshopId = ''], { partner: partnerId, revoke }) => {
    if (partnerId === undefined) throw new UsageError('name the partner: --partner <id>');
    return withSession(async ({ db, clock, config }) => {
      if (revoke) {
        const { revokeBookingLinks } = await import('#product/booking-page/link/revoke.ts');
        const done = await revokeBookingLinks({ db, clock }, { workshopId, partnerId }, actors.operator);
        return {
          json: done,
          text: `the links to the booking page of workshop ${done.workshopId} that partner ${done.partnerId} had are revoked`,
        };
      }
      const { admittedSealing } = await import('#platform/key-fingerprint/admit.ts');
      const { makeStaffLink } = await import('#product/booking-page/link/make-for-staff.ts');
      const { path, ...made } = await makeStaffLink(
        { db, clock, sealing: await admittedSealing(db, config) },
        { workshopId, partnerId },
        actors.operator,
      );
      const url = addressOf(config, path);
      return { json: { ...made, url, expiresAt: null }, text: url };
    });
  })
    .option('--partner <id>', 'whose bookings it makes (required)')
    .option('--revoke', "end all of the partner's links to this page, and make none");
}
