import * as z from 'zod';
import { filterEventSources, isTableStream } from './eventSources.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const EventSourceMapping = z.strictObject({
  EventSourceArn: z
    .string()
    .regex(/^arn:[^:]*:sqs:/, 'supports only SQS queues and table streams as event sources'),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.coerce.number() }).optional(),
  Enabled: z.boolean().default(true),
  Tags: ignored,
});

/** An event source mapping of a queue. `functionName` is a name or an ARN. `windowMs` is the batching window. */
export interface QueueMappingDeclaration {
  logicalId: string;
  queueArn: string;
  functionName: string;
  batchSize: number;
  windowMs: number;
  reportsFailures: boolean;
  maximumConcurrency: number | undefined;
}

export const readQueueMappings = (template: ResolvedTemplate): QueueMappingDeclaration[] =>
  resourcesOfType(
    filterEventSources(template, (arn) => !isTableStream(arn)),
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
