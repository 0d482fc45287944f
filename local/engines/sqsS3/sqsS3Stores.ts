import { DatabaseSync } from 'node:sqlite';
import type { buildApp } from 'fauxqs';
import * as z from 'zod';
import { ACCOUNT } from '../../template/names.ts';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type Persistence = NonNullable<Stores['sqsStore']['persistence']>;

const classOf = <T extends new (...parameters: never[]) => unknown>() =>
  z.custom<T>((value) => typeof value === 'function', 'fauxqs no longer has this class');

/**
 * Makes visible what was in flight when the process ended: nobody holds it any more. That receive does not count, since
 * the message was not tried in full; counting it would fill dead-letter queues by restarts alone.
 */
const RESET_IN_FLIGHT = `
  UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL,
    approximate_receive_count = approximate_receive_count - 1
  WHERE receipt_handle IS NOT NULL`;

export interface SqsS3Stores extends Stores {
  /** Reads what an earlier run left. Queue URLs take the address the engine has now. */
  load(url: string): void;
  commit(): void;
  close(): void;
}

/**
 * Queues and buckets in memory, written through to SQLite. fauxqs wires its own persistence only in `startFauxqs`,
 * which listens on every interface; its modules are therefore taken one by one, at the exact version of the lock file.
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
  const s3Store = new S3Store();
  // An empty host makes queue URLs carry the address of the request instead of a name that needs its own resolver.
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
      // Loading before the stores know their database keeps them from writing everything back.
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

/** SQS takes every Unicode character but a few controls; the check in fauxqs refuses those beyond U+FFFF, such as emoji. */
function allowAstralCharacters(check: RegExp): void {
  const invalid = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
  check.test = (text) => invalid.test(text);
}

/**
 * Gathers the writes between two answers into one transaction: a commit for each message would cost about ten times as
 * much, and the move to a dead-letter queue (a delete, then an insert) could be cut in two by a kill.
 * Returns the function that commits what is open. Without a flush to the disk a commit still outlives the process; the
 * flush would only protect against a loss of power.
 */
function batchCommits(queues: Persistence, database: DatabaseSync): () => void {
  database.exec('PRAGMA synchronous = NORMAL');
  const free = database.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  let open = false;
  const inGroup =
    <A extends unknown[]>(write: (...values: A) => void) =>
    (...values: A): void => {
      if (!open) database.exec('BEGIN');
      open = true;
      write(...values);
    };
  queues.insertMessage = inGroup(queues.insertMessage.bind(queues));
  queues.deleteMessage = inGroup(queues.deleteMessage.bind(queues));
  queues.updateMessageInflight = inGroup(queues.updateMessageInflight.bind(queues));
  // fauxqs 2.4.1 writes NULL into the receive count here, which the column refuses: the message would be lost.
  queues.updateMessageReady = inGroup((messageId: string) => {
    free.run(messageId);
  });
  return () => {
    if (!open) return;
    open = false;
    database.exec('COMMIT');
  };
}
