import { bucketNames } from '../../../../schemas/platform/buckets.ts';
import { queueNames } from '../../../../schemas/platform/queues.ts';
import { variableOf } from '../../../../schemas/platform/resourceVariables.ts';
import { tableNames } from '../../../../schemas/platform/tables.ts';
import { ROLLUPS_DELAY_SECONDS, SQS_URL } from './constants.ts';

// Import this file first: functions read their environment when they are loaded.
Object.assign(process.env, {
  BASE_URL: 'https://api.example.com',
  ENVIRONMENT: 'local',
  PUBLIC_CONTRACT: 'true',
  ROLLUPS_DELAY_SECONDS: String(ROLLUPS_DELAY_SECONDS),
  SOURCE_ACCEPTED: 'arn:aws:sqs:us-east-1:000000000000:accepted',
  [variableOf('key', 'endpoint')]: 'arn:aws:kms:us-east-1:000000000000:key/endpoint',
  [variableOf('stateMachine', 'exports')]: 'arn:aws:states:us-east-1:000000000000:stateMachine:exports',
});
for (const name of bucketNames) process.env[variableOf('bucket', name)] = name;
for (const name of tableNames) process.env[variableOf('table', name)] = name;
for (const name of queueNames) {
  process.env[variableOf('queue', name)] = `${SQS_URL}${name}`;
  process.env[variableOf('queue', `${name}DeadLetter`)] = `${SQS_URL}${name}DeadLetter`;
}

/** Functions hold on to `Date.now` when they are loaded. This one follows a `Date` that a test puts in place later. */
const RealDate = Date;
const realNow = Date.now.bind(Date);
RealDate.now = () => (globalThis.Date === RealDate ? realNow() : globalThis.Date.now());
