import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Need, needs, variableOf } from '../../schemas/platform/resources.ts';
import type { WorkerShape } from '../../schemas/platform/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { needsOfUnit } from '../../schemas/routes/index.ts';
import { units } from '../../schemas/routes/route.ts';

/**
 * The permissions that functions used in the tests over the whole service, as `function action resource`. To renew it after
 * a change of needs:
 *
 *   RECORD_PERMISSIONS=/tmp/used npx vitest run test/e2e test/routes.test.ts test/sdk test/contract/fuzz.test.ts
 *   sort -u /tmp/used > test/infra/used-permissions.txt
 */
const recorded = readFileSync(new URL('used-permissions.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);
const used = new Set(recorded);

/** Actions of needs that those tests do not reach, by the reason. */
const NOT_REACHED: Readonly<Record<string, readonly string[]>> = {
  'The schedule runs every hour, and no test over the service waits for it. Tests of its domains use the stores.':
    [
      'anomalies.detect dynamodb:GetItem',
      'anomalies.detect dynamodb:PutItem',
      'anomalies.detect dynamodb:Query',
      'exportRuns.manage states:DescribeExecution',
      'exportRuns.manage states:StartExecution',
      'exportRuns.manage states:StopExecution',
      'exports.manage dynamodb:DeleteItem',
      'exports.manage dynamodb:GetItem',
      'exports.manage dynamodb:PutItem',
      'exports.manage dynamodb:Query',
      'jobs.write dynamodb:Query',
      'marks.complete dynamodb:PutItem',
      'marks.complete dynamodb:Query',
      'tenants.list dynamodb:Scan',
    ],
  'All queues share the code that returns and sets aside failed messages, and the tests reach it on `accepted`.':
    [
      'deliveries.retry sqs:ChangeMessageVisibility',
      'deliveries.setAside sqs:SendMessage',
      'events.retry sqs:ChangeMessageVisibility',
      'events.setAside sqs:SendMessage',
      'ingestion.retry sqs:ChangeMessageVisibility',
      'jobs.retry sqs:ChangeMessageVisibility',
      'jobs.setAside sqs:SendMessage',
      'notifications.retry sqs:ChangeMessageVisibility',
      'notifications.setAside sqs:SendMessage',
      'rollups.retry sqs:ChangeMessageVisibility',
      'rollups.setAside sqs:SendMessage',
    ],
  'Only after a failure, a lost race or a loss of quality.': [
    'deliveries.attempt dynamodb:GetItem',
    'events.send sqs:SendMessage',
    'exports.deliver s3:AbortMultipartUpload',
    'models.degrade dynamodb:PutItem',
    'rollups.check sqs:SendMessage',
  ],
  'No test over the whole service delivers an event of a record. Tests of webhooks do.': [
    'ledger.readVersions dynamodb:BatchGetItem',
  ],
  'Without it, S3 answers 403 instead of 404 for a file that does not exist.': ['archive.read s3:ListBucket'],
};
const notReached = Object.values(NOT_REACHED).flat();

const holdersOf = (need: Need): string[] => [
  ...units.filter((unit) => needsOfUnit(unit).includes(need)),
  ...workerNames
    .filter((name) => (workers[name] satisfies WorkerShape).needs.some((own) => own === need))
    .map((name) => `${name}.worker`),
];

const resourceOf = (need: Need): string => {
  const access = needs[need];
  const variable =
    'table' in access
      ? variableOf('table', access.table)
      : 'queue' in access
        ? variableOf('queue', access.queue)
        : 'bucket' in access
          ? variableOf('bucket', access.bucket)
          : 'key' in access
            ? variableOf('key', access.key)
            : variableOf('stateMachine', access.stateMachine);
  return variable.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
};

const granted = Object.keys(needs)
  .filter((name): name is Need => name in needs)
  .flatMap((need) => needs[need].actions.map((action) => ({ need, action, name: `${need} ${action}` })));

const isUsed = ({ need, action }: { readonly need: Need; readonly action: string }): boolean =>
  holdersOf(need).some((holder) => used.has(`${holder} ${action} ${resourceOf(need)}`));

it.each(granted.filter(({ name }) => !notReached.includes(name)))(
  'uses the granted action $name',
  (grant) => {
    expect(isUsed(grant)).toBe(true);
  },
);

it('lists as not reached only actions that are granted and were not used', () => {
  const unused = granted.filter((grant) => !isUsed(grant)).map(({ name }) => name);

  expect(notReached.filter((name) => !unused.includes(name))).toEqual([]);
});

it('fails for an action that no function uses', () => {
  expect(isUsed({ need: 'ledger.read', action: 'dynamodb:DeleteTable' })).toBe(false);
});
