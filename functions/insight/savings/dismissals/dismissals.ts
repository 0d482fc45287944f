import {
  DISMISSAL_GROWTH,
  DISMISSAL_GROWTH_USD,
  type SavingDismissal,
} from '../../../../schemas/insight/savingDismissals.ts';
import type { ReportedSaving, Saving } from '../../../../schemas/insight/savings.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { ulidOfDigest } from '../../../platform/shared/ulid.ts';

/** What a suggestion is about, whatever it saves. */
type Suggestion = Pick<
  SavingDismissal,
  'kind' | 'owner' | 'pool' | 'provider' | 'replacement_model' | 'saving' | 'served_model' | 'service'
>;

/**
 * The ULID of a suggestion to the callers of a lane: the same in every report, so that its dismissal is found. A name that is
 * null and one that is absent (hidden) make different suggestions, as JSON writes only the first.
 */
export const suggestionUlid = (
  { saving, kind, owner, service, provider, served_model, replacement_model, pool }: Suggestion,
  residency: string | null,
): string => {
  const names = { saving, kind, owner, service, provider, served_model, replacement_model, pool };
  return ulidOfDigest(sha256Of('saving', JSON.stringify([residency, names])));
};

const suggestionOf = ({ kind, replacement, ...saving }: Saving): Suggestion => ({
  ...saving,
  kind: kind === 'group' ? 'group' : 'folded',
  ...(replacement !== undefined && { replacement_model: replacement.model }),
});

/** Whether a suggestion saves so much more than when it was dismissed that it must be looked at again. */
export const hasGrown = (dismissed: string, now: string): boolean =>
  decimal(now).gte(decimal(dismissed).times(DISMISSAL_GROWTH)) &&
  decimal(now).gte(decimal(dismissed).plus(DISMISSAL_GROWTH_USD));

/** The suggestions with their dismissals. */
export const withDismissals = (
  savings: readonly Saving[],
  dismissals: readonly SavingDismissal[],
  residency: string | null,
): ReportedSaving[] => {
  const byUlid = new Map(dismissals.map((dismissal) => [ulidInId(dismissal.id), dismissal]));
  return savings.map((saving) => {
    const found = byUlid.get(suggestionUlid(suggestionOf(saving), residency));
    if (found === undefined) return { ...saving, dismissal: null };
    const { id, high_usd, reason, dismissed_by, dismissed_at } = found;
    const has_grown = hasGrown(high_usd, saving.high_usd);
    return { ...saving, dismissal: { id, high_usd, reason, dismissed_by, dismissed_at, has_grown } };
  });
};

/** Whether a suggestion is left out of reports. */
export const isDismissed = ({ dismissal }: ReportedSaving): boolean =>
  dismissal !== null && !dismissal.has_grown;
