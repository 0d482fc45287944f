import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  commit,
  putDocument,
  type Revision,
  readDocument,
  readVersioned,
  writeDocument,
} from '../../../../functions/platform/shared/aws/document.store.ts';
import {
  createNew,
  createOnce,
  updateWithRetry,
} from '../../../../functions/platform/shared/retry/optimisticUpdate.ts';
import { WriteConflictError } from '../../../../functions/platform/shared/retry/retryOnConflict.ts';
import { type LiveTables, startTables } from '../../../support/tables.ts';

const Counter = z.object({ count: z.int() });
const TABLE = 'access';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

let keyCount = 0;
const newKey = () => {
  keyCount += 1;
  return { pk: `counter ${keyCount}`, sk: 'counter' };
};
type Key = ReturnType<typeof newKey>;
const attempt = (claim: string, number = 1): Revision => ({ claim, attempt: number });
const read = (key: Key) => readVersioned(TABLE, key, Counter);
const countAt = async (key: Key) => (await read(key))?.document.count;

/** A counter that another call created. */
const newCounter = async (): Promise<Key> => {
  const key = newKey();
  await commit([writeDocument(TABLE, key, { count: 0 }, { expectedRevision: null, by: attempt('creator') })]);
  return key;
};
const makeCounter = (claim: Revision, key: Key, count: number) =>
  createOnce(
    claim,
    () => read(key),
    (expectedRevision) => [writeDocument(TABLE, key, { count }, { expectedRevision, by: claim })],
  );
/** Increments the counter, unless an earlier attempt of the same call did. */
const increment = (claim: Revision, key: Key, reading = () => read(key)) =>
  updateWithRetry(claim, reading, ({ document, revision }, isRetry) =>
    isRetry
      ? null
      : [writeDocument(TABLE, key, { count: document.count + 1 }, { expectedRevision: revision, by: claim })],
  );
const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

describe('createOnce', () => {
  it('overwrites what an earlier attempt created', async () => {
    const key = newKey();

    await makeCounter(attempt('call', 1), key, 1);
    await makeCounter(attempt('call', 3), key, 3);

    expect(await read(key)).toEqual({ document: { count: 3 }, revision: attempt('call', 3) });
  });

  it('creates in the first attempt without a read', async () => {
    const key = newKey();
    const failingRead = async () => {
      throw new Error('unexpected read');
    };

    await createOnce(attempt('call', 1), failingRead, (expectedRevision) => [
      writeDocument(TABLE, key, { count: 1 }, { expectedRevision, by: attempt('call', 1) }),
    ]);

    expect(await countAt(key)).toBe(1);
  });

  it('creates in a later attempt when the earlier one wrote nothing', async () => {
    const key = newKey();

    await makeCounter(attempt('call', 2), key, 2);

    expect(await countAt(key)).toBe(2);
  });

  it('throws when a later attempt has taken over, and keeps its document', async () => {
    const key = newKey();
    await makeCounter(attempt('call', 2), key, 2);

    await expect(makeCounter(attempt('call', 1), key, 1)).rejects.toEqual(unavailable);
    await expect(makeCounter(attempt('call', 2), key, 9)).rejects.toEqual(unavailable);

    expect(await countAt(key)).toBe(2);
  });

  it('throws when another call created the document', async () => {
    const key = await newCounter();

    await expect(makeCounter(attempt('call', 1), key, 1)).rejects.toEqual(unavailable);
    await expect(makeCounter(attempt('call', 2), key, 2)).rejects.toEqual(unavailable);

    expect(await countAt(key)).toBe(0);
  });

  it('createNew writes a document that does not exist', async () => {
    const key = newKey();
    const makeHere = (claim: string, count: number) =>
      createNew(claim, (options) => [writeDocument(TABLE, key, { count }, options)]);

    await makeHere('one', 1);
    await expect(makeHere('two', 2)).rejects.toEqual(unavailable);

    expect(await read(key)).toEqual({ document: { count: 1 }, revision: attempt('one') });
  });
});

describe('updateWithRetry', () => {
  it('applies the change on top of concurrent changes', async () => {
    const key = await newCounter();

    await Promise.all(['a', 'b', 'c'].map((claim) => increment(attempt(claim), key)));

    expect(await countAt(key)).toBe(3);
  });

  it('never applies a failed change and never loses a successful one', async () => {
    const key = await newCounter();

    const done = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => increment(attempt(`${index}`), key)),
    );

    const failed = done.filter(({ status }) => status === 'rejected');
    expect(failed).toEqual(failed.map(() => ({ status: 'rejected', reason: unavailable })));
    expect(await countAt(key)).toBe(done.length - failed.length);
  });

  it('reports that an earlier attempt of the call has written', async () => {
    const key = await newCounter();
    await increment(attempt('call', 1), key);

    await increment(attempt('call', 2), key);
    await increment(attempt('another'), key);

    expect(await countAt(key)).toBe(2);
  });

  it('throws for an attempt that a later one has replaced', async () => {
    const key = await newCounter();
    const before = await read(key);
    const zombie = attempt('call', 1);
    await increment(attempt('call', 2), key);

    // It read before the next attempt wrote, and continues after it.
    let reads = 0;
    const stale = async () => {
      reads += 1;
      return reads === 1 ? before : read(key);
    };
    await expect(increment(zombie, key, stale)).rejects.toEqual(unavailable);
    await expect(increment(zombie, key)).rejects.toEqual(unavailable);

    expect(await read(key)).toEqual({ document: { count: 1 }, revision: attempt('call', 2) });
  });

  it('throws NOT_FOUND for a missing document', async () => {
    await expect(increment(attempt('call'), newKey())).rejects.toEqual(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  it('throws a WriteConflictError after too many conflicts', async () => {
    const key = await newCounter();
    let others = 0;
    const overtaken = async () => {
      const current = await read(key);
      others += 1;
      await increment(attempt(`other ${others}`), key);
      return current;
    };

    await expect(increment(attempt('slow'), key, overtaken)).rejects.toThrow(WriteConflictError);

    expect(await countAt(key)).toBe(others);
  });

  it('commits all writes or none, including audit entries', async () => {
    const [key, auditKey] = [await newCounter(), newKey()];
    const before = await read(key);
    await increment(attempt('other'), key);
    let attempts = 0;

    await updateWithRetry(
      attempt('call'),
      async () => (attempts === 0 ? before : read(key)),
      ({ document, revision }) => {
        attempts += 1;
        const next = { count: document.count + 1 };
        return [
          writeDocument(TABLE, key, next, { expectedRevision: revision, by: attempt('call') }),
          putDocument('audit', auditKey, next),
        ];
      },
    );

    expect([attempts, await countAt(key)]).toEqual([2, 2]);
    expect(await readDocument('audit', auditKey, Counter)).toEqual({ count: 2 });
  });

  it('applies a call once for any crashes, retries and overlaps of its attempts', async () => {
    const attempts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });

    await fc.assert(
      fc.asyncProperty(attempts, async (attempts) => {
        const key = await newCounter();
        let newest = 0;
        for (const number of attempts) {
          const done = increment(attempt('call', number), key);
          if (number <= newest) await expect(done).rejects.toEqual(unavailable);
          else await done;
          // A retry after a successful write writes nothing, so the stored attempt is the one that wrote.
          newest = newest === 0 ? number : newest;
        }

        expect(await countAt(key)).toBe(1);
      }),
      { numRuns: 30 },
    );
  });
});
