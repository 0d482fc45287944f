import type { PredictionTrace } from '../../../../schemas/attribution/explanation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { cacheLookups } from '../../../platform/shared/caches/lookupCache.ts';
import { describeError, log } from '../../../platform/shared/log.ts';
import type { Clock, Stopwatch } from '../../../platform/shared/time/clock.ts';
import { homeLane, type Tenant } from '../../../platform/tenancy/tenant.ts';
import type { DegradationState, Infer } from '../../engine/inference.ts';
import { decodeArtefact } from '../prediction/artefact.ts';
import { decodeHeuristic } from '../prediction/heuristicTable.ts';
import { foreignLane } from '../prediction/likelihood/labelLane.ts';
import { type Observation, observationOf } from '../prediction/observation.ts';
import type { Predictor } from '../prediction/prediction.ts';
import { heuristicPredictor, predictor } from '../prediction/predictor.ts';
import type { ArtefactReader } from './artefact.store.ts';
import { type CircuitBreaker, circuitBreaker } from './circuitBreaker.ts';
import { parseLabel } from './label.ts';
import type { ServingReader } from './registry.store.ts';
import { nextServingState, type ServingState, servedModel, UNTRAINED } from './servingState.ts';

/** Time limit of one prediction (stage B adapter call budget). A later answer is discarded. */
const CALL_BUDGET_MS = 20;
/** Timeout for loading an artefact. A message must be processed within its visibility timeout. */
const LOAD_TIMEOUT_MS = 2_000;
const SERVING_TTL_MS = 5_000;
/** Artefacts are immutable, so the capacity of the cache decides when they are evicted. */
const ARTEFACT_TTL_MS = DAY_MS;
const TENANT_CAPACITY = 1_000;
/** An artefact takes a few megabytes of memory. */
const ARTEFACT_CAPACITY = 50;

export interface InferrerDependencies {
  readonly serving: ServingReader;
  readonly artefacts: ArtefactReader;
  /** Changes the tenant's degradation state. Of concurrent callers one does so, and the others get false. */
  readonly transitionDegradation: (tenant: Tenant, isFallback: boolean) => Promise<boolean>;
  readonly clock: Clock;
  readonly stopwatch: Pick<Stopwatch, 'now'>;
  /** Time limit of one prediction in milliseconds. Default {@link CALL_BUDGET_MS}. Background jobs use no limit. */
  readonly budget?: number;
}

/** Predicts the caller of an event, in the form that a record stores. Null without a prediction. */
const toPredictionTrace = (
  source: Predictor,
  origin: Pick<PredictionTrace, 'model_version' | 'basis' | 'advisory'>,
  observation: Observation,
  isAgain?: boolean,
): PredictionTrace | null => {
  const prediction = source.predict(observation, isAgain);
  if (prediction === null) return null;
  return {
    model_version: origin.model_version,
    basis: origin.basis,
    ...parseLabel(prediction.label),
    confidence: prediction.confidence,
    novel: prediction.novel,
    advisory: origin.advisory || prediction.advisory,
    alternatives: prediction.alternatives.map(({ label, probability }) => ({
      ...parseLabel(label),
      probability,
    })),
  };
};

/** Cache key of tenant and version. */
const toCacheKey = (tenantId: string, version: string): string => `${tenantId} ${version}`;
const parseCacheKey = (key: string): [string, string] => {
  const [tenantId = '', version = ''] = key.split(' ');
  return [tenantId, version];
};

/**
 * Predicts with a tenant's active model, within the time limit, and with its heuristic when the model is missing, too slow
 * or recalled. Model and heuristic are loaded before the batch, so a prediction does no I/O. A circuit breaker stops calls
 * to a model that cannot be loaded or is repeatedly too slow, and the tenant's degradation state shows it.
 */
export const inferrer = (stores: InferrerDependencies) => {
  const { serving, artefacts, transitionDegradation, clock, stopwatch, budget = CALL_BUDGET_MS } = stores;
  const servingOf = cacheLookups(
    async (tenantId: string): Promise<ServingState | null> => (await serving.serving(tenantId)) ?? UNTRAINED,
    { lifetime: SERVING_TTL_MS, capacity: TENANT_CAPACITY, clock },
  );
  const artefactCache = { lifetime: ARTEFACT_TTL_MS, capacity: ARTEFACT_CAPACITY, clock };
  const modelOf = cacheLookups(async (key): Promise<Predictor | null> => {
    const bytes = await artefacts.read(...parseCacheKey(key), AbortSignal.timeout(LOAD_TIMEOUT_MS));
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

  const loadModel = async (key: string, breaker: CircuitBreaker): Promise<Predictor | null> => {
    if (!breaker.canCall(clock())) return null;
    try {
      return await modelOf(key);
    } catch (error) {
      breaker.recordFailure(clock());
      log({
        level: 'warn',
        message: 'model could not be loaded',
        ...describeError(error),
      });
      return null;
    }
  };

  /** Null when loading fails. Heuristic predictions are advisory, so a failure must not block the record. */
  const loadHeuristic = async (key: string): Promise<Predictor | null> => {
    try {
      return await heuristicOf(key);
    } catch (error) {
      log({ level: 'warn', message: 'heuristic could not be loaded', ...describeError(error) });
      return null;
    }
  };

  /** The prediction of the model. Undefined when the breaker is open or the time limit was exceeded. */
  const predictWithinBudget = (
    model: Predictor,
    breaker: CircuitBreaker,
    predict: (model: Predictor) => PredictionTrace | null,
  ): PredictionTrace | null | undefined => {
    if (!breaker.canCall(clock())) return undefined;
    const startedAt = stopwatch.now();
    const prediction = predict(model);
    if (stopwatch.now() - startedAt > budget) {
      breaker.recordTimeout(clock());
      return undefined;
    }
    breaker.recordSuccess();
    return prediction;
  };

  const recordTransition = async (
    tenant: Tenant,
    current: ServingState,
    isFallback: boolean,
  ): Promise<void> => {
    if (nextServingState(current, isFallback, clock()) === null) return;
    // Best effort: a failure to store the state must not block the record.
    await transitionDegradation(tenant, isFallback).catch((error: unknown) => {
      log({ level: 'warn', message: 'degradation state could not be stored', ...describeError(error) });
    });
  };

  return async (tenant: Tenant): Promise<Infer> => {
    if (tenant.stage_b === 'disabled') return () => ({ degradation: 'disabled', prediction: null });
    const { tenant_id: tenantId } = tenant;
    const current = (await servingOf(tenantId)) ?? UNTRAINED;
    const { heuristic, degradation } = current;
    const served = servedModel(current);
    const breaker = breakerOf(toCacheKey(tenantId, served?.version ?? ''));
    const model = served === null ? null : await loadModel(toCacheKey(tenantId, served.version), breaker);
    const fallback = heuristic === null ? null : await loadHeuristic(toCacheKey(tenantId, heuristic));
    if (served !== null) await recordTransition(tenant, current, breaker.isOpen());
    const recalled: DegradationState = degradation === 'model_recalled' ? 'model_recalled' : 'none';

    const infer: Infer = (event, { occurredAt, residency }, isAgain) => {
      const observation = observationOf(event, occurredAt, foreignLane(residency, homeLane(tenant)));
      const origin = {
        model_version: served?.version ?? '',
        basis: 'model_inferred',
        advisory: served?.advisory ?? false,
      } as const;
      const prediction =
        model === null
          ? undefined
          : predictWithinBudget(model, breaker, (source) =>
              toPredictionTrace(source, origin, observation, isAgain),
            );
      if (prediction !== undefined) return { degradation: recalled, prediction };
      return {
        degradation: served === null ? recalled : 'degraded_serving',
        prediction:
          fallback === null
            ? null
            : toPredictionTrace(
                fallback,
                { model_version: `${heuristic}+heuristic`, basis: 'heuristic_baseline', advisory: true },
                observation,
              ),
      };
    };
    return Object.assign(infer, { traced: (confidence: number) => model?.traced(confidence) ?? null });
  };
};
