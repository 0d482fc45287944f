import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(5 minutes)` in milliseconds. */
const Rate = z.string().transform((expression, context) => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (count && unitMs) return Number(count) * unitMs;
  context.addIssue({ code: 'custom', message: `${expression} is not supported locally. Use rate(…).` });
  return z.NEVER;
});

const Target = z.strictObject({
  Arn: z
    .string()
    .regex(
      /^arn:[^:]*:(lambda|sqs|states):/,
      'supports only functions, queues and state machines as targets',
    ),
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

/** A call of a function or state machine, or a message to a queue, at a fixed rate. Without `input`, the target receives the service's default event. */
export interface ScheduleDeclaration {
  logicalId: string;
  arn: string;
  service: 'events' | 'scheduler';
  intervalMs: number;
  targetArn: string;
  input: string | undefined;
}

export function readSchedules(template: ResolvedTemplate): ScheduleDeclaration[] {
  const rules = resourcesOfType(template, 'AWS::Events::Rule', Rule).map((rule) => ({
    ...rule,
    service: 'events' as const,
    targets: rule.properties.Targets,
  }));
  const schedules = resourcesOfType(template, 'AWS::Scheduler::Schedule', Schedule).map((schedule) => ({
    ...schedule,
    service: 'scheduler' as const,
    targets: [schedule.properties.Target],
  }));
  return [...rules, ...schedules]
    .filter(({ properties }) => properties.State === 'ENABLED')
    .flatMap(({ logicalId, identity, service, properties, targets }) =>
      targets.map((target) => ({
        logicalId,
        arn: identity.attributes['Arn'] ?? logicalId,
        service,
        intervalMs: properties.ScheduleExpression,
        targetArn: target.Arn,
        input: target.Input,
      })),
    );
}
