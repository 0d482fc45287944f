import { SAVED_VIEWS_MAXIMUM, SavedView } from '../../../schemas/insight/savedViews.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../platform/shared/aws/countedCollection.store.ts';

export type SavedViewStore = CountedCollection<SavedView, Count>;

export const savedViewStore = (table: string): SavedViewStore =>
  countedCollection(table, {
    prefix: 'view',
    name: 'saved views',
    shape: SavedView,
    ...headWithCount,
  });

export interface SavedViewReader {
  /** All of a tenant, in the order of their ids. */
  readonly list: (tenantId: string) => Promise<SavedView[]>;
}

export const savedViewReader = (table: string): SavedViewReader => ({
  list: (tenantId) => savedViewStore(table).list(tenantId, { descending: true, limit: SAVED_VIEWS_MAXIMUM }),
});
