/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const triggerBlastDetails = [
  '**Audience**: a visit is a booking that is past and not cancelled. `lastVisitBefore` is before that local date, ' +
    '`lastVisitAfter` on it or later; both also take an instant. Of `serviceCategories` and `tags` one suffices. Customers ' +
    'who have opted out or have no phone are no recipients. A recipient whose number is of another country than the workshop ' +
    'is skipped, unless they have written or booked from it, or the workshop allows it, for the number or for the blast.',
  '**A blast that is triggered** is `scheduled` in the answer, also for now: sending begins in the background.',
] as const;

export const getBlastDetails = [
  '**While a blast is paused or its hours are quiet**, what is queued waits untouched: an opt-out or an erasure shows in ' +
    'the counts when the wait ends, at the latest.',
  '**`counts`**: `recipients` = `waiting` + `sent` + `failed` + `unknown` + `skipped`; `delivered` is a part of `sent`. ' +
    'An unknown outcome that a report settles later moves on.',
] as const;
