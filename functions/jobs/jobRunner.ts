import type { Job } from '../../schemas/jobs.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import type { JobMessage, JobQueue, JobStore } from './job.store.ts';
import { isFinished, markFailed, markSucceeded } from './job.ts';

/** A job after one step, and whether it is through. */
export interface StepResult<J extends Job> {
  readonly job: J;
  readonly isDone: boolean;
}

/** Goes one bounded step further. May be run again from the same job after a crash: what it did stays done. */
export type Stepper<J extends Job = Job> = (job: J) => Promise<StepResult<J>>;

/** How long one message works on a job before it hands over to the next, in milliseconds: well within the time-out. */
const TIME_SLICE_MILLISECONDS = 60_000;

/**
 * Works on a job for a while: step by step, each saved before the next. Taking a job over fences whoever held it, so
 * that of two messages about one job only the later goes on; what both did in between is the same and counts once.
 * A job whose last try fails is marked so.
 */
export const jobRunner =
  (deps: {
    readonly jobs: JobStore;
    readonly queue: JobQueue;
    readonly stepperOf: (job: Job) => Promise<Stepper>;
    readonly clock: Clock;
    /** Names whoever works on a job, uniquely. */
    readonly newClaim: () => string;
  }) =>
  async (message: JobMessage, isLastAttempt = false): Promise<void> => {
    const { jobs, queue, stepperOf, clock, newClaim } = deps;
    const found = await jobs.read(message);
    if (found === null || isFinished(found.document)) return;
    const claim = newClaim();
    let revision: Revision = { claim, attempt: 1 };
    let job: Job = { ...found.document, status: 'running' };
    const next = (): Revision => ({ claim, attempt: revision.attempt + 1 });
    if (!(await jobs.save(job, found.revision, revision))) return;

    try {
      const step = await stepperOf(job);
      const deadline = clock() + TIME_SLICE_MILLISECONDS;
      for (;;) {
        const { job: further, isDone } = await step(job);
        job = isDone ? markSucceeded(further, clock()) : further;
        const nextRevision = next();
        if (!(await jobs.save(job, revision, nextRevision))) return;
        revision = nextRevision;
        if (isDone) return;
        if (clock() >= deadline) return await queue.send(message);
      }
    } catch (error) {
      // Nobody else will go on with it: it ends, so that nobody waits for it for ever. What it did stays done.
      if (isLastAttempt) await jobs.save(markFailed(job, clock()), revision, next());
      throw error;
    }
  };
