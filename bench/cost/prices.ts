/** Confidence in a price. A: provider's own page. B: dated third-party source that agrees with others. C: old or from memory. */
type Confidence = 'A' | 'B' | 'C';

/** List price of one unit in USD, with its source and the month it was read. */
interface ListPrice {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
  readonly read: string;
  readonly confidence: Confidence;
}

/**
 * On-demand list prices in us-east-1, without free tiers. This is the only place with AWS prices. Floats are acceptable
 * here: these estimate the operator's bill and are never part of a tenant's costs.
 */
export const prices = {
  httpApiRequest: {
    usd: 1.0 / 1e6,
    per: 'request up to 512 KB',
    source: 'aws.amazon.com/api-gateway/pricing (HTTP APIs)',
    read: '2026-08',
    confidence: 'A',
  },
  lambdaRequest: {
    usd: 0.2 / 1e6,
    per: 'invocation',
    source: 'aws.amazon.com/lambda/pricing',
    read: '2026-08',
    confidence: 'A',
  },
  lambdaGigabyteSecond: {
    usd: 0.0000133334,
    per: 'GB-second on arm64',
    source: 'aws.amazon.com/lambda/pricing',
    read: '2026-08',
    confidence: 'B',
  },
  dynamodbWriteUnit: {
    usd: 0.625 / 1e6,
    per: 'write unit (1 KB)',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-08',
    confidence: 'A',
  },
  dynamodbReadUnit: {
    usd: 0.125 / 1e6,
    per: 'read unit (4 KB strongly consistent, 8 KB eventually)',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-08',
    confidence: 'A',
  },
  sqsRequest: {
    usd: 0.4 / 1e6,
    per: 'request of 64 KB on a standard queue',
    source: 'aws.amazon.com/sqs/pricing',
    read: '2026-08',
    confidence: 'B',
  },
  sqsFairRequest: {
    usd: 0.1 / 1e6,
    per: 'request that sends a message with a group to a standard queue, on top',
    source: 'cloudburn.io/blog/amazon-sqs-pricing (Fair queues)',
    read: '2026-03',
    confidence: 'B',
  },
  logsGigabyte: {
    usd: 0.5,
    per: 'GB ingested by CloudWatch Logs',
    source: 'aws.amazon.com/cloudwatch/pricing',
    read: '2026-08',
    confidence: 'B',
  },
  s3Storage: {
    usd: 0.023,
    per: 'GB and month in S3 Standard, first 50 TB',
    source: 'aws.amazon.com/s3/pricing (Storage)',
    read: '2024-11',
    confidence: 'C',
  },
  s3PutRequest: {
    usd: 0.005 / 1e3,
    per: 'PUT, POST or LIST request to S3 Standard; each part of an upload is one request',
    source: 'aws.amazon.com/s3/pricing (Requests and data retrievals)',
    read: '2026-08',
    confidence: 'B',
  },
  s3GetRequest: {
    usd: 0.0004 / 1e3,
    per: 'GET request to S3 Standard',
    source: 'aws.amazon.com/s3/pricing (Requests and data retrievals)',
    read: '2026-08',
    confidence: 'B',
  },
  stateTransition: {
    usd: 0.025 / 1e3,
    per: 'state transition of a standard workflow',
    source: 'aws.amazon.com/step-functions/pricing',
    read: '2026-08',
    confidence: 'B',
  },
  kmsRequest: {
    usd: 0.03 / 1e4,
    per: 'request (GenerateMac, GetPublicKey)',
    source: 'aws.amazon.com/kms/pricing',
    read: '2026-08',
    confidence: 'C',
  },
  dataOutGigabyte: {
    usd: 0.09,
    per: 'GB sent to the internet, after 100 GB a month',
    source: 'aws.amazon.com/ec2/pricing/on-demand (data transfer)',
    read: '2026-08',
    confidence: 'B',
  },
  dynamodbGigabyteMonth: {
    usd: 0.25,
    per: 'GB of a table and month, standard class',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-11',
    confidence: 'B',
  },
  recoveryGigabyteMonth: {
    usd: 0.2,
    per: 'GB of a table with point-in-time recovery and month',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-11',
    confidence: 'B',
  },
  infrequentGigabyteMonth: {
    usd: 0.1,
    per: 'GB of a table and month, class for infrequent access',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2024-11',
    confidence: 'B',
  },
  infrequentWriteUnit: {
    usd: 0.78 / 1e6,
    per: 'write unit of a table of the class for infrequent access',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2024-11',
    confidence: 'C',
  },
  infrequentReadUnit: {
    usd: 0.155 / 1e6,
    per: 'read unit of a table of the class for infrequent access',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2024-11',
    confidence: 'C',
  },
  keyMonth: {
    usd: 1,
    per: 'customer managed KMS key and month',
    source: 'aws.amazon.com/kms/pricing',
    read: '2026-11',
    confidence: 'B',
  },
  alarmMetricMonth: {
    usd: 0.1,
    per: 'metric of an alarm of standard resolution and month',
    source: 'aws.amazon.com/cloudwatch/pricing',
    read: '2026-11',
    confidence: 'A',
  },
  customMetricMonth: {
    usd: 0.3,
    per: 'custom metric and month, by the hours in which it has data',
    source: 'aws.amazon.com/cloudwatch/pricing',
    read: '2026-11',
    confidence: 'A',
  },
  dashboardMonth: {
    usd: 3,
    per: 'dashboard and month',
    source: 'aws.amazon.com/cloudwatch/pricing',
    read: '2026-11',
    confidence: 'A',
  },
  sesMessage: {
    usd: 0.1 / 1e3,
    per: 'e-mail',
    source: 'aws.amazon.com/ses/pricing',
    read: '2026-08',
    confidence: 'C',
  },
} as const satisfies Record<string, ListPrice>;

/**
 * What AWS does not charge, each month and in each account, without an end date. All environments of an account share it.
 * Read in 2026-11 on the pricing pages of CloudWatch, SQS and Lambda.
 */
export const monthlyAllowances = {
  alarmMetrics: 10,
  customMetrics: 10,
  /** For dashboards of at most 50 metrics. */
  dashboards: 3,
  sqsRequests: 1e6,
  lambdaRequests: 1e6,
  lambdaGigabyteSeconds: 400_000,
} as const;
