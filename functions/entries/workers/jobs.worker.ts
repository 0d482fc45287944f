import { isExhausted } from '../../platform/queue/failure.ts';
import { queueHandler } from '../../platform/queue/queueHandler.ts';
import { failuresOf } from '../wiring/failuresOf.ts';
import { JobsQueueMessage } from '../wiring/jobsQueueMessage.ts';

/** Each is loaded on first use: most invocations need one of the two. */
const jobRunner = () => import('../wiring/jobRunnerFromEnv.ts');
const scheduledWork = () => import('../wiring/scheduledWorkFromEnv.ts');

/** When a message is set aside after a failure, no other message continues its job, so the job fails too. */
export const handler = queueHandler(
  (record) => ({ record, message: JobsQueueMessage.parse(JSON.parse(record.body)) }),
  async ({ record, message }) => {
    if ('job_id' in message) {
      const { runJob } = await jobRunner();
      return runJob(message, (error) => isExhausted(record, error));
    }
    const { doScheduledWork } = await scheduledWork();
    return doScheduledWork(message);
  },
  failuresOf('jobs'),
);
