import type { AwsRequest } from '../limits/awsRequest.ts';
import { fields, list, text } from '../limits/fields.ts';
import { tablesOfStatements } from '../limits/insertStatements.ts';
import type { Permission } from './policy.ts';

type Call = Pick<AwsRequest, 'operation' | 'input'>;

/** The ARNs of resources that calls name in another way. */
export interface ResourceArns {
  /** Queue ARNs by URL. */
  readonly queues: Readonly<Record<string, string>>;
  /** Key ARNs by id. */
  readonly keys: Readonly<Record<string, string>>;
  /** The start of all ARNs of this account in a service, such as `arn:aws:dynamodb:us-east-1:000000000000:`. */
  readonly prefix: (service: string) => string;
}

const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/**
 * The operations of S3 that IAM knows by another name, such as the parts of an upload.
 * Source: Service Authorization Reference, "Actions, resources, and condition keys for Amazon S3".
 */
const OBJECT_ACTIONS: Readonly<Record<string, string>> = {
  HeadObject: 'GetObject',
  HeadBucket: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  DeleteObjects: 'DeleteObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
};

/** The permissions that IAM checks for a call. Throws for a service that functions do not call. */
export const permissionsOf = (service: string, call: Call, arns: ResourceArns): Permission[] => {
  const rule = SERVICES[service];
  if (rule === undefined) throw new Error(`The permissions of the service ${service} are not known`);
  return rule(call, arns);
};

const tablePermissions = ({ operation, input }: Call, { prefix }: ResourceArns): Permission[] => {
  const call = fields(input);
  const permission = (action: string, table: unknown, index?: unknown): Permission => ({
    action: `dynamodb:${action}`,
    resource: `${prefix('dynamodb')}table/${text(table)}${index === undefined ? '' : `/index/${text(index)}`}`,
  });
  if (operation.startsWith('Transact')) {
    return list(call['TransactItems']).flatMap((entry) =>
      Object.entries(fields(entry)).flatMap(([name, part]) =>
        part === undefined ? [] : [permission(TRANSACTION_ACTIONS[name] ?? name, fields(part)['TableName'])],
      ),
    );
  }
  // IAM knows the statements of PartiQL by their kind.
  if (operation === 'BatchExecuteStatement') {
    return tablesOfStatements(call).map((table) => permission('PartiQLInsert', table));
  }
  if (operation.startsWith('Batch')) {
    return Object.keys(fields(call['RequestItems'])).map((table) => permission(operation, table));
  }
  return [permission(operation, call['TableName'], call['IndexName'])];
};

const queuePermissions = ({ operation, input }: Call, { queues }: ResourceArns): Permission[] => {
  const url = text(fields(input)['QueueUrl']);
  return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource: queues[url] ?? url }];
};

const objectPermissions = ({ operation, input }: Call): Permission[] => {
  const { Bucket, Key, Delete } = fields(input);
  const action = `s3:${OBJECT_ACTIONS[operation] ?? operation}`;
  const bucket = `arn:aws:s3:::${text(Bucket)}`;
  const deleted = list(fields(Delete)['Objects']).map((object) => fields(object)['Key']);
  const keys = Key === undefined ? deleted : [Key];
  if (keys.length === 0) return [{ action, resource: bucket }];
  return keys.map((key) => ({ action, resource: `${bucket}/${text(key)}` }));
};

const keyPermissions = ({ operation, input }: Call, { keys }: ResourceArns): Permission[] => {
  const id = text(fields(input)['KeyId']);
  return [{ action: `kms:${operation}`, resource: keys[id] ?? id }];
};

const executionPermissions = ({ operation, input }: Call): Permission[] => {
  const { stateMachineArn, executionArn } = fields(input);
  return [{ action: `states:${operation}`, resource: text(stateMachineArn ?? executionArn) }];
};

/** SES authorises a raw message as `SendRawEmail`, on the identity of the sender. */
const mailPermissions = ({ input }: Call, { prefix }: ResourceArns): Permission[] => {
  const { FromEmailAddress, Content } = fields(input);
  const action = fields(Content)['Raw'] === undefined ? 'ses:SendEmail' : 'ses:SendRawEmail';
  return [{ action, resource: `${prefix('ses')}identity/${text(FromEmailAddress)}` }];
};

const poolPermissions = ({ operation, input }: Call, { prefix }: ResourceArns): Permission[] => [
  {
    action: `cognito-idp:${operation}`,
    resource: `${prefix('cognito-idp')}userpool/${text(fields(input)['UserPoolId'])}`,
  },
];

const rolePermissions = ({ operation, input }: Call): Permission[] => [
  { action: `sts:${operation}`, resource: text(fields(input)['RoleArn']) },
];

const SERVICES: Readonly<Record<string, (call: Call, arns: ResourceArns) => Permission[]>> = {
  dynamodb: tablePermissions,
  sqs: queuePermissions,
  s3: objectPermissions,
  kms: keyPermissions,
  sfn: executionPermissions,
  ses: mailPermissions,
  'cognito-idp': poolPermissions,
  sts: rolePermissions,
};
