import type { Infer } from '../../functions/attribution/engine/inference.ts';
import { inferrer } from '../../functions/attribution/training/models/inferrer.ts';
import { encodeArtefact } from '../../functions/attribution/training/prediction/artefact.ts';
import { train } from '../../functions/attribution/training/prediction/training/train.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { cpuSecondsOf } from '../support/processCpu.ts';
import { type CallByCaller, callersOf, callsOf, examplesOf } from './callers.ts';

export const LABELS = 200;
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** A model of the size of a large tenant, and calls made after its training period. */
export interface BenchModel {
  readonly artefact: Buffer;
  readonly calls: readonly CallByCaller[];
  readonly examples: number;
  readonly trainingCpuSeconds: number;
}

export const benchModel = (examples: number, calls: number): BenchModel => {
  const callers = callersOf(LABELS);
  const now = Date.now();
  const trainingExamples = examplesOf(
    callsOf('bench training', callers, examples, { from: now - WEEK_MS, to: now }),
  );
  const { result, seconds } = cpuSecondsOf(() => train(trainingExamples));
  return {
    artefact: encodeArtefact(result.artefact),
    calls: callsOf('bench test', callers, calls, { from: now, to: now + 1 }),
    examples,
    trainingCpuSeconds: seconds,
  };
};

/**
 * Runs inference as the worker does, with the model in memory instead of in tables. The stopwatch is frozen: on a busy
 * machine the circuit breaker would open and no further prediction would run.
 */
export const inferWith = async (artefact: Uint8Array, tenant: Tenant): Promise<Infer> => {
  const serving = {
    active: 'mdl_bench',
    candidate: null,
    heuristic: 'mdl_bench',
    retried_to: null,
    degradation: 'none',
    since: '2026-01-01T00:00:00.000Z',
  } as const;
  return inferrer({
    serving: { serving: async () => serving, heuristic: async () => null },
    artefacts: { read: async () => artefact },
    transitionDegradation: async () => false,
    clock: Date.now,
    stopwatch: { now: () => 0 },
  })(tenant);
};
