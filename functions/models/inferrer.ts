import type { PredictionTrace } from '../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { DegradationState, Infer } from '../attribution/inference.ts';
import { decodeArtefact } from '../prediction/artefact.ts';
import { decodeHeuristic } from '../prediction/heuristicTable.ts';
import { observationOf } from '../prediction/observation.ts';
import type { Predictor } from '../prediction/prediction.ts';
import { heuristicPredictor, predictor } from '../prediction/predictor.ts';
import type { Clock, Stopwatch } from '../shared/clock.ts';
import { describeError, log } from '../shared/log.ts';
import { cacheLookups } from '../shared/lookupCache.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { ArtefactReader } from './artefact.store.ts';
import { type CircuitBreaker, circuitBreaker } from './circuitBreaker.ts';
import { parseLabel } from './label.ts';
import type { ServingReader } from './registry.store.ts';
import { nextServingState, type ServingState, UNTRAINED } from './servingState.ts';

/** What one question may take, in milliseconds; what takes longer is thrown away (Stage B adapter call budget). */
const CALL_BUDGET_MILLISECONDS = 20;
/** How long an artefact may take to come. Nobody waits for a record, but a message must not outlast its visibility. */
const LOAD_TIMEOUT_MILLISECONDS = 2_000;
const SERVING_TTL_MILLISECONDS = 5_000;
/** Artefacts never change, so they stay until others need the room. */
const ARTEFACT_TTL_MILLISECONDS = 24 * 60 * 60 * 1_000;
const TENANT_CAPACITY = 1_000;
/** A few megabytes each in memory. */
const ARTEFACT_CAPACITY = 50;

export interface InferrerDependencies {
  readonly serving: ServingReader;
  readonly artefacts: ArtefactReader;
  /** Makes a move of the tenant's state, once however many see it; false when it was made already. */
  readonly transitionDegradation: (tenant: Tenant, isFallback: boolean) => Promise<boolean>;
  readonly clock: Clock;
  readonly stopwatch: Pick<Stopwatch, 'now'>;
  /** Default {@link BUDGET}. Work that nobody waits for gives a model all the time it takes. */
  readonly budget?: number;
}

/** How a prediction goes into a record. */
const toPredictionTrace = (
  source: Predictor,
  origin: Pick<PredictionTrace, 'model_version' | 'basis' | 'advisory'>,
  event: InvocationEvent,
  occurredAt: number,
): PredictionTrace | null => {
  const prediction = source.predict(observationOf(event, occurredAt));
  if (prediction === null) return null;
  return {
    model_version: origin.model_version,
    basis: origin.basis,
    ...parseLabel(prediction.label),
    confidence: prediction.confidence,
    novel: prediction.novel,
    advisory: origin.advisory,
    alternatives: prediction.alternatives.map(({ label, probability }) => ({
      ...parseLabel(label),
      probability,
    })),
  };
};

/** A key of two parts for look-ups by tenant and version. */
const toCacheKey = (tenantId: string, version: string): string => `${tenantId} ${version}`;
const parseCacheKey = (key: string): [string, string] => {
  const [tenantId = '', version = ''] = key.split(' ');
  return [tenantId, version];
};

/**
 * Asks a tenant's model, within its budget, and the heuristic where the model is missing, late or withdrawn. What is
 * needed is fetched ahead, so that the question itself never waits. A model that cannot be had or is late too often is
 * left alone for a while, and the tenant's state tells so.
 */
export const inferrer = (stores: InferrerDependencies) => {
  const {
    serving,
    artefacts,
    transitionDegradation,
    clock,
    stopwatch,
    budget = CALL_BUDGET_MILLISECONDS,
  } = stores;
  const servingOf = cacheLookups(
    async (tenantId: string): Promise<ServingState | null> => (await serving.serving(tenantId)) ?? UNTRAINED,
    { lifetime: SERVING_TTL_MILLISECONDS, capacity: TENANT_CAPACITY, clock },
  );
  const artefactCache = { lifetime: ARTEFACT_TTL_MILLISECONDS, capacity: ARTEFACT_CAPACITY, clock };
  const modelOf = cacheLookups(async (key): Promise<Predictor | null> => {
    const bytes = await artefacts.read(...parseCacheKey(key), AbortSignal.timeout(LOAD_TIMEOUT_MILLISECONDS));
    return predictor(decodeArtefact(bytes));
  }, artefactCache);
  const heuristicOf = cacheLookups(async (key): Promise<Predictor | null> => {
    const bytes = await serving.heuristic(...parseCacheKey(key));
    return bytes === null ? null : heuristicPredictor(decodeHeuristic(bytes));
  }, artefactCache);
  const breakers = new Map<string, CircuitBreaker>();

  const breakerOf = (key: string): CircuitBreaker => {
    const known = breakers.get(key) ?? circuitBreaker();
    breakers.set(key, known);
    return known;
  };

  const loadModel = async (key: string, guard: CircuitBreaker): Promise<Predictor | null> => {
    if (!guard.canCall(clock())) return null;
    try {
      return await modelOf(key);
    } catch (error) {
      guard.recordFailure(clock());
      log({ level: 'warn', message: 'the model cannot be had', ...describeError(error) });
      return null;
    }
  };

  /** Null where it cannot be had: what is only advice must not keep a record from being made. */
  const loadHeuristic = async (key: string): Promise<Predictor | null> => {
    try {
      return await heuristicOf(key);
    } catch (error) {
      log({ level: 'warn', message: 'the heuristic cannot be had', ...describeError(error) });
      return null;
    }
  };

  /** The model's answer; undefined where there is none in time. */
  const predictWithinBudget = (
    model: Predictor,
    guard: CircuitBreaker,
    predict: (model: Predictor) => PredictionTrace | null,
  ): PredictionTrace | null | undefined => {
    if (!guard.canCall(clock())) return undefined;
    const began = stopwatch.now();
    const answer = predict(model);
    if (stopwatch.now() - began > budget) {
      guard.recordTimeout(clock());
      return undefined;
    }
    guard.recordSuccess();
    return answer;
  };

  const recordTransition = async (
    tenant: Tenant,
    current: ServingState,
    isFallback: boolean,
  ): Promise<void> => {
    if (nextServingState(current, isFallback, clock()) === null) return;
    // The state is told of as well as can be: no record fails because it cannot be.
    await transitionDegradation(tenant, isFallback).catch((error: unknown) => {
      log({ level: 'warn', message: 'the state could not be told', ...describeError(error) });
    });
  };

  return async (tenant: Tenant): Promise<Infer> => {
    if (tenant.stage_b === 'disabled') return () => ({ degradation: 'disabled', prediction: null });
    const { tenant_id: tenantId } = tenant;
    const current = (await servingOf(tenantId)) ?? UNTRAINED;
    const { active, heuristic, degradation } = current;
    const guard = breakerOf(toCacheKey(tenantId, active ?? ''));
    const model = active === null ? null : await loadModel(toCacheKey(tenantId, active), guard);
    const fallback = heuristic === null ? null : await loadHeuristic(toCacheKey(tenantId, heuristic));
    if (active !== null) await recordTransition(tenant, current, guard.isOpen());
    const recalled: DegradationState = degradation === 'model_recalled' ? 'model_recalled' : 'none';

    return (event, occurredAt) => {
      const origin = { model_version: active ?? '', basis: 'model_inferred', advisory: false } as const;
      const answer =
        model === null
          ? undefined
          : predictWithinBudget(model, guard, (source) =>
              toPredictionTrace(source, origin, event, occurredAt),
            );
      if (answer !== undefined) return { degradation: recalled, prediction: answer };
      return {
        degradation: active === null ? recalled : 'degraded_serving',
        prediction:
          fallback === null
            ? null
            : toPredictionTrace(
                fallback,
                { model_version: `${heuristic}+heuristic`, basis: 'heuristic_baseline', advisory: true },
                event,
                occurredAt,
              ),
      };
    };
  };
};
