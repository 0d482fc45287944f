import { describeResource, type Template, TemplateError } from './template.ts';

/** Types the runtime starts something for. */
const SUPPORTED_TYPES = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
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
  'AWS::Scheduler::Schedule',
  'AWS::StepFunctions::StateMachine',
]);

/** Types that change nothing a handler or a caller could see on one machine: rights, logs, alarms, deployment. */
const IGNORED_TYPES = [
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
 * Refuses a template that declares what the runtime would silently leave out.
 * Throws one TemplateError that lists every such resource by logical id.
 */
export function assertSupported(template: Template): void {
  const faults = Object.entries(template.Resources).flatMap(([logicalId, { Type, Condition }]) => {
    if (isIgnored(Type)) return [];
    if (!SUPPORTED_TYPES.has(Type))
      return [`${describeResource(logicalId, Type)}: this resource type is not run locally`];
    return Condition ? [`${describeResource(logicalId, Type)}: conditions are not evaluated locally`] : [];
  });
  if (faults.length > 0)
    throw new TemplateError(`The local runtime cannot start this stack:\n  ${faults.join('\n  ')}`);
}
