/** A change of a campaign that a form of the workshop's people asks for: of what the page showed. */
import { Problem } from '#errors.ts';

export interface FormOf {
  /** Another workshop's campaign is not found. */
  readonly workshopId: string;
  /** The mark of the campaign's state on the page, as `seenNow` gives it. */
  readonly seen: string;
}

/**
 * The campaign is locked; without a form the command line asks. Throws 404 000002, and 412 000010 when somebody has changed it since the
 * page was shown.
 */
export async function requireSeen(
  form: FormOf | undefined,
  campaign: { readonly workshopId: string },
  seenNow: () => Promise<string> | string,
): Promise<void> {
  if (form === undefined) return;
  if (campaign.workshopId !== form.workshopId) throw new Problem('000002');
  if (form.seen !== (await seenNow())) throw new Problem('000010');
}
