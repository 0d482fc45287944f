import { isExhausted } from '../../platform/queue/failure.ts';
import { JobsQueueMessage } from '../wiring/jobsQueueMessage.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

/** Each is loaded on first use: most invocations need one of them. */
const jobRunner = () => import('../wiring/jobRunnerFromEnv.ts');
const tracePass = () => import('../wiring/tracePassFromEnv.ts');
const scheduledWork = () => import('../wiring/scheduledWorkFromEnv.ts');

/** When a message is set aside after a failure, no other message continues its job, so the job fails too. */
export const handler = queueWorker(['jobs'], {
  parse: (record) => ({ record, message: JobsQueueMessage.parse(JSON.parse(record.body)) }),
  handle: async ([{ record, message }]) => {
    if ('job_id' in message) {
      const { runJob } = await jobRunner();
      await runJob(message, (error) => isExhausted(record, error));
    } else if ('trace_id' in message) {
      const { runTracePass } = await tracePass();
      await runTracePass(message);
    } else {
      const { doScheduledWork } = await scheduledWork();
      await doScheduledWork(message);
    }
    return [];
  },
});
