import { EXPORT_HOURS_MAXIMUM } from '../../schemas/chargeback/exports.ts';

/** ARNs of the functions that run the steps of an export. */
export interface ExportFunctions {
  readonly control: string;
  readonly gather: string;
  readonly write: string;
}

/** Ranges written in parallel. */
const WRITE_CONCURRENCY = 4;

/** Permanent errors are not retried. All others are retried for about half a minute. */
const RETRY = [
  { ErrorEquals: ['ExportTooLarge', 'ExportInconsistent'], MaxAttempts: 0 },
  { ErrorEquals: ['States.ALL'], IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 4, JitterStrategy: 'FULL' },
];

/** The failure of an export must be recorded even when its table is unavailable for an hour. */
const LONG_RETRY = [
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 12,
    MaxDelaySeconds: 600,
    JitterStrategy: 'FULL',
  },
];

const CATCH = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Fail' }];

/** The export of an execution, and the execution's own id. Only one execution may work on an export. */
const NAME = { 'tenant_id.$': '$.tenant_id', 'job_id.$': '$.job_id' };
const EXECUTION = { 'execution.$': '$$.Execution.Id' };

/**
 * The steps of a FOCUS export (Amazon States Language, JSONPath). States pass only keys of objects in the work bucket,
 * about 250 bytes for each of at most 400 partitions.
 *
 *   Begin ─► Gather partitions ─► Merge ─► Write ranges ─► Finish
 *     │       └ each call resumes where the last one stopped
 *     └─► (nothing to do)                      any failure ─► Fail
 */
export const buildDefinition = ({ control, gather, write }: ExportFunctions, gatherConcurrency: number) => ({
  Comment: 'Creates the files of a FOCUS export',
  TimeoutSeconds: EXPORT_HOURS_MAXIMUM * 60 * 60,
  StartAt: 'Begin',
  States: {
    Begin: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'begin', ...NAME, ...EXECUTION },
      ResultPath: '$.begin',
      Retry: RETRY,
      Catch: CATCH,
      Next: 'Is it claimed?',
    },
    'Is it claimed?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.begin.claimed', BooleanEquals: true, Next: 'Gather partitions' }],
      Default: 'Nothing to do',
    },
    'Nothing to do': { Type: 'Succeed' },
    'Gather partitions': {
      Type: 'Map',
      ItemsPath: '$.begin.partitions',
      MaxConcurrency: gatherConcurrency,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'Gather',
        States: {
          Gather: { Type: 'Task', Resource: gather, Retry: RETRY, Next: 'Is it gathered?' },
          'Is it gathered?': {
            Type: 'Choice',
            Choices: [{ Variable: '$.done', BooleanEquals: true, Next: 'Gathered' }],
            Default: 'Gather',
          },
          // The merge step finds the output by the partition number, so the result is dropped.
          Gathered: { Type: 'Pass', Result: {}, End: true },
        },
      },
      ResultPath: null,
      Catch: CATCH,
      Next: 'Merge',
    },
    Merge: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'merge', 'plan.$': '$.begin.plan', ...EXECUTION },
      ResultPath: '$.merge',
      Retry: RETRY,
      Catch: CATCH,
      Next: 'Write ranges',
    },
    'Write ranges': {
      Type: 'Map',
      ItemsPath: '$.merge.ranges',
      MaxConcurrency: WRITE_CONCURRENCY,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'Write',
        States: { Write: { Type: 'Task', Resource: write, Retry: RETRY, End: true } },
      },
      ResultPath: null,
      Catch: CATCH,
      Next: 'Finish',
    },
    Finish: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'finish', 'merge.$': '$.merge.merge', ...EXECUTION },
      ResultPath: null,
      Retry: RETRY,
      Catch: CATCH,
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
    Fail: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'fail', ...NAME, ...EXECUTION, 'error.$': '$.failure.Error' },
      ResultPath: '$.failed',
      Retry: LONG_RETRY,
      Next: 'Is it an internal failure?',
    },
    'Is it an internal failure?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.failed.reason', StringEquals: 'too_large', Next: 'Rejected' }],
      Default: 'Failed',
    },
    Rejected: { Type: 'Succeed' },
    Failed: {
      Type: 'Fail',
      Error: 'ExportFailed',
      Cause: 'The export failed. See the function logs for the cause.',
    },
  },
});
