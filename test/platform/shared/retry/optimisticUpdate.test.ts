import { afterAll, describe, expect, it } from 'vitest';
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
  type Claim,
  commitWithRetry,
  createNew,
  effectOnce,
} from '../../../../functions/platform/shared/retry/optimisticUpdate.ts';
import { WriteConflictError } from '../../../../functions/platform/shared/retry/retryOnConflict.ts';
import { startTables } from '../../../support/tables.ts';

const Counter = z.object({ count: z.int() });
const TABLE = 'access';

const live = await startTables();
afterAll(() => live.stop());

let keyCount = 0;
const newKey = () => {
  keyCount += 1;
  return { pk: `counter ${keyCount}`, sk: 'counter' };
};
type Key = ReturnType<typeof newKey>;
const by = (claim: string): Revision => ({ claim, attempt: 1 });
const read = (key: Key) => readVersioned(TABLE, key, Counter);
const countAt = async (key: Key) => (await read(key))?.document.count;

/** A counter that another call created. */
const newCounter = async (): Promise<Key> => {
  const key = newKey();
  await commit([writeDocument(TABLE, key, { count: 0 }, { expectedRevision: null, by: by('creator') })]);
  return key;
};
/** The writes that increment the counter, from what `reading` returns. */
const increment = async (claim: Revision, key: Key, reading = () => read(key)) => {
  const current = await reading();
  if (current === null) throw new Error('no counter');
  const next = { count: current.document.count + 1 };
  const write = writeDocument(TABLE, key, next, { expectedRevision: current.revision, by: claim });
  return { writes: [write], result: next };
};

describe('createNew', () => {
  it('writes a document that does not exist', async () => {
    const key = newKey();
    const makeHere = (claim: string, count: number) =>
      createNew(claim, (options) => [writeDocument(TABLE, key, { count }, options)]);

    await makeHere('one', 1);
    await expect(makeHere('two', 2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    expect(await read(key)).toEqual({ document: { count: 1 }, revision: by('one') });
  });
});

describe('commitWithRetry', () => {
  it('applies each of twelve changes on top of the others, or none of it', async () => {
    const key = await newCounter();

    const done = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => commitWithRetry(() => increment(by(`${index}`), key))),
    );

    expect(await countAt(key)).toBe(done.filter(({ status }) => status === 'fulfilled').length);
  });

  it('throws a WriteConflictError after too many conflicts', async () => {
    const key = await newCounter();
    let others = 0;
    const overtaken = async () => {
      const current = await read(key);
      others += 1;
      await commit((await increment(by(`other ${others}`), key)).writes);
      return current;
    };

    await expect(commitWithRetry(() => increment(by('slow'), key, overtaken))).rejects.toThrow(
      WriteConflictError,
    );

    expect(await countAt(key)).toBe(others);
  });

  it('commits all writes of a change or none', async () => {
    const [key, auditKey] = [await newCounter(), newKey()];
    const before = await read(key);
    await commit((await increment(by('other'), key)).writes);
    let rounds = 0;

    await commitWithRetry(async () => {
      rounds += 1;
      const { writes, result } = await increment(by('call'), key, async () =>
        rounds === 1 ? before : read(key),
      );
      return { writes: [...writes, putDocument('audit', auditKey, result)], result };
    });

    expect([rounds, await countAt(key)]).toEqual([2, 2]);
    expect(await readDocument('audit', auditKey, Counter)).toEqual({ count: 2 });
  });
});

describe('effectOnce', () => {
  const effectKey = (call: string) => ({ pk: `effect ${call}`, sk: 'effect' });
  const claimOf = (call: string, effect: Claim['effect'] = null): Claim => ({
    ...by(call),
    effect,
    record: (recorded) => putDocument(TABLE, effectKey(call), recorded),
    guard: {},
  });

  it('records the result and the secret of the change in its transaction, and keeps them for later steps', async () => {
    const key = await newCounter();
    const claim = claimOf('records');

    const effect = await effectOnce(claim, Counter, async () => ({
      ...(await increment(claim, key)),
      secret: 'once',
    }));

    const recorded = { result: { count: 1 }, secret: 'once' };
    expect([effect, claim.effect]).toEqual([recorded, recorded]);
    expect(await readDocument(TABLE, effectKey('records'), z.unknown())).toEqual(recorded);
  });

  it('returns what an earlier attempt recorded, and decides nothing', async () => {
    const claim = claimOf('recorded', { result: { count: 7 }, secret: null });

    const effect = await effectOnce(claim, Counter, () => Promise.reject(new Error('decided')));

    expect(effect).toEqual({ result: { count: 7 }, secret: null });
  });
});
