import type { Saving, SavingDismissalRequest } from '../typescript/src/types.ts';

/** A suggestion in the words of its dismissal. Members that a hidden group lacks stay absent. */
export const dismissalRequestOf = (row: Saving, reason: string): SavingDismissalRequest => ({
  saving: row.saving,
  kind: row.kind === 'group' ? 'group' : 'folded',
  ...(row.owner !== undefined && { owner: row.owner }),
  ...(row.service !== undefined && { service: row.service }),
  ...(row.provider !== undefined && { provider: row.provider }),
  ...(row.served_model !== undefined && { served_model: row.served_model }),
  ...(row.replacement !== undefined && { replacement_model: row.replacement.model }),
  ...(row.pool !== undefined && { pool: row.pool }),
  high_usd: row.high_usd,
  reason,
});
