import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { Job } from '../../../schemas/jobs.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/time/clock.ts';
import { toIso } from '../shared/time/toIso.ts';
import type { JobMessage, JobQueue, JobStore } from './job.store.ts';
import { isFinished, markFailed, markSucceeded } from './job.ts';

/** A job after one step, and whether it is complete. */
export interface StepResult<J extends Job> {
  readonly job: J;
  readonly isDone: boolean;
}

/** Runs one bounded step of a job. Must be idempotent, because it runs again from the same job after a crash. */
export type Stepper<J extends Job = Job> = (job: J) => Promise<StepResult<J>>;

/** How long one message runs a job before it queues the next message: well within the function's timeout. */
const TIME_SLICE_MS = MINUTE_MS;

/**
 * Runs a job for one time slice. Each step is saved before the next one starts. A worker that takes a job over fences the
 * previous worker: its next save fails, and it stops. Both may have run the same step, which counts once. When the last
 * attempt of a message fails (`isLast` of its error), the job is marked as failed. Rethrows the error of a step.
 */
export const jobRunner =
  (deps: {
    readonly jobs: JobStore;
    readonly queue: JobQueue;
    readonly stepperOf: (job: Job) => Promise<Stepper>;
    readonly clock: Clock;
    /** Returns a unique name for the worker. */
    readonly newClaim: () => string;
  }) =>
  async (message: JobMessage, isLast: (error: unknown) => boolean = () => false): Promise<void> => {
    const { jobs, queue, stepperOf, clock, newClaim } = deps;
    const found = await jobs.read(message);
    if (found === null || isFinished(found.document)) return;
    const claim = newClaim();
    let revision: Revision = { claim, attempt: 1 };
    const isFirst = found.document.status === 'queued';
    let job: Job = {
      ...found.document,
      status: 'running',
      // The service and who asked for the job may have other clocks, and the job may have waited.
      as_of: isFirst ? toIso(clock()) : found.document.as_of,
    };
    const nextRevision = (): Revision => ({ claim, attempt: revision.attempt + 1 });
    if (!(await jobs.save(job, found.revision, revision))) return;

    try {
      const step = await stepperOf(job);
      const deadline = clock() + TIME_SLICE_MS;
      for (;;) {
        const { job: advanced, isDone } = await step(job);
        job = isDone ? markSucceeded(advanced, clock()) : advanced;
        const saved = nextRevision();
        if (!(await jobs.save(job, revision, saved))) return;
        revision = saved;
        if (isDone) return;
        if (clock() >= deadline) return await queue.send(message);
      }
    } catch (error) {
      // No further message will continue the job, so it must not stay `running`. Its completed steps keep their effect.
      if (isLast(error)) await jobs.save(markFailed(job, clock()), revision, nextRevision());
      throw error;
    }
  };
