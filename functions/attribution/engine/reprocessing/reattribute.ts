import { isDeepStrictEqual } from 'node:util';
import type { Explanation } from '../../../../schemas/attribution/explanation.ts';
import type { Factors } from '../../../impact/factors.ts';
import { isOverridden, withAnswers } from '../../../ledger/records/answers.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { type AttributionContext, attribute } from '../attribute.ts';
import { exportEligibilityOf } from '../interpretation.ts';
import { contradictingEvents } from '../observations/contradiction.ts';
import type { ObservedCall } from '../observations/mergeObservation.ts';

/**
 * The content that decides whether a new version is needed. The rules version is excluded: if new rules give the same
 * result, the record keeps its version and its old rules version. Excluded is also what each training
 * measures anew of traces, unless it changes the confidence of the owner. The other answers follow from all
 * other content.
 */
const comparableContent = ({ record, explanation, storedEvent }: Attribution) => {
  const { version: _version, as_of: _asOf, interpretation, ...rest } = record;
  const {
    rules_version: _rules,
    trace_probability: _probability,
    trace_advisory: _advisory,
    ...details
  } = explanation;
  const { model_version, answers, ...card } = interpretation;
  const model = interpretation.stage_origin === 'stage_a' ? null : model_version;
  return { rest, card, ownerConfidence: answers.owner.confidence, model, details, storedEvent };
};

const MEMBERS = ['owner', 'service'] as const;
type Member = (typeof MEMBERS)[number];

/** The fresh result with the state and confidence of the current record, and with these of its names. */
const withCurrent = (current: Attribution, fresh: Attribution, names: readonly Member[]): Attribution => {
  const { output_state, coper, interpretation } = current.record;
  const { unknown: _unknown, same_call: _sameCall, ...currentCard } = interpretation;
  const { unknown, same_call: sameCall } = fresh.record.interpretation;
  return {
    ...fresh,
    record: {
      ...fresh.record,
      ...Object.fromEntries(names.map((name) => [name, current.record[name]])),
      output_state,
      coper,
      interpretation: {
        ...currentCard,
        export_eligibility: exportEligibilityOf(coper, fresh.record.cost_usd),
        ...(unknown !== undefined && { unknown }),
        ...(sameCall !== undefined && { same_call: sameCall }),
      },
    },
  };
};

const namesOverridden = ({ overrides }: Explanation): readonly Member[] =>
  MEMBERS.filter((member) => isOverridden(member, overrides));

/** Results of stage B stay when the tenant disables stage B. Only rules, an override or a model recall replace them. */
const isModelResultKept = ({ record }: Attribution, fresh: Attribution): boolean =>
  Object.values(record.interpretation.answers).some(
    ({ evidence_basis: basis }) => basis === 'model_inferred' || basis === 'heuristic_baseline',
  ) && fresh.record.interpretation.degradation_state === 'disabled';

/** An allocation stays valid as long as the record has no owner and its quantities are unchanged. */
const isStillAllocated = (current: Attribution, fresh: Attribution): boolean =>
  current.explanation.allocation !== undefined &&
  current.record.cost_usd === fresh.record.cost_usd &&
  current.record.energy_wh === fresh.record.energy_wh &&
  current.record.carbon_gco2e === fresh.record.carbon_gco2e;

/**
 * The next version of a record under the current rules, model and factors, valid from `at` (epoch milliseconds); null
 * when nothing changes. What a person named stays, and only what the override did not name is decided again.
 * Disputes and overrides are kept. Without `context.trace`, the stored trace evidence is used, and without
 * `context.observed`, the stored event.
 */
export const reattribute = (
  current: Attribution,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  factors: Factors,
  context: AttributionContext & { readonly observed?: ObservedCall; readonly isSuperseded?: boolean },
  at: number,
): Attribution | null => {
  const { record, explanation, storedEvent } = current;
  const metadata = {
    occurredAt: Date.parse(record.occurred_at),
    receivedAt: Date.parse(record.created_at),
    residency: record.residency,
    record: ulidInId(record.id),
    invocation: ulidInId(record.invocation_id),
    statedBy: storedEvent.stated_by,
    confirmedCost: storedEvent.confirmed_cost,
    divided: explanation.cost,
    isSuperseded: context.isSuperseded ?? storedEvent.superseded ?? false,
  };
  const trace = context.trace ?? storedEvent.trace ?? null;
  const sameCall = context.sameCall === undefined ? (storedEvent.same_call ?? null) : context.sameCall;
  const usageAbove =
    context.usageAbove === undefined ? (storedEvent.completed_usage ?? null) : context.usageAbove;
  const { event, observations } = context.observed ?? {
    event: toInvocationEvent(record, storedEvent),
    observations: explanation.observations,
  };
  const fresh = attribute(event, metadata, tenant, factors, {
    ...context,
    trace,
    sameCall,
    usageAbove,
    contradicting: contradictingEvents(event, observations),
  });
  const keepsModel = isModelResultKept(current, fresh);
  const isWhollyAllocated =
    record.output_state === 'allocated' &&
    fresh.record.output_state === 'unresolved' &&
    isStillAllocated(current, fresh);
  if (isWhollyAllocated && context.observed === undefined && context.sameCall === undefined) return null;
  const updated =
    record.output_state === 'manually_overridden'
      ? withCurrent(current, fresh, namesOverridden(explanation))
      : keepsModel || isWhollyAllocated
        ? withCurrent(current, fresh, MEMBERS)
        : fresh;
  const staysAllocated = updated.record.owner === null && isStillAllocated(current, fresh);
  const nextExplanation: Explanation = {
    ...updated.explanation,
    ...(keepsModel && explanation.prediction !== undefined && { prediction: explanation.prediction }),
    ...(staysAllocated && { allocation: explanation.allocation }),
    ...(observations !== undefined && { observations: [...observations] }),
    ...(explanation.overrides !== undefined && { overrides: explanation.overrides }),
  };
  const nextRecord = {
    ...updated.record,
    version: record.version + 1,
    as_of: toIso(at),
    ...(record.dispute !== undefined && { dispute: record.dispute }),
  };
  const next: Attribution = {
    ...updated,
    record: withAnswers(nextRecord, nextExplanation),
    explanation: nextExplanation,
  };
  return isDeepStrictEqual(comparableContent(next), comparableContent(current)) ? null : next;
};
