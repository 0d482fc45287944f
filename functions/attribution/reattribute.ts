import { isDeepStrictEqual } from 'node:util';
import type { Factors } from '../impact/factors.ts';
import type { Attribution } from '../ledger/attribution.ts';
import { toInvocationEvent } from '../ledger/storedEvent.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type AttributionContext, attribute } from './attribute.ts';
import { exportEligibilityOf } from './interpretation.ts';

/**
 * Everything that a change of rules, model or factors can change. That the rules have another name by now is no change
 * where they judge as before: a record keeps the name of those it was judged by.
 */
const comparableContent = ({ record, explanation, kept }: Attribution) => {
  const { version: _version, as_of: _asOf, interpretation, ...rest } = record;
  const { rules_version: _rules, ...behind } = explanation;
  const { model_version, ...card } = interpretation;
  const model = interpretation.stage_origin === 'stage_a' ? null : model_version;
  return { rest, card, model, behind, kept };
};

/** A fresh judgement of everything but whom the record names, and how surely. */
const withCurrentNames = (current: Attribution, fresh: Attribution): Attribution => {
  const { owner, service, output_state, coper, interpretation } = current.record;
  const { unknown: _unknown, ...decided } = interpretation;
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
        ...decided,
        export_eligibility: exportEligibilityOf(coper, fresh.record.cost_usd),
        ...(unknown !== undefined && { unknown }),
      },
    },
  };
};

/** What a model has placed stays when its tenant switches models off: only rules, a person or a recall take it back. */
const isModelResultKept = (current: Attribution, fresh: Attribution): boolean =>
  current.record.interpretation.stage_origin === 'stage_b' &&
  fresh.record.interpretation.degradation_state === 'disabled';

/** A share of what a record cost stands as long as nothing else is known of it. */
const isStillAllocated = (current: Attribution, fresh: Attribution): boolean =>
  current.record.output_state === 'allocated' &&
  fresh.record.output_state === 'unresolved' &&
  current.record.cost_usd === fresh.record.cost_usd &&
  current.record.energy_wh === fresh.record.energy_wh &&
  current.record.carbon_gco2e === fresh.record.carbon_gco2e;

/**
 * A record as today's rules, model and factors make it, from `at` (epoch milliseconds) on; null where that changes
 * nothing. What a person decided stays decided and only its quantities follow; disputes and overrides are kept.
 * `context.trace` left out is the trace as it was known.
 */
export const reattribute = (
  current: Attribution,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  factors: Factors,
  context: AttributionContext,
  at: number,
): Attribution | null => {
  const { record, explanation, kept } = current;
  const metadata = {
    occurredAt: Date.parse(record.occurred_at),
    receivedAt: Date.parse(record.created_at),
    residency: record.residency,
  };
  const trace = context.trace ?? kept.trace ?? null;
  const fresh = attribute(toInvocationEvent(record, kept), metadata, tenant, factors, { ...context, trace });
  if (isStillAllocated(current, fresh)) return null;
  const keepsNames = record.output_state === 'manually_overridden' || isModelResultKept(current, fresh);
  const updated = keepsNames ? withCurrentNames(current, fresh) : fresh;
  const next: Attribution = {
    ...updated,
    record: {
      ...updated.record,
      version: record.version + 1,
      as_of: new Date(at).toISOString(),
      ...(record.dispute !== undefined && { dispute: record.dispute }),
    },
    explanation: {
      ...updated.explanation,
      ...(explanation.overrides !== undefined && { overrides: explanation.overrides }),
    },
  };
  return isDeepStrictEqual(comparableContent(next), comparableContent(current)) ? null : next;
};
