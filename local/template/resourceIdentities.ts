import * as z from 'zod';
import type { ReferenceResolver } from './intrinsics.ts';
import {
  ACCOUNT,
  apiId,
  arn,
  bucketName,
  PARTITION,
  REGION,
  URL_SUFFIX,
  userPoolClientId,
  userPoolId,
} from './names.ts';
import { describeResource, type Resource, type Template, TemplateError } from './template.ts';

/** Where resources live once their engines run; each engine may give a queue or a key another identity. */
export interface ResourceLocations {
  apiUrl: string;
  queue(name: string): { url: string; arn: string };
  key(logicalId: string): { id: string; arn: string };
  /** Where users sign in, as tokens name it. */
  issuer: string;
}

/** What a resource is called: the value of `Ref`, the attributes of `Fn::GetAtt`, and the name its engine knows. */
export interface Identity {
  ref: string;
  name: string;
  attributes: Record<string, string>;
}

type Identify = (logicalId: string, resource: Resource, at: ResourceLocations) => Identity;

/** A name set in the template wins; CDK leaves it out, and then it follows from the logical id. */
function nameFrom(resource: Resource, property: string, otherwise: string): string {
  const name = z.string().safeParse(resource.Properties?.[property]);
  return name.success ? name.data : otherwise;
}

const table: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'TableName', logicalId);
  const attributes = { Arn: arn('dynamodb', `table/${name}`), TableId: logicalId };
  // The engine names a stream when it makes one: whoever follows a table asks for it by the table.
  const StreamArn = arn('dynamodb', `table/${name}/stream/local`);
  return { ref: name, name, attributes: { ...attributes, StreamArn } };
};

const queue: Identify = (logicalId, resource, at) => {
  const fifo = resource.Properties?.['FifoQueue'] === true ? '.fifo' : '';
  const name = nameFrom(resource, 'QueueName', `${logicalId}${fifo}`);
  const { url, arn: Arn } = at.queue(name);
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

const key: Identify = (logicalId, _resource, at) => {
  const { id, arn: Arn } = at.key(logicalId);
  return { ref: id, name: id, attributes: { Arn, KeyId: id } };
};

const lambda: Identify = (logicalId, resource) => {
  const name = nameFrom(resource, 'FunctionName', logicalId);
  return { ref: name, name, attributes: { Arn: arn('lambda', `function:${name}`) } };
};

const api: Identify = (logicalId, _resource, at) => ({
  ref: apiId(logicalId),
  name: apiId(logicalId),
  attributes: { ApiEndpoint: at.apiUrl, ApiId: apiId(logicalId) },
});

const role: Identify = (logicalId) => ({
  ref: logicalId,
  name: logicalId,
  attributes: {
    Arn: `arn:${PARTITION}:iam::${ACCOUNT}:role/${logicalId}`,
    RoleId: `AROA${logicalId.toUpperCase()}`,
  },
});

const topic: Identify = (logicalId) => {
  const Arn = arn('sns', logicalId);
  return { ref: Arn, name: logicalId, attributes: { TopicArn: Arn, TopicName: logicalId } };
};

const stateMachine: Identify = (logicalId, resource) => {
  // Step Functions allows 80 characters, a logical id may have more.
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

/** Anything else is known by its logical id; only its ARN can be asked for. */
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
  'AWS::S3::Bucket': bucket,
  'AWS::SNS::Topic': topic,
  'AWS::SQS::Queue': queue,
  'AWS::StepFunctions::StateMachine': stateMachine,
};

/** The identity of every resource in the template. Deterministic, so state outlives a restart. */
export function identify(template: Template, at: ResourceLocations): Map<string, Identity> {
  return new Map(
    Object.entries(template.Resources).map(([logicalId, resource]) => [
      logicalId,
      (IDENTIFY[resource.Type] ?? other)(logicalId, resource, at),
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

/** Resolves references over the identities, the pseudo parameters and the defaults of declared parameters. */
export function referenceResolver(template: Template, identities: Map<string, Identity>): ReferenceResolver {
  return {
    ref(logicalId) {
      if (logicalId in PSEUDO) return PSEUDO[logicalId];
      const identity = identities.get(logicalId);
      if (identity) return identity.ref;
      const parameter = template.Parameters?.[logicalId];
      if (parameter?.Default !== undefined) return parameter.Default;
      throw new TemplateError(`Ref to ${logicalId}, which the template does not declare or give a default`);
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
        `${describeResource(logicalId, type ?? 'undeclared')}: the attribute ${name} is not known locally`,
      );
    },
  };
}
