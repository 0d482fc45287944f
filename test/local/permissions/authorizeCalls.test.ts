import { describe, expect, it } from 'vitest';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { authorizeCalls, type Role, type UsedPermission } from '../../../local/permissions/authorizeCalls.ts';
import { isAllowed, type Statement } from '../../../local/permissions/policy.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/ledger';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:accepted';
const QUEUE_URL = 'http://127.0.0.1:9324/000000000000/accepted';
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/1234';
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:exports';
const EXECUTION = 'arn:aws:states:us-east-1:000000000000:execution:exports:one';

const allow = (action: string, resource: string): Statement => ({
  effect: 'Allow',
  actions: [action],
  resources: [resource],
});
const roleWith = (...statements: Statement[]): Role => ({
  session: 'Role/function',
  statements,
  queues: { [QUEUE_URL]: QUEUE },
  keys: { 1234: KEY },
  region: 'us-east-1',
  account: '000000000000',
});

/** The error of a call, and the permissions that it used. */
const call = (role: Role, service: string, operation: string, input: object) => {
  const used: UsedPermission[] = [];
  const request: AwsRequest = { service, operation, input };
  authorizeCalls(role, (permission) => used.push(permission))(request);
  return { refusal: request.refusal, used };
};

describe('a call', () => {
  it.each([
    ['dynamodb', 'PutItem', { TableName: 'ledger' }, 'dynamodb:PutItem', TABLE],
    [
      'dynamodb',
      'Query',
      { TableName: 'ledger', IndexName: 'byCost' },
      'dynamodb:Query',
      `${TABLE}/index/byCost`,
    ],
    [
      'dynamodb',
      'BatchExecuteStatement',
      { Statements: [{ Statement: `INSERT INTO "ledger" VALUE {'pk': ?}` }] },
      'dynamodb:PartiQLInsert',
      TABLE,
    ],
    ['dynamodb', 'BatchGetItem', { RequestItems: { ledger: {} } }, 'dynamodb:BatchGetItem', TABLE],
    [
      'dynamodb',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'ledger' } }] },
      'dynamodb:PutItem',
      TABLE,
    ],
    [
      'dynamodb',
      'TransactWriteItems',
      { TransactItems: [{ ConditionCheck: { TableName: 'ledger' } }] },
      'dynamodb:ConditionCheckItem',
      TABLE,
    ],
    ['sqs', 'SendMessageBatch', { QueueUrl: QUEUE_URL }, 'sqs:SendMessage', QUEUE],
    ['s3', 'GetObject', { Bucket: 'exports', Key: 'a/b' }, 's3:GetObject', 'arn:aws:s3:::exports/*'],
    ['s3', 'UploadPart', { Bucket: 'exports', Key: 'a/b' }, 's3:PutObject', 'arn:aws:s3:::exports/*'],
    ['s3', 'GetBucketLocation', { Bucket: 'exports' }, 's3:GetBucketLocation', 'arn:aws:s3:::exports'],
    ['s3', 'ListObjectsV2', { Bucket: 'archive', Prefix: 'a/' }, 's3:ListBucket', 'arn:aws:s3:::archive'],
    [
      's3',
      'DeleteObjects',
      { Bucket: 'archive', Delete: { Objects: [{ Key: 'a/b' }] } },
      's3:DeleteObject',
      'arn:aws:s3:::archive/*',
    ],
    ['kms', 'Sign', { KeyId: '1234' }, 'kms:Sign', KEY],
    ['sfn', 'StartExecution', { stateMachineArn: MACHINE }, 'states:StartExecution', MACHINE],
    [
      'sfn',
      'StopExecution',
      { executionArn: EXECUTION },
      'states:StopExecution',
      'arn:aws:states:us-east-1:000000000000:execution:exports:*',
    ],
    [
      'ses',
      'SendEmail',
      { FromEmailAddress: 'a@b.example', Content: { Raw: {} } },
      'ses:SendRawEmail',
      'arn:aws:ses:us-east-1:000000000000:identity/a@b.example',
    ],
  ])('of %s %s needs its action on its resource', (service, operation, input, action, resource) => {
    const permitted = call(roleWith(allow(action, resource)), service, operation, input);
    const denied = call(roleWith(allow(action, 'arn:aws:s3:::other')), service, operation, input);

    expect(permitted).toEqual({ used: [{ action, resource, isAllowed: true }] });
    expect(denied.refusal).toMatchObject({ name: 'AccessDeniedException', $fault: 'client' });
    expect(denied.refusal?.message).toContain(`is not authorized to perform: ${action} on resource:`);
  });

  it('needs the permission of every item of a transaction', () => {
    const { refusal } = call(roleWith(allow('dynamodb:PutItem', TABLE)), 'dynamodb', 'TransactWriteItems', {
      TransactItems: [{ Put: { TableName: 'ledger' } }, { Delete: { TableName: 'ledger' } }],
    });

    expect(refusal?.message).toContain('dynamodb:DeleteItem');
  });
});

describe('isAllowed', () => {
  const permission = { action: 'dynamodb:PutItem', resource: TABLE };

  it('denies what no statement allows', () => {
    expect(isAllowed([], permission)).toBe(false);
  });

  it.each([
    ['dynamodb:*', TABLE],
    ['DynamoDB:putitem', TABLE],
    ['dynamodb:PutIte?', 'arn:aws:dynamodb:*:000000000000:table/*'],
  ])('matches %s on %s', (action, resource) => {
    expect(isAllowed([allow(action, resource)], permission)).toBe(true);
  });

  it.each([
    ['dynamodb:Put', TABLE],
    ['dynamodb:PutItem', `${TABLE}s`],
    ['dynamodb:PutItem', TABLE.replace('ledger', 'Ledger')],
    ['dynamodb:PutItem', TABLE.replaceAll(':', '.')],
  ])('does not match %s on %s', (action, resource) => {
    expect(isAllowed([allow(action, resource)], permission)).toBe(false);
  });

  it('lets a denial win', () => {
    const denial: Statement = { ...allow('dynamodb:*', '*'), effect: 'Deny' };

    expect(isAllowed([allow('dynamodb:PutItem', TABLE), denial], permission)).toBe(false);
  });
});
