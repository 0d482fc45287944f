import { SAVING_DISMISSALS_MAXIMUM, SavingDismissal } from '../../../../schemas/insight/savingDismissals.ts';
import { tenantResource } from '../../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { requireResidency } from '../../../platform/tenancy/residency.ts';
import type { DismissalStore } from './dismissal.store.ts';

export const dismissalResource = (dismissals: DismissalStore) =>
  tenantResource(
    {
      shape: SavingDismissal,
      name: 'dismissed saving',
      idPrefix: 'svd',
      maximum: SAVING_DISMISSALS_MAXIMUM,
      requireVisible: (caller, found) => {
        if (found === null) throw new ProblemError('NOT_FOUND', 'There is no dismissed saving with this id.');
        requireResidency(found, caller);
        return found;
      },
      // The entry has the time and the actor.
      configuration: ({ dismissed_at: _at, dismissed_by: _by, ...dismissal }) => dismissal,
    },
    dismissals,
  );
