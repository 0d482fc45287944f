import type * as z from 'zod';
import {
  REPORT_SUBSCRIPTIONS_MAXIMUM,
  ReportSubscription,
} from '../../../schemas/delivery/reportSubscriptions.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../platform/shared/aws/countedCollection.store.ts';
import { Authorization } from '../../platform/tenancy/authorization.ts';

/** A subscription as stored. */
export const StoredSubscription = ReportSubscription.extend({
  /** The principal whose scopes decide what a report contains. A user is the recipient, and its address is here. */
  authorized_by: Authorization,
});
export type StoredSubscription = z.infer<typeof StoredSubscription>;

export type SubscriptionStore = CountedCollection<StoredSubscription, Count>;

export const subscriptionStore = (table: string): SubscriptionStore =>
  countedCollection(table, {
    prefix: 'subscription',
    name: 'subscriptions',
    shape: StoredSubscription,
    ...headWithCount,
  });

/** The API representation of a subscription. */
export const toSubscription = ({
  authorized_by: _by,
  ...subscription
}: StoredSubscription): ReportSubscription => subscription;

export interface SubscriptionReader {
  /** Newest first. */
  readonly list: (tenantId: string) => Promise<StoredSubscription[]>;
}

export const subscriptionReader = (table: string): SubscriptionReader => ({
  list: (tenantId) =>
    subscriptionStore(table).list(tenantId, { descending: true, limit: REPORT_SUBSCRIPTIONS_MAXIMUM }),
});
