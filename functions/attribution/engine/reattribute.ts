import { isDeepStrictEqual } from 'node:util';
import type { Factors } from '../../impact/factors.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { shardBitsOf } from '../../ledger/records/ledgerKey.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { type AttributionContext, attribute } from './attribute.ts';
import { exportEligibilityOf } from './interpretation.ts';
import type { ObservedCall } from './mergeObservation.ts';

/**
 * The content that decides whether a new version is needed. The rules version is excluded: if new rules give the same
 * result, the record keeps its version and its old rules version.
 */
const comparableContent = ({ record, explanation, storedEvent }: Attribution) => {
  const { version: _version, as_of: _asOf, interpretation, ...rest } = record;
  const { rules_version: _rules, ...details } = explanation;
  const { model_version, ...card } = interpretation;
  const model = interpretation.stage_origin === 'stage_a' ? null : model_version;
  return { rest, card, model, details, storedEvent };
};

/** The fresh result with the owner, service and confidence of the current record. */
const withCurrentNames = (current: Attribution, fresh: Attribution): Attribution => {
  const { owner, service, output_state, coper, interpretation } = current.record;
  const { unknown: _unknown, ...currentCard } = interpretation;
  const { unknown } = fresh.record.interpretation;
  return {
    ...fresh,
    record: {
      ...fresh.record,
      owner,
      service,
      output_state,
      coper,
      interpretation: {
        ...currentCard,
        export_eligibility: exportEligibilityOf(coper, fresh.record.cost_usd),
        ...(unknown !== undefined && { unknown }),
      },
    },
  };
};

/** Results of stage B stay when the tenant disables stage B. Only rules, an override or a model recall replace them. */
const isModelResultKept = (current: Attribution, fresh: Attribution): boolean =>
  current.record.interpretation.stage_origin === 'stage_b' &&
  fresh.record.interpretation.degradation_state === 'disabled';

/** An allocation stays valid as long as the record is unresolved and its quantities are unchanged. */
const isStillAllocated = (current: Attribution, fresh: Attribution): boolean =>
  current.record.output_state === 'allocated' &&
  fresh.record.output_state === 'unresolved' &&
  current.record.cost_usd === fresh.record.cost_usd &&
  current.record.energy_wh === fresh.record.energy_wh &&
  current.record.carbon_gco2e === fresh.record.carbon_gco2e;

/**
 * The next version of a record under the current rules, model and factors, valid from `at` (epoch milliseconds); null
 * when nothing changes. Manually overridden records keep their owner and service, and only their quantities change.
 * Disputes and overrides are kept. Without `context.trace`, the stored trace evidence is used, and without
 * `context.observed`, the stored event.
 */
export const reattribute = (
  current: Attribution,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  factors: Factors,
  context: AttributionContext & { readonly observed?: ObservedCall },
  at: number,
): Attribution | null => {
  const { record, explanation, storedEvent } = current;
  const metadata = {
    occurredAt: Date.parse(record.occurred_at),
    receivedAt: Date.parse(record.created_at),
    residency: record.residency,
    shardBits: shardBitsOf(ulidInId(record.id)),
  };
  const trace = context.trace ?? storedEvent.trace ?? null;
  const { event, observations } = context.observed ?? {
    event: toInvocationEvent(record, storedEvent),
    observations: explanation.observations,
  };
  const fresh = attribute(event, metadata, tenant, factors, { ...context, trace });
  const staysAllocated = isStillAllocated(current, fresh);
  if (staysAllocated && context.observed === undefined) return null;
  const keepsNames =
    record.output_state === 'manually_overridden' || isModelResultKept(current, fresh) || staysAllocated;
  const updated = keepsNames ? withCurrentNames(current, fresh) : fresh;
  const next: Attribution = {
    ...updated,
    record: {
      ...updated.record,
      version: record.version + 1,
      as_of: toIso(at),
      ...(record.dispute !== undefined && { dispute: record.dispute }),
    },
    explanation: {
      ...updated.explanation,
      ...(staysAllocated && { allocation: explanation.allocation }),
      ...(observations !== undefined && { observations: [...observations] }),
      ...(explanation.overrides !== undefined && { overrides: explanation.overrides }),
    },
  };
  return isDeepStrictEqual(comparableContent(next), comparableContent(current)) ? null : next;
};
