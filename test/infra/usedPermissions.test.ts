import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { needs } from '../../schemas/platform/resources.ts';
import { variableOf, variablesOfNeed } from '../../schemas/platform/resourceVariables.ts';
import { type DeployedFunction, deadLettersOf, deployedFunctions, outputOf, statementsOf } from './roles.ts';
import { templateOf } from './stack.ts';

/**
 * The permissions that functions used in the tests over the whole service, as `function action resource`. To renew it after
 * a change of needs:
 *
 *   RECORD_PERMISSIONS=/tmp/used npx vitest run test/e2e test/routes.test.ts test/sdk
 *   sort -u /tmp/used > test/infra/used-permissions.txt
 */
const recorded = readFileSync(new URL('used-permissions.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);
const used = new Set(recorded);

/** Actions of needs that those tests do not reach in any function, by the reason. */
const NOT_REACHED: Readonly<Record<string, readonly string[]>> = {
  'One test over the service runs the schedule, without an anomaly, a due export or report, own nodes or a lost mark. Tests of the domains use the stores.':
    [
      'anomalies.detect dynamodb:Query',
      'exportRuns.manage states:DescribeExecution',
      'exportRuns.manage states:StartExecution',
      'exportRuns.manage states:StopExecution',
      'exports.manage dynamodb:DeleteItem',
      'exports.manage dynamodb:PutItem',
      'ledger.unlist dynamodb:DeleteItem',
      'nodeHours.write dynamodb:PutItem',
      'reportMessages.add dynamodb:PutItem',
      'reportMessages.mail sqs:SendMessage',
      'reportMessages.post sqs:SendMessage',
    ],
  'The worker would wait for minutes until running work has ended. `sandboxReset` deletes real rows by its code, with an own clock.':
    [
      'sandbox.eraseObjects s3:DeleteObject',
      'sandbox.eraseObjects s3:ListBucket',
      'sandbox.eraseRows dynamodb:BatchWriteItem',
      'sandbox.eraseRows dynamodb:Scan',
    ],
  'Only after a failure, a lost race or a loss of quality.': [
    'deliveries.attempt dynamodb:GetItem',
    'events.send sqs:SendMessage',
    'exportWork.readWrite s3:AbortMultipartUpload',
    'exports.deliver s3:AbortMultipartUpload',
    'periods.copy dynamodb:DeleteItem',
  ],
  'Without it, S3 answers 403 instead of 404 for a file that does not exist.': ['archive.read s3:ListBucket'],
};
const notReached = Object.values(NOT_REACHED).flat();

// Production has no function that deletes data of tenants.
const template = templateOf({
  environment: 'local',
  notificationSender: 'notifications@attribution.example',
});
const functions = deployedFunctions(template);
const statementsOfRole = statementsOf(template);

/** What Lambda and the code of all queues do with the role of a function: logs, polling, and what they give up. */
const byLambda = ({ sources, streams }: DeployedFunction): string[] => [
  'logs:PutLogEvents OwnLogs',
  ...deadLettersOf(sources).map((variable) => `sqs:SendMessage ${outputOf(variable)}`),
  ...sources.map((source) => `sqs:ReceiveMessage ${outputOf(variableOf('queue', source))}`),
  ...streams.flatMap(({ table, failureQueue }) => [
    `dynamodb:GetRecords ${outputOf(variableOf('table', table))}`,
    `sqs:SendMessage ${outputOf(variableOf('queue', `${failureQueue}DeadLetter`))}`,
  ]),
];

/** Uses of single functions that the recorded tests do not reach, by the reason. */
const NOT_REACHED_BY: Readonly<Record<string, readonly string[]>> = {
  'Only after a failure, a lost race, a repeat or a disabled endpoint.': [
    'attribution.worker dynamodb:PutItem TableModels',
    'attribution.worker dynamodb:PutItem TableOutbox',
    'deliver.worker dynamodb:PutItem TableOutbox',
    'ingestBatches dynamodb:DeleteItem TableIdempotency',
    'jobs.worker dynamodb:PutItem TableOutbox',
    'publish.worker dynamodb:GetItem TableOutbox',
  ],
  'Only at a failed authentication, or after one from the same address.': [
    'oauth dynamodb:UpdateItem TableLimits',
    'reference dynamodb:GetItem TableLimits',
  ],
  'Only for a schedule, a due or open export, a change of coverage, a forecast that reaches its threshold, or a day whose rows expire soon.':
    [
      'jobs.worker dynamodb:DeleteItem TableLedger',
      'jobs.worker dynamodb:GetItem TableAccess',
      'jobs.worker dynamodb:GetItem TableRollups',
      'jobs.worker dynamodb:PutItem TableBudgets',
      'jobs.worker dynamodb:PutItem TableCoverage',
      'jobs.worker dynamodb:Query TableAnomalies',
      'jobs.worker states:StartExecution StateMachineExports',
    ],
  'Only when a connector or source changes its state, or a period is closed.': [
    'reconciliation dynamodb:PutItem TableOutbox',
    'signals dynamodb:GetItem TableCoverage',
    'signals dynamodb:PutItem TableOutbox',
  ],
  'Only for a period whose totals are older than its records.': [
    'rollups.worker dynamodb:PutItem TableCounters',
  ],
  'Only for a run that is out of time. `doubleDelivery` reaches it.': [
    'rollups.worker dynamodb:UpdateItem TableCounters',
  ],
  'Only for a call whose day was closed.': [
    'attribution.worker s3:GetObject BucketArchive',
    'mappings s3:GetObject BucketArchive',
  ],
  'Only for a trace of which more than 100 records change at once, or whose spans leave it. largeTraces.test.ts has such traces.':
    [
      'attribution.worker dynamodb:DeleteItem TableTraces',
      'attribution.worker dynamodb:GetItem TableTraces',
      'attribution.worker sqs:SendMessage QueueJobs',
      'jobs.worker dynamodb:BatchGetItem TableTraces',
      'jobs.worker dynamodb:BatchWriteItem TableTraces',
      'jobs.worker dynamodb:DeleteItem TableTraces',
      'jobs.worker dynamodb:GetItem TableTraces',
      'jobs.worker dynamodb:PartiQLInsert TableTraces',
      'jobs.worker dynamodb:PutItem TableTraces',
      'jobs.worker dynamodb:Query TableTraces',
      'jobs.worker dynamodb:UpdateItem TableTraces',
    ],
  'No test over the whole service allocates a day, whose sums lie in an object. allocationJob.test.ts does.':
    ['jobs.worker s3:GetObject BucketExportWork', 'jobs.worker s3:PutObject BucketExportWork'],
  'Buckets of one machine have no roles. assumeRole.test.ts assumes one.': [
    'exportDelivery.worker sts:AssumeRole CustomerRoleExportDelivery',
  ],
  'No test over the whole service publishes an event of a record again. Tests of webhooks do.': [
    'publish.worker dynamodb:BatchGetItem TableLedger',
  ],
};
const explained = Object.values(NOT_REACHED_BY).flat();

/**
 * They run by the clock only, and no test over the whole service waits for it. Tests of their domains use the stores, and one
 * runs the imports of bills.
 */
const SCHEDULED = ['sandbox.worker', 'billImports.worker'];

/** The grants of a function, as `need action` and as `function action resource`. */
const grantsOf = ({ name, granted }: DeployedFunction) =>
  granted.flatMap((need) =>
    variablesOfNeed(need).flatMap((variable) =>
      needs[need].actions.map((action) => ({
        need: `${need} ${action}`,
        use: `${name} ${action} ${outputOf(variable)}`,
      })),
    ),
  );
const grants = functions.flatMap(grantsOf);
const usedNeeds = new Set(grants.filter(({ use }) => used.has(use)).map(({ need }) => need));

describe.each(functions)('the role of $name', (declared) => {
  const statements = statementsOfRole(declared.id);
  const prefix = `${declared.name} `;
  const uses = [
    ...[...recorded, ...explained]
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length)),
    ...byLambda(declared),
  ];

  it.skipIf(SCHEDULED.includes(declared.name))(
    'has for each statement a use that no other statement allows',
    () => {
      const removable = statements.filter((statement) => {
        const others = new Set(statements.filter((other) => other !== statement).flat());
        return !uses.some((use) => statement.includes(use) && !others.has(use));
      });

      expect(removable).toEqual([]);
    },
  );

  it('grants no action that the function does not use', () => {
    const isUsed = ({ need, use }: { readonly need: string; readonly use: string }): boolean =>
      used.has(use) || (SCHEDULED.includes(declared.name) && usedNeeds.has(need));
    const unused = grantsOf(declared).filter((grant) => !isUsed(grant));

    expect(unused.filter(({ need, use }) => !notReached.includes(need) && !explained.includes(use))).toEqual(
      [],
    );
  });

  it('allows every use', () => {
    const allowed = new Set(statements.flat());

    expect(uses.filter((use) => !allowed.has(use))).toEqual([]);
  });
});

it('lists as not reached only actions that are granted and were not used', () => {
  const unused = new Set(grants.map(({ need }) => need).filter((need) => !usedNeeds.has(need)));
  const uses = new Set([
    ...grants.map(({ use }) => use),
    ...functions.flatMap((one) => byLambda(one).map((use) => `${one.name} ${use}`)),
  ]);

  expect(notReached.filter((need) => !unused.has(need))).toEqual([]);
  expect(explained.filter((use) => used.has(use) || !uses.has(use))).toEqual([]);
});
