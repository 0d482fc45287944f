import { setTimeout as wait } from 'node:timers/promises';
import { type Client, getJob } from '../../typescript/src/index.ts';
import { progressBar, type Terminal } from './terminal.ts';

export type AnyJob = Awaited<ReturnType<typeof getJob>>;

const POLL_MS = 1_000;
const RUNNING: ReadonlySet<AnyJob['status']> = new Set(['queued', 'running']);

/** Waits until a job has ended, in whatever state, and shows its progress. */
export const waitForJob = async (client: Client, jobId: string, terminal: Terminal): Promise<AnyJob> => {
  const { signal } = terminal;
  const bar = progressBar(terminal, 'Waiting');
  try {
    for (;;) {
      const job = await getJob(client, jobId, { signal });
      if (!RUNNING.has(job.status)) return job;
      if (job.progress !== null) bar.show(job.progress.done, job.progress.total);
      await wait(POLL_MS, undefined, { signal });
    }
  } finally {
    bar.end();
  }
};
