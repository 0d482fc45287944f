import * as z from 'zod';
import { type DeclaredResource, ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const KeySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const Projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.array(z.string()).optional(),
});

const Index = z.strictObject({
  IndexName: z.string(),
  KeySchema,
  Projection,
  ContributorInsightsSpecification: ignored,
  OnDemandThroughput: ignored,
  ProvisionedThroughput: ignored,
  WarmThroughput: ignored,
  WriteOnDemandThroughputSettings: ignored,
  WriteProvisionedThroughputSettings: ignored,
});

const Table = z.strictObject({
  KeySchema,
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z.array(Index).optional(),
  TimeToLiveSpecification: z
    .strictObject({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
  StreamSpecification: z.strictObject({ StreamViewType: z.literal('NEW_IMAGE') }).optional(),
  TableName: z.string().optional(),
  BillingMode: ignored,
  ContributorInsightsSpecification: ignored,
  DeletionProtectionEnabled: ignored,
  OnDemandThroughput: ignored,
  PointInTimeRecoverySpecification: ignored,
  ProvisionedThroughput: ignored,
  ResourcePolicy: ignored,
  SSESpecification: ignored,
  TableClass: ignored,
  Tags: ignored,
  WarmThroughput: ignored,
});

/** The CDK construct TableV2: the same table, with its regional settings in Replicas. */
const GlobalTable = Table.extend({
  Replicas: z.array(z.unknown()).max(1),
  ReadOnDemandThroughputSettings: ignored,
  WriteOnDemandThroughputSettings: ignored,
  WriteProvisionedThroughputSettings: ignored,
});

export type TableProperties = z.output<typeof Table>;

export const readTables = (template: ResolvedTemplate): DeclaredResource<TableProperties>[] => [
  ...resourcesOfType(template, 'AWS::DynamoDB::Table', Table),
  ...resourcesOfType(template, 'AWS::DynamoDB::GlobalTable', GlobalTable),
];
