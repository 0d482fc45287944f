import { describeResource, type Template, TemplateError } from './template.ts';

/** Resource types that the runtime runs. */
const SUPPORTED_TYPES = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::SSM::Parameter',
  'AWS::Scheduler::Schedule',
  'AWS::StepFunctions::StateMachine',
]);

/** Resource types without a visible effect on one machine: permissions, logs, alarms, deployment. */
const IGNORED_TYPES = [
  'AWS::ApiGatewayV2::Deployment',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::IAM::',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::ScheduleGroup',
  'Custom::S3AutoDeleteObjects',
];

const isIgnored = (type: string): boolean =>
  IGNORED_TYPES.some((entry) => (entry.endsWith('::') ? type.startsWith(entry) : type === entry));

/**
 * Rejects a template with unsupported resources, which the runtime would otherwise silently ignore.
 * Throws one TemplateError that lists all of them by logical id.
 */
export function assertSupported(template: Template): void {
  const faults = Object.entries(template.Resources).flatMap(([logicalId, { Type, Condition }]) => {
    if (isIgnored(Type)) return [];
    if (!SUPPORTED_TYPES.has(Type))
      return [`${describeResource(logicalId, Type)}: the local runtime does not support this resource type`];
    return Condition
      ? [`${describeResource(logicalId, Type)}: the local runtime does not support conditions`]
      : [];
  });
  if (faults.length > 0)
    throw new TemplateError(`The local runtime cannot start this stack:\n  ${faults.join('\n  ')}`);
}
