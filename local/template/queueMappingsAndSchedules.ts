import * as z from 'zod';
import { filterEventSources, isTableStream } from './eventSources.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const EventSourceMapping = z.strictObject({
  EventSourceArn: z.string().regex(/^arn:[^:]*:sqs:/, 'only queues are polled, and tables followed'),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.coerce.number() }).optional(),
  Enabled: z.boolean().default(true),
  Tags: ignored,
});

/** A queue that feeds a function. `functionName` is its name or its ARN; the window is in milliseconds. */
export interface QueueMappingDeclaration {
  logicalId: string;
  queueArn: string;
  functionName: string;
  batchSize: number;
  windowMs: number;
  reportsFailures: boolean;
  maximumConcurrency: number | undefined;
}

export const readQueueMappings = (reading: ResolvedTemplate): QueueMappingDeclaration[] =>
  resourcesOfType(
    filterEventSources(reading, (arn) => !isTableStream(arn)),
    'AWS::Lambda::EventSourceMapping',
    EventSourceMapping,
  )
    .filter(({ properties }) => properties.Enabled)
    .map(({ logicalId, properties }) => ({
      logicalId,
      queueArn: properties.EventSourceArn,
      functionName: properties.FunctionName,
      batchSize: properties.BatchSize,
      windowMs: properties.MaximumBatchingWindowInSeconds * 1000,
      reportsFailures: properties.FunctionResponseTypes.length > 0,
      maximumConcurrency: properties.ScalingConfig?.MaximumConcurrency,
    }));

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(5 minutes)` in milliseconds. */
const Rate = z.string().transform((expression, context) => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (count && unitMs) return Number(count) * unitMs;
  context.addIssue({ code: 'custom', message: `${expression} is not run locally, only rate(…) is` });
  return z.NEVER;
});

const Target = z.strictObject({
  Arn: z
    .string()
    .regex(/^arn:[^:]*:(lambda|states):/, 'only functions and state machines are run on a schedule'),
  Id: ignored,
  Input: z.string().optional(),
  DeadLetterConfig: ignored,
  RetryPolicy: ignored,
  RoleArn: ignored,
});

const State = z.enum(['ENABLED', 'DISABLED']).default('ENABLED');

const Rule = z.strictObject({
  ScheduleExpression: Rate,
  State,
  Targets: z.array(Target).default([]),
  Description: ignored,
  Name: ignored,
  RoleArn: ignored,
  Tags: ignored,
});

const Schedule = z.strictObject({
  ScheduleExpression: Rate,
  State,
  Target,
  Description: ignored,
  FlexibleTimeWindow: ignored,
  GroupName: ignored,
  KmsKeyArn: ignored,
  Name: ignored,
  ScheduleExpressionTimezone: ignored,
});

/** A function or a state machine called at a fixed period. Without an input it gets the event its service makes. */
export interface ScheduleDeclaration {
  logicalId: string;
  arn: string;
  service: 'events' | 'scheduler';
  everyMs: number;
  targetArn: string;
  input: string | undefined;
}

export function readSchedules(reading: ResolvedTemplate): ScheduleDeclaration[] {
  const rules = resourcesOfType(reading, 'AWS::Events::Rule', Rule).map((rule) => ({
    ...rule,
    service: 'events' as const,
    targets: rule.properties.Targets,
  }));
  const plans = resourcesOfType(reading, 'AWS::Scheduler::Schedule', Schedule).map((plan) => ({
    ...plan,
    service: 'scheduler' as const,
    targets: [plan.properties.Target],
  }));
  return [...rules, ...plans]
    .filter(({ properties }) => properties.State === 'ENABLED')
    .flatMap(({ logicalId, identity, service, properties, targets }) =>
      targets.map((target) => ({
        logicalId,
        arn: identity.attributes['Arn'] ?? logicalId,
        service,
        everyMs: properties.ScheduleExpression,
        targetArn: target.Arn,
        input: target.Input,
      })),
    );
}
