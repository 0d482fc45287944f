import { DatabaseSync } from 'node:sqlite';
import type { buildApp } from 'fauxqs';
import * as z from 'zod';
import { ACCOUNT } from '../../template/names.ts';
import { makeFair } from './fairQueues.ts';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type Persistence = NonNullable<Stores['sqsStore']['persistence']>;

const classOf = <T extends new (...parameters: never[]) => unknown>() =>
  z.custom<T>(
    (value) => typeof value === 'function',
    'fauxqs no longer exports this class. Check its version in package-lock.json.',
  );

/**
 * Makes messages visible that were in flight when the process ended. Their interrupted receive does not count: otherwise
 * restarts alone would move messages to dead-letter queues.
 */
const RESET_IN_FLIGHT = `
  UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL,
    approximate_receive_count = approximate_receive_count - 1
  WHERE receipt_handle IS NOT NULL`;

export interface SqsS3Stores extends Stores {
  /** Loads the state of earlier runs. Queue URLs get the current address of the engine. */
  load(url: string): void;
  commit(): void;
  close(): void;
}

/**
 * Queues and buckets in memory, written through to SQLite. fauxqs connects its persistence only in `startFauxqs`, which
 * listens on every interface. So its internal modules are imported one by one, at the exact version in the lock file.
 */
export async function openStores(queueDir: string, bucketDir: string): Promise<SqsS3Stores> {
  const { PersistenceManager } = await loadModule('persistence.js', {
    PersistenceManager: classOf<new (dataDir: string) => Persistence>(),
  });
  const { SqsStore } = await loadModule('sqs/sqsStore.js', {
    SqsStore: classOf<new () => Stores['sqsStore']>(),
  });
  const { SnsStore } = await loadModule('sns/snsStore.js', {
    SnsStore: classOf<new () => Stores['snsStore']>(),
  });
  const { S3Store } = await loadModule('s3/s3Store.js', { S3Store: classOf<new () => Stores['s3Store']>() });
  const { INVALID_MESSAGE_BODY_CHAR } = await loadModule('sqs/sqsTypes.js', {
    INVALID_MESSAGE_BODY_CHAR: z.instanceof(RegExp),
  });
  allowAstralCharacters(INVALID_MESSAGE_BODY_CHAR);

  const sqsStore = new SqsStore();
  const snsStore = new SnsStore();
  // Also called for each queue of an earlier run.
  const createQueue = sqsStore.createQueue.bind(sqsStore);
  sqsStore.createQueue = (...values) => {
    const queue = createQueue(...values);
    makeFair(queue);
    return queue;
  };
  const s3Store = new S3Store();
  // With an empty host, queue URLs use the address of the request instead of a host name that needs DNS.
  sqsStore.host = '';
  const queues = new PersistenceManager(queueDir);
  const objects = new PersistenceManager(bucketDir);
  const database = z.object({ db: z.instanceof(DatabaseSync) }).parse(queues).db;
  const commit = batchCommits(queues, database);

  return {
    sqsStore,
    snsStore,
    s3Store,
    commit,
    load(url) {
      database.prepare("UPDATE sqs_queues SET url = ? || '/' || ? || '/' || name").run(url, ACCOUNT);
      database.exec(RESET_IN_FLIGHT);
      // Load before the persistence is attached, or the stores would write everything back.
      queues.loadSqsAndSns(sqsStore, snsStore);
      objects.loadS3(s3Store);
      sqsStore.persistence = queues;
      snsStore.persistence = queues;
      s3Store.persistence = objects;
      for (const queue of sqsStore.allQueues()) queue.persistence = queues;
    },
    close() {
      commit();
      queues.close();
      objects.close();
    },
  };
}

async function loadModule<S extends z.ZodRawShape>(
  path: string,
  shape: S,
): Promise<z.output<z.ZodObject<S>>> {
  return z.looseObject(shape).parse(await import(new URL(path, import.meta.resolve('fauxqs')).href));
}

/** SQS accepts all Unicode characters except some controls. fauxqs rejects those above U+FFFF, such as emoji. */
function allowAstralCharacters(check: RegExp): void {
  const invalid = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
  check.test = (text) => invalid.test(text);
}

/**
 * Groups the writes between two responses into one transaction. One commit per message would cost about ten times as
 * much, and a kill could split the move to a dead-letter queue (a delete, then an insert).
 * Returns a function that commits the open transaction. A commit without a disk flush survives a kill of the process.
 * The flush would only protect against a power failure.
 */
function batchCommits(queues: Persistence, database: DatabaseSync): () => void {
  database.exec('PRAGMA synchronous = NORMAL');
  const release = database.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  let open = false;
  const inTransaction =
    <A extends unknown[]>(write: (...values: A) => void) =>
    (...values: A): void => {
      if (!open) database.exec('BEGIN');
      open = true;
      write(...values);
    };
  queues.insertMessage = inTransaction(queues.insertMessage.bind(queues));
  queues.deleteMessage = inTransaction(queues.deleteMessage.bind(queues));
  queues.updateMessageInflight = inTransaction(queues.updateMessageInflight.bind(queues));
  // fauxqs 2.4.1 writes NULL into the NOT NULL receive count here, so the message would be lost.
  queues.updateMessageReady = inTransaction((messageId: string) => {
    release.run(messageId);
  });
  return () => {
    if (!open) return;
    open = false;
    database.exec('COMMIT');
  };
}
