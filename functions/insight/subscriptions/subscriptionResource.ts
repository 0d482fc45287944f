import { REPORT_SUBSCRIPTIONS_MAXIMUM } from '../../../schemas/delivery/reportSubscriptions.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { StoredSubscription, type SubscriptionStore, toSubscription } from './subscription.store.ts';

/** Whether a caller may see a subscription: its recipient, whoever made it, and administrators, in its lane. */
export const isVisible = (
  { scopes, principal, residency }: Pick<Caller, 'scopes' | 'principal' | 'residency'>,
  subscription: StoredSubscription,
): boolean =>
  isInLane(subscription.residency, residency) &&
  (scopes.has('admin:config') ||
    subscription.recipient === principal ||
    subscription.created_by === principal);

/** Throws NOT_FOUND when there is no subscription, or the caller may not see it. */
export const requireVisible = (
  caller: Pick<Caller, 'scopes' | 'principal' | 'residency'>,
  found: StoredSubscription | null,
): StoredSubscription => {
  if (found !== null && isVisible(caller, found)) return found;
  throw new ProblemError('NOT_FOUND', 'There is no report subscription with this id.');
};

export const subscriptionResource = (subscriptions: SubscriptionStore) =>
  tenantResource(
    {
      shape: StoredSubscription,
      name: 'report subscription',
      idPrefix: 'rps',
      maximum: REPORT_SUBSCRIPTIONS_MAXIMUM,
      requireVisible,
      // Without the address of the recipient.
      configuration: toSubscription,
    },
    subscriptions,
  );
