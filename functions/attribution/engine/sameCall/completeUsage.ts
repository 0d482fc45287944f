import { knowsMore, usageIn } from '../../../ingest/formats/fullerUsage.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import { reattribute } from '../reprocessing/reattribute.ts';
import type { NestedUsage } from '../trace/nestedUsage.ts';
import type { Joining, JoinStores } from './joinCalls.ts';

const eventOf = ({ record, storedEvent }: Attribution) => toInvocationEvent(record, storedEvent);

const areOfOneCredential = (one: Attribution, other: Attribution): boolean =>
  one.storedEvent.stated_by?.id === other.storedEvent.stated_by?.id;

/**
 * Gives a call what the call above it knows of its usage, if it is the only one below: instrumentations of an SDK leave out what
 * the framework above them reports. In one export, the receiver does so. Of the same credential only, because no other may lower
 * a cost. Each of both runs it after its record is written, so the later one finds the other. A second call below undoes it.
 */
export const usageCompleter =
  ({ recordOf, revise, mark }: Pick<JoinStores, 'recordOf' | 'revise' | 'mark'>) =>
  async ({ tenant, context }: Joining, nested: readonly NestedUsage[]): Promise<void> => {
    for (const { upper, only, earlier } of nested) {
      const above = await recordOf(tenant, upper);
      if (above === null) continue;
      const usage = usageIn(eventOf(above));
      for (const ulid of only === null ? earlier : [only]) {
        const by = { claim: `usage above ${upper}`, attempt: 1 };
        const outcome = await revise(tenant, ulid, by, (current, startsAt) => {
          const isKnown = current.storedEvent.completed_usage?.record === upper;
          const isFuller =
            only !== null && areOfOneCredential(above, current) && knowsMore(usage, eventOf(current));
          if (!isFuller && !isKnown) return null;
          const usageAbove = isFuller ? { record: upper, usage } : null;
          return reattribute(current, tenant, context.factors, { ...context, usageAbove }, startsAt());
        });
        if (outcome === 'revised') await mark(tenant.tenant_id, [timeOfUlid(ulid)]);
      }
    }
  };
