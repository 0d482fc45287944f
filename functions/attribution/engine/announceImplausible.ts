import type { AuditLog } from '../../identity/audit/audit.store.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { tagInId } from '../../platform/shared/ids.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import type { IsRaised } from './recordSubscription.ts';

const TYPE = 'cost.implausible';

const eventOf = ({ record, explanation }: Attribution, at: number) => {
  const { id, tenant_id, occurred_at, residency } = record;
  const data = {
    attribution_id: id,
    occurred_at,
    reported_cost_usd: explanation.reported_cost?.usd ?? null,
    residency,
  };
  const ulid = ulidOf(at, sha256Of(TYPE, tenant_id, id, String(at)));
  return createEvent(TYPE, data, { ulid, at, tenant: { tenant_id, tag: tagInId(id) } });
};

/**
 * Raises an event when a version sets its cost aside, before the version is written: so a crash in between loses
 * none. A tenant has at most one in each hour of the clock, because a faulty producer sets the cost of every call aside.
 */
export const announceImplausible =
  (stores: { readonly audit: AuditLog; readonly outbox: Outbox }, isRaised: IsRaised): IsRaised =>
  async (key, version) => {
    const { tenant_id: tenantId, as_of, interpretation } = version.record;
    if (interpretation.unknown?.cost === 'implausible_cost') {
      const at = Date.parse(as_of);
      const { audit, outbox } = stores;
      await commit([audit.admitHourly(tenantId, TYPE, at), outbox.raise(eventOf(version, at))]);
    }
    return isRaised(key, version);
  };
