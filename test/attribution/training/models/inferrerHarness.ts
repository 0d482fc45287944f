import { inferrer } from '../../../../functions/attribution/training/models/inferrer.ts';
import {
  nextServingState,
  type ServingState,
  UNTRAINED,
} from '../../../../functions/attribution/training/models/servingState.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';

interface StoredTraining {
  readonly artefact: Uint8Array;
  readonly heuristic: Uint8Array;
}

/** An inferrer on test stores and a test clock. */
export const startInferrer = (
  trained: (tenantId: string, version: string) => StoredTraining,
  options: { readonly budget?: number } = {},
) => {
  const servings = new Map<string, ServingState>();
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };
  /** Duration of each prediction: milliseconds between two readings of the stopwatch. */
  const pace = { milliseconds: 1 };
  /** Errors that the stores throw. */
  const outage: { artefacts?: Error; heuristics?: Error; serving?: Error; move?: Error } = {};
  const reads = {
    serving: [] as string[],
    artefacts: [] as string[],
    heuristics: [] as string[],
    stopwatch: 0,
  };
  const stateChanges: string[] = [];
  let elapsed = 0;

  const infer = inferrer({
    ...options,
    serving: {
      serving: async (tenantId) => {
        reads.serving.push(tenantId);
        if (outage.serving) throw outage.serving;
        return servings.get(tenantId) ?? null;
      },
      heuristic: async (tenantId, version) => {
        reads.heuristics.push(`${tenantId}/${version}`);
        if (outage.heuristics) throw outage.heuristics;
        return Buffer.from(trained(tenantId, version).heuristic);
      },
    },
    artefacts: {
      read: async (tenantId, version, signal) => {
        reads.artefacts.push(`${tenantId}/${version}`);
        signal.throwIfAborted();
        if (outage.artefacts) throw outage.artefacts;
        return trained(tenantId, version).artefact;
      },
    },
    transitionDegradation: async ({ tenant_id: tenantId }, isFallback) => {
      if (outage.move) throw outage.move;
      const before = servings.get(tenantId) ?? UNTRAINED;
      const next = nextServingState(before, isFallback, time.now);
      if (next === null) return false;
      servings.set(tenantId, next);
      stateChanges.push(`${before.degradation} -> ${next.degradation}`);
      return true;
    },
    clock: () => time.now,
    stopwatch: {
      now: () => {
        reads.stopwatch += 1;
        elapsed += pace.milliseconds;
        return elapsed;
      },
    },
  });

  return {
    /** Prepares the prediction function of a batch. */
    prepare: (tenant: Tenant) => infer(tenant),
    serve: (tenant: Pick<Tenant, 'tenant_id'>, members: Partial<ServingState>): void => {
      servings.set(tenant.tenant_id, { ...UNTRAINED, ...members });
    },
    time,
    pace,
    outage,
    reads,
    /** Changes of the degradation state, in order. */
    stateChanges,
  };
};
export type InferrerHarness = ReturnType<typeof startInferrer>;
