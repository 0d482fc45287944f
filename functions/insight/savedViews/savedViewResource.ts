import { SAVED_VIEWS_MAXIMUM, SavedView } from '../../../schemas/insight/savedViews.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import type { SavedViewStore } from './savedView.store.ts';

export const savedViewResource = (savedViews: SavedViewStore) =>
  tenantResource(
    {
      shape: SavedView,
      name: 'saved view',
      idPrefix: 'svw',
      maximum: SAVED_VIEWS_MAXIMUM,
      requireVisible: (caller, found) => {
        if (found === null) throw new ProblemError('NOT_FOUND', 'There is no saved view with this id.');
        requireResidency(found, caller);
        return found;
      },
      // The entry has the time and the actor.
      configuration: ({ created_at: _at, created_by: _by, ...savedView }) => savedView,
    },
    savedViews,
  );
