import { EXPORT_HOURS_MAXIMUM } from '../../schemas/exports.ts';

/** The functions that the steps of an export run in, by their ARNs. */
export interface ExportFunctions {
  readonly control: string;
  readonly gather: string;
  readonly write: string;
}

/** Pieces gathered at once: each reads some thousand records a second, beside whatever else reads the ledger. */
const AGGREGATE_CONCURRENCY = 8;
/** Stretches written at once. */
const WRITE_CONCURRENCY = 4;

/** What no further try would change, and what every other failure gets: about half a minute in all. */
const RETRY = [
  { ErrorEquals: ['ExportTooLarge', 'ExportInconsistent'], MaxAttempts: 0 },
  { ErrorEquals: ['States.ALL'], IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 4, JitterStrategy: 'FULL' },
];

/** The end of an export must be told of even where its table is down for an hour. */
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

/** Which export an execution is about, and which execution it is: only one may work on it. */
const NAME = { 'tenant_id.$': '$.tenant_id', 'job_id.$': '$.job_id' };
const EXECUTION = { 'execution.$': '$$.Execution.Id' };

/**
 * The steps of a FOCUS export (Amazon States Language, JSONPath). Only names of what lies in the bucket go from state to
 * state, some 250 bytes for each of at most 400 pieces.
 *
 *   Begin ─► Gather pieces ─► Unite ─► Write stretches ─► Finish
 *     │       └ each goes on where its last call stopped
 *     └─► (nothing to do)                    any failure ─► Fail
 */
export const buildDefinition = ({ control, gather, write }: ExportFunctions) => ({
  Comment: 'Makes the files of a FOCUS export',
  TimeoutSeconds: EXPORT_HOURS_MAXIMUM * 60 * 60,
  StartAt: 'Begin',
  States: {
    Begin: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'begin', ...NAME, ...EXECUTION },
      ResultPath: '$.begun',
      Retry: RETRY,
      Catch: CATCH,
      Next: 'Is it ours?',
    },
    'Is it ours?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.begun.claimed', BooleanEquals: true, Next: 'Gather pieces' }],
      Default: 'Nothing to do',
    },
    'Nothing to do': { Type: 'Succeed' },
    'Gather pieces': {
      Type: 'Map',
      ItemsPath: '$.begun.pieces',
      MaxConcurrency: AGGREGATE_CONCURRENCY,
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
          // What was gathered is found by the number of its piece.
          Gathered: { Type: 'Pass', Result: {}, End: true },
        },
      },
      ResultPath: null,
      Catch: CATCH,
      Next: 'Unite',
    },
    Unite: {
      Type: 'Task',
      Resource: control,
      Parameters: { step: 'unite', 'plan.$': '$.begun.plan', ...EXECUTION },
      ResultPath: '$.united',
      Retry: RETRY,
      Catch: CATCH,
      Next: 'Write stretches',
    },
    'Write stretches': {
      Type: 'Map',
      ItemsPath: '$.united.stretches',
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
      Parameters: { step: 'finish', 'united.$': '$.united.united', ...EXECUTION },
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
      Next: 'Is it our fault?',
    },
    'Is it our fault?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.failed.reason', StringEquals: 'too_large', Next: 'Refused' }],
      Default: 'Failed',
    },
    Refused: { Type: 'Succeed' },
    Failed: { Type: 'Fail', Error: 'ExportFailed', Cause: 'The export failed; its log says why.' },
  },
});
