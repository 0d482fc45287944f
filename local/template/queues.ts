import * as z from 'zod';
import { type DeclaredResource, ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const Queue = z.strictObject({
  VisibilityTimeout: z.coerce.number().optional(),
  MessageRetentionPeriod: z.coerce.number().optional(),
  DelaySeconds: z.coerce.number().optional(),
  MaximumMessageSize: z.coerce.number().optional(),
  ReceiveMessageWaitTimeSeconds: z.coerce.number().optional(),
  RedrivePolicy: z
    .strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() })
    .optional(),
  FifoQueue: z.boolean().optional(),
  ContentBasedDeduplication: z.boolean().optional(),
  QueueName: z.string().optional(),
  DeduplicationScope: ignored,
  FifoThroughputLimit: ignored,
  KmsDataKeyReusePeriodSeconds: ignored,
  KmsMasterKeyId: ignored,
  RedriveAllowPolicy: ignored,
  SqsManagedSseEnabled: ignored,
  Tags: ignored,
});

export type QueueProperties = z.output<typeof Queue>;

export const readQueues = (reading: ResolvedTemplate): DeclaredResource<QueueProperties>[] =>
  resourcesOfType(reading, 'AWS::SQS::Queue', Queue);
