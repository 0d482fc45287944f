import * as z from 'zod';
import { GatherInput } from '../../functions/chargeback/exports/steps/gather.ts';
import {
  aggregatedKey,
  ExecutionPlan,
  readWork,
  WrittenRange,
  workPrefix,
  writeWork,
  writtenKey,
} from '../../functions/chargeback/exports/steps/workDocuments.ts';
import { WriteInput } from '../../functions/chargeback/exports/steps/write.ts';
import { variablesOf } from '../../local/lambda/variables.ts';
import type { FileFormat, Granularity } from '../../schemas/chargeback/focus.ts';
import { type IsolatedProcess, startIsolatedProcess } from '../support/isolatedProcess.ts';
import type { MeasuredService } from '../support/service.ts';
import type { exportBuckets } from './exportBuckets.ts';
import type { Peak } from './memoryGrowth.ts';

const Gathered = GatherInput.extend({ done: z.boolean() });
type Gathered = z.infer<typeof Gathered>;
const MergeOutput = z.object({ merge: z.string(), ranges: z.array(WriteInput) });

/** Duration, CPU time and memory of a step over all its invocations. */
interface StepMeasurement extends Peak {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Invokes one function sequentially in a separate process and measures it. */
const measureStep = async (
  open: () => Promise<IsolatedProcess>,
  work: (call: (event: object) => Promise<unknown>) => Promise<void>,
): Promise<StepMeasurement> => {
  const isolated = await open();
  const measured = {
    seconds: 0,
    cpuSeconds: 0,
    peakBytes: isolated.idleBytes,
    idleBytes: isolated.idleBytes,
  };
  try {
    await work(async (event) => {
      const { result, seconds, cpuSeconds, peakBytes } = await isolated.invoke(event);
      measured.seconds += seconds;
      measured.cpuSeconds += cpuSeconds;
      measured.peakBytes = peakBytes;
      return result;
    });
  } finally {
    isolated.stop();
  }
  return measured;
};

/**
 * Runs the steps of a finished export again, each in a separate process. Steps are repeatable, because the keys of their
 * output objects are derived from their input.
 */
export const exportSteps = (
  service: MeasuredService,
  work: ReturnType<typeof exportBuckets>['work'],
  driver: string,
) => {
  const functionOf = (prefix: string) => () => {
    const declaration = service.standaloneOf(prefix);
    return startIsolatedProcess(driver, declaration.file, {
      variables: variablesOf(declaration, {}),
      memoryMegabytes: declaration.memoryMiB,
    });
  };

  return {
    /**
     * Stores a copy of a plan, and of what the first step has stored for it, with another granularity and file format. Resolves
     * to its key and the plan.
     */
    planVariant: async (
      { planKey, plan }: { readonly planKey: string; readonly plan: ExecutionPlan },
      granularity: Granularity,
      file_format: FileFormat,
    ): Promise<{ readonly key: string; readonly plan: ExecutionPlan }> => {
      const { job } = plan;
      const variant: ExecutionPlan = {
        ...plan,
        job: {
          ...job,
          job_id: `${job.job_id}-${granularity}-${file_format}`,
          request: { ...job.request, granularity, file_format },
        },
      };
      const key = `${workPrefix(variant)}/plan-bench.json`;
      await writeWork(work, key, ExecutionPlan, variant);
      for (const part of await work.keysOf(`${planKey}.`))
        await work.put(key + part.slice(planKey.length), await work.get(part));
      return { key, plan: variant };
    },

    gather: (key: string, { partitions }: ExecutionPlan): Promise<StepMeasurement> =>
      measureStep(functionOf('WorkersExportGather'), async (call) => {
        for (const partition of partitions.keys()) {
          let state: Gathered = {
            plan: key,
            partition,
            parts: [],
            position: { shard: 0, after: null },
            done: false,
          };
          while (!state.done) state = Gathered.parse(await call(GatherInput.parse(state)));
        }
      }),

    /** Copies the aggregates of one plan to another plan of the same granularity. */
    copyAggregates: async (from: string, to: string, { partitions }: ExecutionPlan): Promise<void> => {
      for (const partition of partitions.keys()) {
        await work.put(aggregatedKey(to, partition), await work.get(aggregatedKey(from, partition)));
      }
    },

    /** Decides the suppression, then writes all files. Resolves to the measurement of the write step and to its files. */
    write: async (key: string) => {
      let merged: z.infer<typeof MergeOutput> = { merge: '', ranges: [] };
      await measureStep(functionOf('WorkersExportControl'), async (call) => {
        merged = MergeOutput.parse(await call({ step: 'merge', plan: key, execution: 'bench' }));
      });
      const measured = await measureStep(functionOf('WorkersExportWrite'), async (call) => {
        for (const range of merged.ranges) await call(range);
      });
      const files: { month: string; part: number; rows: number; bytes: number }[] = [];
      for (const index of merged.ranges.keys()) {
        const {
          month,
          first,
          files: rangeFiles,
        } = await readWork(work, writtenKey(merged.merge, index), WrittenRange);
        files.push(...rangeFiles.map(({ rows, bytes }, at) => ({ month, part: first + at, rows, bytes })));
      }
      return {
        measured,
        files,
        rows: files.reduce((sum, { rows }) => sum + rows, 0),
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
};
