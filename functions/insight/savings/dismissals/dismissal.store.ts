import { SAVING_DISMISSALS_MAXIMUM, SavingDismissal } from '../../../../schemas/insight/savingDismissals.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../../platform/shared/aws/countedCollection.store.ts';

export type DismissalStore = CountedCollection<SavingDismissal, Count>;

export const dismissalStore = (table: string): DismissalStore =>
  countedCollection(table, {
    prefix: 'dismissal',
    name: 'dismissals',
    shape: SavingDismissal,
    ...headWithCount,
  });

export interface DismissalReader {
  /** All of a tenant, in the order of their ids. */
  readonly list: (tenantId: string) => Promise<SavingDismissal[]>;
}

export const dismissalReader = (table: string): DismissalReader => ({
  list: (tenantId) =>
    dismissalStore(table).list(tenantId, { descending: true, limit: SAVING_DISMISSALS_MAXIMUM }),
});
