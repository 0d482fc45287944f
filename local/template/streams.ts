import * as z from 'zod';
import { filterEventSources, isTableStream } from './eventSources.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

/** A filter pattern: every member must match, and a leaf matches any of its values. */
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
    context.addIssue({ code: 'custom', message: 'must be the stream ARN of a table' });
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

/** An event source mapping of a table stream. `functionName` is a name or an ARN. */
export interface StreamMappingDeclaration {
  logicalId: string;
  /** The table name. */
  table: string;
  functionName: string;
  batchSize: number;
  patterns: Pattern[];
  reportsFailures: boolean;
}

export const readStreamMappings = (template: ResolvedTemplate): StreamMappingDeclaration[] =>
  resourcesOfType(
    filterEventSources(template, isTableStream),
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
