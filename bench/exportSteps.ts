import * as z from 'zod';
import type { WorkStore } from '../functions/exports/files/file.store.ts';
import { aggregatedKey, GatherInput } from '../functions/exports/steps/gather.ts';
import {
  ExecutionPlan,
  readWork,
  WrittenRange,
  workPrefix,
  writeWork,
} from '../functions/exports/steps/workDocuments.ts';
import { WriteInput, writtenKey } from '../functions/exports/steps/write.ts';
import { variablesOf } from '../local/lambda/variables.ts';
import type { FileFormat, Granularity } from '../schemas/focus.ts';
import { type IsolatedProcess, startIsolatedProcess } from './isolatedProcess.ts';
import type { Peak } from './memoryGrowth.ts';
import type { MeasuredService } from './service.ts';

const Gathered = GatherInput.extend({ done: z.boolean() });
const United = z.object({ united: z.string(), stretches: z.array(WriteInput) });

/** What a step took, over all its calls. */
interface StepMeasurement extends Peak {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Runs calls of one function one after the other in a process of its own. */
const measureStep = async (
  open: () => Promise<IsolatedProcess>,
  work: (call: (event: object) => Promise<unknown>) => Promise<void>,
): Promise<StepMeasurement> => {
  const own = await open();
  const taken = { seconds: 0, cpuSeconds: 0, peakBytes: own.idleBytes, idleBytes: own.idleBytes };
  try {
    await work(async (event) => {
      const { answer, seconds, cpuSeconds, peakBytes } = await own.invoke(event);
      taken.seconds += seconds;
      taken.cpuSeconds += cpuSeconds;
      taken.peakBytes = peakBytes;
      return answer;
    });
  } finally {
    own.stop();
  }
  return taken;
};

/**
 * The steps of exports that were made before, each again in a process of its own. They may be repeated: what a call leaves
 * is named by that call.
 */
export const exportSteps = (service: MeasuredService, work: WorkStore, driver: string) => {
  const functionOf = (prefix: string) => () => {
    const declaration = service.standaloneOf(prefix);
    return startIsolatedProcess(driver, declaration.file, {
      variables: variablesOf(declaration, {}),
      memoryMegabytes: declaration.memoryMiB,
    });
  };

  return {
    /** A plan like another for files of another kind; resolves to its key. */
    planLike: async (
      plan: ExecutionPlan,
      granularity: Granularity,
      file_format: FileFormat,
    ): Promise<{ readonly key: string; readonly plan: ExecutionPlan }> => {
      const { job } = plan;
      const like: ExecutionPlan = {
        ...plan,
        job: {
          ...job,
          job_id: `${job.job_id}-${granularity}-${file_format}`,
          request: { ...job.request, granularity, file_format },
        },
      };
      const key = `${workPrefix(like)}/plan-bench.json`;
      await writeWork(work, key, ExecutionPlan, like);
      return { key, plan: like };
    },

    gather: (key: string, { pieces }: ExecutionPlan): Promise<StepMeasurement> =>
      measureStep(functionOf('WorkersExportGather'), async (call) => {
        for (const piece of pieces.keys()) {
          let state = Gathered.parse({
            plan: key,
            piece,
            parts: [],
            place: { shard: 0, after: null },
            done: false,
          });
          while (!state.done) state = Gathered.parse(await call(GatherInput.parse(state)));
        }
      }),

    /** Lets one plan have what was gathered for another of the same grain. */
    share: async (from: string, to: string, { pieces }: ExecutionPlan): Promise<void> => {
      for (const piece of pieces.keys()) {
        await work.put(aggregatedKey(to, piece), await work.get(aggregatedKey(from, piece)));
      }
    },

    /** Decides the folding, then writes all files: what the writing took, and what was written. */
    write: async (key: string) => {
      let united = United.parse({ united: '', stretches: [] });
      await measureStep(functionOf('WorkersExportControl'), async (call) => {
        united = United.parse(await call({ step: 'unite', plan: key, execution: 'bench' }));
      });
      const taken = await measureStep(functionOf('WorkersExportWrite'), async (call) => {
        for (const stretch of united.stretches) await call(stretch);
      });
      const files: { month: string; part: number; rows: number; bytes: number }[] = [];
      for (const index of united.stretches.keys()) {
        const {
          month,
          first,
          files: own,
        } = await readWork(work, writtenKey(united.united, index), WrittenRange);
        files.push(...own.map(({ rows, bytes }, at) => ({ month, part: first + at, rows, bytes })));
      }
      return {
        taken,
        files,
        rows: files.reduce((sum, { rows }) => sum + rows, 0),
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
};
