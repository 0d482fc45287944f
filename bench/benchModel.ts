import type { Infer } from '../functions/attribution/inference.ts';
import { inferrer } from '../functions/models/inferrer.ts';
import { encodeArtefact } from '../functions/prediction/artefact.ts';
import { train } from '../functions/prediction/train.ts';
import type { Tenant } from '../functions/tenancy/tenant.ts';
import { type CallByCaller, callersOf, callsOf, examplesOf } from './callers.ts';
import { cpuSecondsOf } from './processCpu.ts';

export const LABELS = 200;
const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1_000;

/** A model of the size a large tenant has, and calls that come after those it was trained on. */
export interface BenchModel {
  readonly artefact: Buffer;
  readonly calls: readonly CallByCaller[];
  readonly examples: number;
  readonly trainingCpuSeconds: number;
}

export const benchModel = (examples: number, calls: number): BenchModel => {
  const callers = callersOf(LABELS);
  const now = Date.now();
  const past = examplesOf(
    callsOf('bench past', callers, examples, { from: now - WEEK_MILLISECONDS, to: now }),
  );
  const { result, seconds } = cpuSecondsOf(() => train(past));
  return {
    artefact: encodeArtefact(result.artefact),
    calls: callsOf('bench today', callers, calls, { from: now, to: now + 1 }),
    examples,
    trainingCpuSeconds: seconds,
  };
};

/**
 * Asks the model as the worker does, from memory instead of tables, by a watch that stands still: on a busy machine the
 * breaker would open, and nothing be asked any more.
 */
export const inferWith = async (artefact: Uint8Array, tenant: Tenant): Promise<Infer> => {
  const serving = {
    active: 'mdl_bench',
    heuristic: null,
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
