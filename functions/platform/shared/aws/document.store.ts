import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { readRow } from '../readRow.ts';
import { batchGet } from './batches/batchGet.store.ts';
import type { optionalCall } from './calls/optionalCall.ts';
import type { Write } from './commit.store.ts';
import { dynamodb } from './dynamodb.client.ts';

export { BACKGROUND_TIMEOUT_MS, commit, type Write } from './commit.store.ts';

export interface DocumentKey {
  readonly pk: string;
  readonly sk?: string;
}

/**
 * The last writer of a document: the claim of an idempotent call (or any unique name), and the number of its attempt.
 * Optimistic lock: a write names the revision that it read.
 */
export interface Revision {
  readonly claim: string;
  readonly attempt: number;
}

/** The revision of a document that was never written, or that {@link putDocument} wrote without one. */
export const NO_REVISION: Revision = { claim: '', attempt: 0 };

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

/** Reads one JSON document with its revision, strongly consistent. Null if there is none. */
export const readVersioned = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
  options?: ReturnType<typeof optionalCall>,
): Promise<Versioned<z.infer<Shape>> | null> => {
  const command = new GetItemCommand({ TableName: table, Key: keyOf(key), ConsistentRead: true });
  const { Item } = await dynamodb.send(command, options);
  return parseVersioned(Item, shape);
};

/** Reads documents with their revisions, strongly consistent, in the order of the keys. Null for a missing document. */
export const readAllVersioned = async <Shape extends z.ZodType>(
  table: string,
  keys: readonly Required<DocumentKey>[],
  shape: Shape,
): Promise<(Versioned<z.infer<Shape>> | null)[]> => {
  const nameOf = (pk: string | undefined, sk: string | undefined): string => JSON.stringify([pk, sk]);
  const uniqueKeys = new Map(keys.map((key) => [nameOf(key.pk, key.sk), key]));
  const items = await batchGet(table, [...uniqueKeys.values()].map(keyOf), { isConsistent: true });
  const itemsByName = new Map(items.map((item) => [nameOf(item['pk']?.S, item['sk']?.S), item]));
  return keys.map((key) => parseVersioned(itemsByName.get(nameOf(key.pk, key.sk)), shape));
};

/** Reads one document without its revision. Throws the SDK error if the table is unavailable. */
export const readDocument = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
): Promise<z.infer<Shape> | null> => (await readVersioned(table, key, shape))?.document ?? null;

/** Deletes a document and returns it. Of several concurrent callers, one receives the document and the others null. */
export const deleteAndReturn = async <Shape extends z.ZodType>(
  table: string,
  key: DocumentKey,
  shape: Shape,
): Promise<z.infer<Shape> | null> => {
  const command = new DeleteItemCommand({ TableName: table, Key: keyOf(key), ReturnValues: 'ALL_OLD' });
  const { Attributes } = await dynamodb.send(command);
  return parseVersioned(Attributes, shape)?.document ?? null;
};

export interface DocumentRange {
  /** Exclusive start sort key, in the direction of the query. */
  readonly after?: string | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

const listWith = async <Document>(
  table: string,
  pk: string,
  { after, descending, limit }: DocumentRange,
  documentsIn: (item: Item) => readonly Document[],
): Promise<Document[]> => {
  const documents: Document[] = [];
  let resume: Record<string, AttributeValue> | undefined;
  // One response holds at most 1 MB, which may be fewer documents than requested.
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
        Limit: limit - documents.length,
        ConsistentRead: true,
        ExclusiveStartKey: resume,
      }),
    );
    documents.push(...Items.flatMap(documentsIn));
    resume = LastEvaluatedKey;
  } while (resume !== undefined && documents.length < limit);
  return documents;
};

/**
 * At most `limit` documents of one partition, ordered by sort key, strongly consistent. Throws if one cannot be read: for
 * documents that are summed, or that prove something together.
 */
export const listDocuments = <Shape extends z.ZodType>(
  table: string,
  pk: string,
  range: DocumentRange,
  shape: Shape,
): Promise<z.infer<Shape>[]> =>
  listWith(table, pk, range, (item) => {
    const document = parseVersioned(item, shape)?.document;
    return document === undefined ? [] : [document];
  });

/**
 * As {@link listDocuments}, for documents that are independent of each other: one that cannot be read is left out, logged
 * with its key and counted in a metric that raises an alarm. It must not stop the work on the others.
 */
export const listReadable = <Shape extends z.ZodType>(
  table: string,
  pk: string,
  range: DocumentRange,
  shape: Shape,
): Promise<z.infer<Shape>[]> =>
  listWith(table, pk, range, (item) => {
    return readRow({ table, pk, sk: item['sk']?.S }, () => {
      const document = parseVersioned(item, shape)?.document;
      return document === undefined ? [] : [document];
    });
  });

export interface WriteOptions {
  /** The write succeeds only on this revision; with null, only if there is no document. */
  readonly expectedRevision: Revision | null;
  readonly by: Revision;
  /** Epoch seconds after which the table may drop the document. */
  readonly ttl?: number;
}

/** Puts a document if its revision has not changed since it was read. */
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
      : expectedRevision.claim === NO_REVISION.claim
        ? { ConditionExpression: 'attribute_not_exists(claim)' }
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

/** Puts a document without a condition. For documents that follow from their key, so that a retry writes the same. */
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

/** Deletes a document. Does nothing if it does not exist. */
export const deleteDocument = (table: string, key: DocumentKey): Write => ({
  Delete: { TableName: table, Key: keyOf(key) },
});

/**
 * One conditional put, at half the cost of a transaction. Returns false if its condition does not hold. Only for writers
 * that may mistake their own write for another's: when a response is lost, the SDK retries the put, and its condition
 * then fails on what the first attempt wrote. A transaction carries an idempotency token instead.
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
