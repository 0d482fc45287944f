import { getJob, type JobPage, listJobs } from '../../../typescript/src/index.ts';
import type { Call, Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { documentLines } from '../documentLines.ts';
import { CommandFailed, UsageError } from '../faults.ts';
import type { Column } from '../table.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { type AnyJob, waitForJob } from '../waitForJob.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

type ListedJob = JobPage['data'][number];

const TYPES = valuesOf<ListedJob['type']>({
  focus_export: true,
  training: true,
  reprocessing: true,
  allocation: true,
  node_hours: true,
  archive: true,
  sandbox_reset: true,
});

const typeOf = ({ option }: Call): ListedJob['type'] | undefined => {
  const text = option('type');
  const type = TYPES.find((known) => known === text);
  if (text !== undefined && type === undefined)
    throw new UsageError(`--type must be one of ${TYPES.join(', ')}: ${text}`);
  return type;
};

const progressOf = ({ progress }: ListedJob): string | null => {
  if (progress === null) return null;
  return progress.total === 0 ? String(progress.done) : `${progress.done} of ${progress.total}`;
};

const columns: readonly Column<ListedJob>[] = [
  { title: 'ID', value: ({ job_id }) => job_id },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'CREATED', value: ({ created_at }) => created_at },
  { title: 'FINISHED', value: ({ finished_at }) => finished_at, absent: '-' },
  { title: 'PROGRESS', value: progressOf, absent: '-' },
  { title: 'ERROR', value: ({ error }) => error?.reason, absent: '-' },
];

export const jobs: Command = {
  name: 'jobs',
  summary: 'List exports, trainings, reprocessing and other jobs, newest first',
  options: {
    type: { placeholder: 'TYPE', help: 'Only jobs of this type', values: TYPES },
    ...pageOptions,
  },
  run: (call) => {
    const type = typeOf(call);
    return printCollection<ListedJob, JobPage>(
      call,
      listJobs(
        call.client(),
        { ...pageQuery(call), ...(type !== undefined && { type }) },
        {
          signal: call.terminal.signal,
        },
      ),
      () => columns,
      'There is no job of the last 90 days.',
    );
  },
};

const print = async ({ terminal, flag }: Call, job: AnyJob): Promise<void> => {
  if (flag('json')) return writeJson(terminal, job);
  for (const line of documentLines(job)) await writeLine(terminal, line);
};

export const jobsGet: Command = {
  name: 'jobs get',
  summary: 'Show the state, progress and result of one job',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) =>
    print(call, await getJob(call.client(), call.argument, { signal: call.terminal.signal })),
};

export const jobsWait: Command = {
  name: 'jobs wait',
  summary: 'Wait until a job has ended, and fail unless it succeeded',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) => {
    const job = await waitForJob(call.client(), call.argument, call.terminal);
    await print(call, job);
    if (job.status !== 'succeeded') throw new CommandFailed(`The job ${job.job_id} is ${job.status}.`);
  },
};
