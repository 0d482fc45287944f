import * as z from 'zod';
import { type ReferenceResolver, resolveIntrinsics } from './intrinsics.ts';
import {
  ACCOUNT,
  apiId,
  arn,
  bucketName,
  PARTITION,
  queueUrl,
  REGION,
  URL_SUFFIX,
  userPoolClientId,
  userPoolId,
} from './names.ts';
import { describeResource, type Resource, type Template, TemplateError } from './template.ts';

/** Locations of resources in the running engines. An engine may assign its own queue URLs and key ids. */
export interface ResourceLocations {
  apiUrl: string;
  queue(name: string): { url: string; arn: string };
  key(logicalId: string): { id: string; arn: string };
  /** The OpenID Connect issuer, as in the `iss` claim of tokens. */
  issuer: string;
}

/** Names of a resource: the value of `Ref`, the attributes of `Fn::GetAtt`, and the name in its engine. */
export interface Identity {
  ref: string;
  name: string;
  attributes: Record<string, string>;
}

type Identify = (logicalId: string, resource: Resource, locations: ResourceLocations) => Identity;

/** Identities follow from names, so a name may refer to no resource. */
const pseudoParameters = (): ReferenceResolver => referenceResolver({ Resources: {} }, new Map());

/** The name from the template, or a default. CDK usually omits the name. */
function nameFrom(resource: Resource, property: string, defaultName: string): string {
  const name = resolveIntrinsics(resource.Properties?.[property], pseudoParameters());
  return z.string().default(defaultName).parse(name);
}

const table: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'TableName', logicalId);
  const attributes = { Arn: arn('dynamodb', `table/${name}`), TableId: logicalId };
  // A placeholder. The engine assigns the ARN when it creates the stream, so the poller looks it up by table.
  const StreamArn = arn('dynamodb', `table/${name}/stream/local`);
  return { ref: name, name, attributes: { ...attributes, StreamArn } };
};

const queue: Identify = (logicalId, resource, locations) => {
  const fifo = resource.Properties?.['FifoQueue'] === true ? '.fifo' : '';
  const name = nameFrom(resource, 'QueueName', `${logicalId}${fifo}`);
  const { url, arn: Arn } = locations.queue(name);
  return { ref: url, name, attributes: { Arn, QueueName: name, QueueUrl: url } };
};

const bucket: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'BucketName', bucketName(logicalId));
  const host = `${name}.s3.${REGION}.${URL_SUFFIX}`;
  return {
    ref: name,
    name,
    attributes: {
      Arn: `arn:${PARTITION}:s3:::${name}`,
      DomainName: `${name}.s3.${URL_SUFFIX}`,
      RegionalDomainName: host,
    },
  };
};

const key: Identify = (logicalId, _resource, locations) => {
  const { id, arn: Arn } = locations.key(logicalId);
  return { ref: id, name: id, attributes: { Arn, KeyId: id } };
};

const lambda: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'FunctionName', logicalId);
  return { ref: name, name, attributes: { Arn: arn('lambda', `function:${name}`) } };
};

const api: Identify = (logicalId, _resource, locations) => ({
  ref: apiId(logicalId),
  name: apiId(logicalId),
  attributes: { ApiEndpoint: locations.apiUrl, ApiId: apiId(logicalId) },
});

const role: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'RoleName', logicalId);
  return {
    ref: name,
    name,
    attributes: {
      Arn: `arn:${PARTITION}:iam::${ACCOUNT}:role/${name}`,
      RoleId: `AROA${logicalId.toUpperCase()}`,
    },
  };
};

const logGroup: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'LogGroupName', logicalId);
  return { ref: name, name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
};

const topic: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'TopicName', logicalId);
  const Arn = arn('sns', name);
  return { ref: Arn, name, attributes: { TopicArn: Arn, TopicName: name } };
};

const stateMachine: Identify = (logicalId, resource) => {
  // Step Functions allows 80 characters. A logical id may be longer.
  const name = nameFrom(resource, 'StateMachineName', logicalId.slice(-80));
  const Arn = arn('states', `stateMachine:${name}`);
  return { ref: Arn, name, attributes: { Arn, Name: name } };
};

const userPool: Identify = (logicalId, _resource, { issuer }) => {
  const id = userPoolId(logicalId);
  return {
    ref: id,
    name: id,
    attributes: {
      Arn: arn('cognito-idp', `userpool/${id}`),
      ProviderName: issuer.replace(/^https?:\/\//, ''),
      ProviderURL: issuer,
      UserPoolId: id,
    },
  };
};

const userPoolClient: Identify = (logicalId, resource) => {
  const id = userPoolClientId(logicalId);
  return {
    ref: id,
    name: id,
    attributes: { ClientId: id, Name: nameFrom(resource, 'ClientName', logicalId) },
  };
};

/** All other resources use their logical id as name. Their only attribute is the ARN. */
const other: Identify = (logicalId, { Type }) => {
  const service = Type.split('::')[1]?.toLowerCase() ?? 'custom';
  return { ref: logicalId, name: logicalId, attributes: { Arn: arn(service, logicalId) } };
};

const IDENTIFY: Record<string, Identify> = {
  'AWS::ApiGatewayV2::Api': api,
  'AWS::Cognito::UserPool': userPool,
  'AWS::Cognito::UserPoolClient': userPoolClient,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::IAM::Role': role,
  'AWS::KMS::Key': key,
  'AWS::Lambda::Function': lambda,
  'AWS::Logs::LogGroup': logGroup,
  'AWS::S3::Bucket': bucket,
  'AWS::SNS::Topic': topic,
  'AWS::SQS::Queue': queue,
  'AWS::StepFunctions::StateMachine': stateMachine,
};

/** The identity of every resource in the template. Deterministic, so that state is found again after a restart. */
export function identify(template: Template, locations: ResourceLocations): Map<string, Identity> {
  return new Map(
    Object.entries(template.Resources).map(([logicalId, resource]) => [
      logicalId,
      (IDENTIFY[resource.Type] ?? other)(logicalId, resource, locations),
    ]),
  );
}

const PSEUDO: Record<string, unknown> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::NoValue': undefined,
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::StackName': 'local',
  'AWS::URLSuffix': URL_SUFFIX,
};

/** Values of stacks for each other: a parameter names what a resource of another stack stores. */
const STORED_VALUE = 'AWS::SSM::Parameter::Value<String>';
const StoredParameter = z.looseObject({ Name: z.string(), Value: z.unknown() });

const storedValuesOf = ({ Resources }: Template): Map<unknown, unknown> =>
  new Map(
    Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::SSM::Parameter')
      .map(({ Properties }) => StoredParameter.parse(Properties))
      .map(({ Name, Value }) => [Name, Value]),
  );

/** Queues have other addresses than on AWS. Another stack knows a queue by its address on AWS. */
const queueAddressesOf = ({ Resources }: Template, identities: Map<string, Identity>): Map<string, string> =>
  new Map(
    [...identities].flatMap(([logicalId, { ref, name, attributes }]): [string, string][] =>
      Resources[logicalId]?.Type === 'AWS::SQS::Queue'
        ? [
            [queueUrl(name), ref],
            [arn('sqs', name), attributes['Arn'] ?? name],
          ]
        : [],
    ),
  );

/** Resolves references to resources, pseudo parameters, and parameters with a default or a stored value. */
export function referenceResolver(template: Template, identities: Map<string, Identity>): ReferenceResolver {
  const stored = storedValuesOf(template);
  const addresses = queueAddressesOf(template, identities);
  const resolver: ReferenceResolver = {
    ref(logicalId) {
      if (logicalId in PSEUDO) return PSEUDO[logicalId];
      const identity = identities.get(logicalId);
      if (identity) return identity.ref;
      const parameter = template.Parameters?.[logicalId];
      if (parameter?.Type === STORED_VALUE && stored.has(parameter.Default))
        return resolveIntrinsics(stored.get(parameter.Default), resolver);
      if (parameter?.Type !== STORED_VALUE && parameter?.Default !== undefined) return parameter.Default;
      throw new TemplateError(
        `Ref to ${logicalId}: the template declares no such resource, and no parameter with a default or a stored value`,
      );
    },
    mapping(map, key, name) {
      const value = template.Mappings?.[map]?.[key]?.[name];
      if (value !== undefined) return value;
      throw new TemplateError(`The mapping ${map} has no ${name} for ${key}`);
    },
    attribute(logicalId, name) {
      const value = identities.get(logicalId)?.attributes[name];
      if (value !== undefined) return value;
      const type = template.Resources[logicalId]?.Type;
      throw new TemplateError(
        `${describeResource(logicalId, type ?? 'undeclared')}: the local runtime does not support the attribute ${name}`,
      );
    },
    located: (text) => addresses.get(text) ?? text,
  };
  return resolver;
}
