import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { REGION } from '../template/names.ts';

const TARGET = 'DynamoDBStreams_20120810';

const Description = z.object({
  StreamDescription: z.object({
    Shards: z.array(z.object({ ShardId: z.string(), ParentShardId: z.string().optional() })),
    LastEvaluatedShardId: z.string().optional(),
  }),
});
const Iterator = z.object({ ShardIterator: z.string() });

/** A stream record. Functions receive all of its members. */
const Change = z.looseObject({ dynamodb: z.looseObject({ SequenceNumber: z.string() }) });
export type Change = z.infer<typeof Change>;
const Changes = z.object({ Records: z.array(Change), NextShardIterator: z.string().nullish() });

export interface Shard {
  id: string;
  parent: string | undefined;
}

export interface StreamReader {
  /** The ARN of the stream. A recreated table has another one. */
  streamArn(): Promise<string>;
  shards(): Promise<Shard[]>;
  /** An iterator that starts after a sequence number, or at the oldest record. */
  iterator(shard: string, after: string | undefined): Promise<string>;
  /** Changes in order. `next` is undefined if the shard is closed. */
  read(iterator: string, limit: number): Promise<{ changes: Change[]; next: string | undefined }>;
}

/** Reads the stream of a table. Every call throws if the endpoint returns an error or an unexpected response. */
export function streamReader(client: DynamoDBClient, endpoint: string, table: string): StreamReader {
  let known: Promise<string> | undefined;

  async function call<S extends z.ZodType>(
    operation: string,
    input: object,
    schema: S,
  ): Promise<z.output<S>> {
    const url = new URL(endpoint);
    const body = JSON.stringify(input);
    const signer = await client.config.signer();
    const { headers } = await signer.sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port && { port: Number(url.port) }),
      path: '/',
      query: {},
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `${TARGET}.${operation}`,
      },
      body,
    });
    const response = await fetch(new URL('/', url), { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} was answered with ${response.status}: ${text}`);
    return schema.parse(JSON.parse(text));
  }

  async function findStreamArn(): Promise<string> {
    const { Table: described } = await client.send(new DescribeTableCommand({ TableName: table }));
    if (described?.LatestStreamArn === undefined) throw new Error(`${table} has no stream`);
    return described.LatestStreamArn;
  }

  const name = (): Promise<string> => {
    known ??= findStreamArn().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  return {
    streamArn: name,
    async shards() {
      const shards: Shard[] = [];
      let last: string | undefined;
      do {
        const input = { StreamArn: await name(), ...(last && { ExclusiveStartShardId: last }) };
        const { StreamDescription: description } = await call('DescribeStream', input, Description);
        shards.push(
          ...description.Shards.map(({ ShardId, ParentShardId }) => ({ id: ShardId, parent: ParentShardId })),
        );
        last = description.LastEvaluatedShardId;
      } while (last !== undefined);
      return shards;
    },
    async iterator(shard, after) {
      const position =
        after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      const input = { StreamArn: await name(), ShardId: shard, ...position };
      return (await call('GetShardIterator', input, Iterator)).ShardIterator;
    },
    async read(iterator, limit) {
      const { Records, NextShardIterator } = await call(
        'GetRecords',
        { ShardIterator: iterator, Limit: limit },
        Changes,
      );
      return { changes: Records, next: NextShardIterator ?? undefined };
    },
  };
}

/** The Lambda event for a batch of changes. */
export const streamEvent = (changes: readonly Change[], streamName: string): object => ({
  Records: changes.map((change) => ({
    ...change,
    awsRegion: REGION,
    eventSource: 'aws:dynamodb',
    eventSourceARN: streamName,
  })),
});
