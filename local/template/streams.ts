import * as z from 'zod';
import { filterEventSources, isTableStream } from './eventSources.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

/** Which changes are told: every member must match, a leaf by one of its values. */
export interface Pattern {
  [member: string]: Pattern | (string | { exists: boolean })[];
}

const Pattern: z.ZodType<Pattern> = z.lazy(() =>
  z.record(
    z.string(),
    z.union([z.array(z.union([z.string(), z.strictObject({ exists: z.boolean() })])), Pattern]),
  ),
);

const Filter = z.strictObject({
  Pattern: z
    .string()
    .transform((text) => JSON.parse(text))
    .pipe(Pattern),
});

const StreamMapping = z.strictObject({
  EventSourceArn: z.string().transform((arn, context) => {
    const [, table] = /:table\/([^/]+)\/stream\//.exec(arn) ?? [];
    if (table !== undefined) return table;
    context.addIssue({ code: 'custom', message: 'names no table' });
    return z.NEVER;
  }),
  FunctionName: z.string(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  BatchSize: z.coerce.number().default(100),
  FilterCriteria: z.strictObject({ Filters: z.array(Filter) }).optional(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  Enabled: z.boolean().default(true),
  BisectBatchOnFunctionError: ignored,
  DestinationConfig: ignored,
  MaximumBatchingWindowInSeconds: ignored,
  MaximumRecordAgeInSeconds: ignored,
  MaximumRetryAttempts: ignored,
  ParallelizationFactor: ignored,
  Tags: ignored,
});

/** A table whose changes a function is told of. `functionName` is its name or its ARN. */
export interface StreamMappingDeclaration {
  logicalId: string;
  /** Its name. */
  table: string;
  functionName: string;
  batchSize: number;
  patterns: Pattern[];
  reportsFailures: boolean;
}

export const readStreamMappings = (reading: ResolvedTemplate): StreamMappingDeclaration[] =>
  resourcesOfType(
    filterEventSources(reading, isTableStream),
    'AWS::Lambda::EventSourceMapping',
    StreamMapping,
  )
    .filter(({ properties }) => properties.Enabled)
    .map(({ logicalId, properties }) => ({
      logicalId,
      table: properties.EventSourceArn,
      functionName: properties.FunctionName,
      batchSize: properties.BatchSize,
      patterns: properties.FilterCriteria?.Filters.map(({ Pattern: pattern }) => pattern) ?? [],
      reportsFailures: properties.FunctionResponseTypes.length > 0,
    }));
