/** A list price: what one unit costs in USD, where it was read and when. */
export interface ListPrice {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
  readonly read: string;
}

/**
 * On-demand list prices in us-east-1. The only place a price of AWS is written down;
 * floats are fine here, since these are estimates of our own bill and never a tenant's.
 */
export const prices = {
  httpApiRequest: {
    usd: 1.0 / 1e6,
    per: 'request up to 512 KB',
    source: 'aws.amazon.com/api-gateway/pricing (HTTP APIs)',
    read: '2026-08',
  },
  lambdaRequest: {
    usd: 0.2 / 1e6,
    per: 'invocation',
    source: 'aws.amazon.com/lambda/pricing',
    read: '2026-08',
  },
  lambdaGigabyteSecond: {
    usd: 0.0000133334,
    per: 'GB-second on arm64',
    source: 'aws.amazon.com/lambda/pricing',
    read: '2026-08',
  },
  dynamodbWriteUnit: {
    usd: 0.625 / 1e6,
    per: 'write unit (1 KB)',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-08',
  },
  dynamodbReadUnit: {
    usd: 0.125 / 1e6,
    per: 'read unit (4 KB strongly consistent, 8 KB eventually)',
    source: 'aws.amazon.com/dynamodb/pricing/on-demand',
    read: '2026-08',
  },
  sqsRequest: {
    usd: 0.4 / 1e6,
    per: 'request of 64 KB on a standard queue',
    source: 'aws.amazon.com/sqs/pricing',
    read: '2026-08',
  },
  logsGigabyte: {
    usd: 0.5,
    per: 'GB ingested by CloudWatch Logs',
    source: 'aws.amazon.com/cloudwatch/pricing',
    read: '2026-08',
  },
  kmsRequest: {
    usd: 0.03 / 1e4,
    per: 'request (GenerateMac, GetPublicKey)',
    source: 'aws.amazon.com/kms/pricing',
    read: '2026-08',
  },
} as const satisfies Record<string, ListPrice>;
