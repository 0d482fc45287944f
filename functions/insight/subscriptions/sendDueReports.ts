import pMap from 'p-map';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { ReportContent } from '../../delivery/notifications/text/reportContent.ts';
import type { CredentialReader } from '../../identity/access/principals/credential.store.ts';
import { heldScopes } from '../../identity/access/principals/heldScopes.ts';
import type { Follower, FollowPeriods } from '../../ledger/freshness/followPeriods.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import type { ReportStores, readReport } from './readReport.ts';
import { lastPeriod, reportIdOf } from './reportPeriods.ts';
import type { StoredSubscription, SubscriptionReader } from './subscription.store.ts';

/** Each holds the sums of some months while it is made. */
const CONCURRENCY = 2;

/** A report waits for totals that are complete, for a day at most. It is sent once: a later change is in the next one. */
const followerOf = (every: StoredSubscription['every']): Follower => ({
  name: `reports of a ${every}`,
  grain: 'day',
  waitMs: DAY_MS,
  againAfterMs: Number.POSITIVE_INFINITY,
  servesEmpty: true,
  beginsWith: 'all',
});

/**
 * Sends the reports that are due for a tenant at `now` (epoch milliseconds). Idempotent: a report has the same id whenever it is
 * made. A subscription whose recipient may read nothing any more gets none. One that fails does not stop the others, and is
 * repeated in the next run.
 */
export const dueReportSender = (deps: {
  readonly subscriptions: SubscriptionReader;
  readonly credentials: CredentialReader;
  readonly stores: ReportStores;
  /** Loaded on first use: a report needs the price catalogue. */
  readonly loadReader: () => Promise<typeof readReport>;
  readonly send: (tenantId: string, id: string, report: ReportContent, now: number) => Promise<void>;
  readonly follow: FollowPeriods;
}) => {
  const sendOne = async (
    tenant: Tenant,
    subscription: StoredSubscription,
    period: Interval,
    now: number,
  ): Promise<void> => {
    const { residency, authorized_by: authorization, channel } = subscription;
    const id = reportIdOf(subscription, period);
    const scopes = await heldScopes(deps.credentials, tenant.tag, authorization);
    if (id === null || !scopes.has('read:reporting')) return;
    if (residency !== null && !tenant.residency.includes(residency)) return;
    const readReport = await deps.loadReader();
    const content = await readReport(deps.stores, { tenant, residency, scopes }, subscription, period, now);
    const report = {
      ...content,
      to: channel === 'email' && authorization.kind === 'user' ? authorization.email : null,
      authorized_by: { ...authorization, scopes: [...scopes] },
    };
    await deps.send(tenant.tenant_id, id, report, now);
  };

  return async (tenant: Tenant, now: number): Promise<void> => {
    const all = await deps.subscriptions.list(tenant.tenant_id);
    const calendar = calendarOf(tenant);
    for (const [every, own] of Map.groupBy(all, (one) => one.every)) {
      await deps.follow(
        tenant.tenant_id,
        followerOf(every),
        [lastPeriod(every, calendar, now)],
        now,
        async (period) => {
          await pMap(own, (one) => sendOne(tenant, one, period, now), {
            concurrency: CONCURRENCY,
            stopOnError: false,
          });
        },
      );
    }
  };
};
