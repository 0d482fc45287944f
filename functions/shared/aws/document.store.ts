import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { batchGet } from './batchGet.store.ts';
import { dynamodb } from './dynamodb.client.ts';

export interface DocumentKey {
  readonly pk: string;
  readonly sk?: string;
}

/**
 * Who wrote a document last: the claim of an idempotent call (or any unique name), and which of its attempts.
 * A write names the revision it has seen, so that an attempt that was given up for dead cannot undo its successor's.
 */
export interface Revision {
  readonly claim: string;
  readonly attempt: number;
}

export interface Versioned<Document> {
  readonly document: Document;
  readonly revision: Revision;
}

const keyOf = ({ pk, sk }: DocumentKey) => ({ pk: { S: pk }, ...(sk !== undefined && { sk: { S: sk } }) });

type Item = Record<string, { S?: string | undefined; N?: string | undefined }>;

const parseVersioned = <Shape extends z.ZodType>(
  item: Item | undefined,
  shape: Shape,
): Versioned<z.infer<Shape>> | null => {
  const text = item?.['document']?.S;
  if (text === undefined) return null;
  const revision = { claim: item?.['claim']?.S ?? '', attempt: Number(item?.['attempt']?.N ?? 0) };
  return { document: shape.parse(JSON.parse(text)), revision };
};

/** One JSON document with who wrote it last, strongly consistent; null when there is none. */
export const readVersioned = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
): Promise<Versioned<z.infer<Shape>> | null> => {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName: table, Key: keyOf(key), ConsistentRead: true }),
  );
  return parseVersioned(Item, shape);
};

/** Documents with who wrote them last, strongly consistent, each where its key is; null where there is none. */
export const readAllVersioned = async <Shape extends z.ZodType>(
  table: string,
  keys: readonly Required<DocumentKey>[],
  shape: Shape,
): Promise<(Versioned<z.infer<Shape>> | null)[]> => {
  const nameOf = (pk: string | undefined, sk: string | undefined): string => JSON.stringify([pk, sk]);
  const named = new Map(keys.map((key) => [nameOf(key.pk, key.sk), key]));
  const items = await batchGet(table, [...named.values()].map(keyOf), { isConsistent: true });
  const found = new Map(items.map((item) => [nameOf(item['pk']?.S, item['sk']?.S), item]));
  return keys.map((key) => parseVersioned(found.get(nameOf(key.pk, key.sk)), shape));
};

/** One document without its revision. Throws what the SDK throws when the table cannot answer. */
export const readDocument = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
): Promise<z.infer<Shape> | null> => (await readVersioned(table, key, shape))?.document ?? null;

/** Removes a document and returns it; of callers at the same time one gets it, the others null. */
export const deleteAndReturn = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
): Promise<z.infer<Shape> | null> => {
  const { Attributes } = await dynamodb.send(
    new DeleteItemCommand({ TableName: table, Key: keyOf(key), ReturnValues: 'ALL_OLD' }),
  );
  return parseVersioned(Attributes, shape)?.document ?? null;
};

export interface DocumentRange {
  /** Begins behind this sort key, in the direction of the walk. */
  readonly after?: string | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** Documents of one partition in the order of their sort keys, strongly consistent; at most `limit`. */
export const listDocuments = async <Shape extends z.ZodType>(
  table: string,
  pk: string,
  { after, descending, limit }: DocumentRange,
  shape: Shape,
): Promise<z.infer<Shape>[]> => {
  const found: z.infer<Shape>[] = [];
  let resume: Record<string, AttributeValue> | undefined;
  // One answer holds 1 MB at most, which may be less than was asked for.
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression:
          after === undefined ? 'pk = :pk' : `pk = :pk AND sk ${descending ? '<' : '>'} :after`,
        ExpressionAttributeValues: {
          ':pk': { S: pk },
          ...(after !== undefined && { ':after': { S: after } }),
        },
        ScanIndexForward: !descending,
        Limit: limit - found.length,
        ConsistentRead: true,
        ExclusiveStartKey: resume,
      }),
    );
    found.push(...Items.flatMap((item) => parseVersioned(item, shape)?.document ?? []));
    resume = LastEvaluatedKey;
  } while (resume !== undefined && found.length < limit);
  return found;
};

/** A write that takes part in a {@link commit}. */
export type Write = TransactWriteItem;

export interface WriteOptions {
  /** What the write expects to find: this revision, or nothing at all. */
  readonly expectedRevision: Revision | null;
  readonly by: Revision;
  /** Epoch seconds after which the table may drop the document. */
  readonly ttl?: number;
}

/** Puts a document where nothing has changed since it was seen. */
export const writeDocument = (
  table: string,
  key: DocumentKey,
  document: object,
  { expectedRevision, by, ttl }: WriteOptions,
): Write => ({
  Put: {
    TableName: table,
    Item: {
      ...keyOf(key),
      document: { S: JSON.stringify(document) },
      claim: { S: by.claim },
      attempt: { N: String(by.attempt) },
      ...(ttl !== undefined && { ttl: { N: String(ttl) } }),
    },
    ...(expectedRevision === null
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#claim = :claim AND #attempt = :attempt',
          ExpressionAttributeNames: { '#claim': 'claim', '#attempt': 'attempt' },
          ExpressionAttributeValues: {
            ':claim': { S: expectedRevision.claim },
            ':attempt': { N: String(expectedRevision.attempt) },
          },
        }),
  },
});

/** Puts a document whatever is there: for what follows from its own key, so that a repeat writes the same. */
export const putDocument = (
  table: string,
  key: DocumentKey,
  document: object,
  options: { readonly ttl?: number; readonly by?: Revision } = {},
): Write => ({
  Put: {
    TableName: table,
    Item: {
      ...keyOf(key),
      document: { S: JSON.stringify(document) },
      ...(options.by !== undefined && {
        claim: { S: options.by.claim },
        attempt: { N: String(options.by.attempt) },
      }),
      ...(options.ttl !== undefined && { ttl: { N: String(options.ttl) } }),
    },
  },
});

/** Removes a document, or leaves what is not there alone. */
export const deleteDocument = (table: string, key: DocumentKey): Write => ({
  Delete: { TableName: table, Key: keyOf(key) },
});

/**
 * How long a commit is tried, in milliseconds. A version of a record must be there before walks rely on it, five seconds
 * behind its beginning; this leaves two for clocks that differ and for making up one's mind.
 */
const COMMIT_TIMEOUT_MS = 3_000;
const CONFLICT_ATTEMPTS = 4;
const CONFLICT_WAIT_MS = 25;

/**
 * How long a commit is tried that no walk relies on, in milliseconds: on a busy table giving up begins it anew, and the
 * message it is done for comes again minutes later.
 */
export const BACKGROUND_TIMEOUT_MS = 15_000;

/**
 * Does all of the writes or none. False when a document was not as its write expected; throws what the SDK throws
 * when the tables cannot answer, `within` so many milliseconds. A collision with another transaction is tried again.
 */
export const commit = async (
  writes: readonly Write[],
  { within: timeoutMs = COMMIT_TIMEOUT_MS }: { readonly within?: number } = {},
): Promise<boolean> => {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [...writes] }), { abortSignal });
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
      if (codes.includes('ConditionalCheckFailed')) return false;
      if (!codes.includes('TransactionConflict') || attempt === CONFLICT_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, CONFLICT_WAIT_MS * attempt));
    }
  }
};

/**
 * One put by itself, at half of what it costs in a transaction; false when its condition did not hold. Only for writers
 * who may take their own write for somebody else's: the SDK, which heard no answer, sends a put again, and that meets
 * what the first one wrote. A transaction carries a token by which DynamoDB knows it again.
 */
export const putWithoutTransaction = async (put: NonNullable<Write['Put']>): Promise<boolean> => {
  try {
    await dynamodb.send(new PutItemCommand(put));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
