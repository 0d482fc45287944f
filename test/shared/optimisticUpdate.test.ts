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
} from '../../functions/shared/aws/document.store.ts';
import { createNew, createOnce, updateWithRetry } from '../../functions/shared/optimisticUpdate.ts';
import { type LiveTables, startTables } from './tables.ts';

const Counter = z.object({ count: z.int() });
const TABLE = 'access';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

let places = 0;
const newPlace = () => {
  places += 1;
  return { pk: `changing ${places}`, sk: 'counter' };
};
type Place = ReturnType<typeof newPlace>;
const attempt = (claim: string, number = 1): Revision => ({ claim, attempt: number });
const read = (place: Place) => readVersioned(TABLE, place, Counter);
const countAt = async (place: Place) => (await read(place))?.document.count;

/** A counter that another call created. */
const newCounter = async (): Promise<Place> => {
  const place = newPlace();
  await commit([
    writeDocument(TABLE, place, { count: 0 }, { expectedRevision: null, by: attempt('somebody') }),
  ]);
  return place;
};
const makeCounter = (claim: Revision, place: Place, count: number) =>
  createOnce(
    claim,
    () => read(place),
    (seen) => [writeDocument(TABLE, place, { count }, { expectedRevision: seen, by: claim })],
  );
/** Increments the counter, unless an earlier attempt of the same call has. */
const increment = (claim: Revision, place: Place, reading = () => read(place)) =>
  updateWithRetry(claim, reading, ({ document, revision }, isRetry) =>
    isRetry
      ? null
      : [
          writeDocument(
            TABLE,
            place,
            { count: document.count + 1 },
            { expectedRevision: revision, by: claim },
          ),
        ],
  );
const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

describe('createOnce', () => {
  it('overwrites what an earlier attempt created', async () => {
    const place = newPlace();

    await makeCounter(attempt('call', 1), place, 1);
    await makeCounter(attempt('call', 3), place, 3);

    expect(await read(place)).toEqual({ document: { count: 3 }, revision: attempt('call', 3) });
  });

  it('creates in the first attempt without a read', async () => {
    const place = newPlace();
    const look = async () => {
      throw new Error('nobody should look');
    };

    await createOnce(attempt('call', 1), look, (seen) => [
      writeDocument(TABLE, place, { count: 1 }, { expectedRevision: seen, by: attempt('call', 1) }),
    ]);

    expect(await countAt(place)).toBe(1);
  });

  it('creates in a later attempt when the earlier one wrote nothing', async () => {
    const place = newPlace();

    await makeCounter(attempt('call', 2), place, 2);

    expect(await countAt(place)).toBe(2);
  });

  it('throws when a later attempt has taken over, and keeps its document', async () => {
    const place = newPlace();
    await makeCounter(attempt('call', 2), place, 2);

    await expect(makeCounter(attempt('call', 1), place, 1)).rejects.toEqual(unavailable);
    await expect(makeCounter(attempt('call', 2), place, 9)).rejects.toEqual(unavailable);

    expect(await countAt(place)).toBe(2);
  });

  it('throws when another call created the document', async () => {
    const place = await newCounter();

    await expect(makeCounter(attempt('call', 1), place, 1)).rejects.toEqual(unavailable);
    await expect(makeCounter(attempt('call', 2), place, 2)).rejects.toEqual(unavailable);

    expect(await countAt(place)).toBe(0);
  });

  it('createNew writes a document that does not exist', async () => {
    const place = newPlace();
    const makeHere = (claim: string, count: number) =>
      createNew(claim, (options) => [writeDocument(TABLE, place, { count }, options)]);

    await makeHere('one', 1);
    await expect(makeHere('two', 2)).rejects.toEqual(unavailable);

    expect(await read(place)).toEqual({ document: { count: 1 }, revision: attempt('one') });
  });
});

describe('updateWithRetry', () => {
  it('applies the change on top of concurrent changes', async () => {
    const place = await newCounter();

    await Promise.all(['a', 'b', 'c'].map((claim) => increment(attempt(claim), place)));

    expect(await countAt(place)).toBe(3);
  });

  it('never applies a failed change and never loses a successful one', async () => {
    const place = await newCounter();

    const done = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => increment(attempt(`${index}`), place)),
    );

    const failed = done.filter(({ status }) => status === 'rejected');
    expect(failed).toEqual(failed.map(() => ({ status: 'rejected', reason: unavailable })));
    expect(await countAt(place)).toBe(done.length - failed.length);
  });

  it('reports that an earlier attempt of the call has written', async () => {
    const place = await newCounter();
    await increment(attempt('call', 1), place);

    await increment(attempt('call', 2), place);
    await increment(attempt('another'), place);

    expect(await countAt(place)).toBe(2);
  });

  it('throws for an attempt that a later one has replaced', async () => {
    const place = await newCounter();
    const before = await read(place);
    const zombie = attempt('call', 1);
    await increment(attempt('call', 2), place);

    // It read before its successor came, and wakes after it.
    let reads = 0;
    const stale = async () => {
      reads += 1;
      return reads === 1 ? before : read(place);
    };
    await expect(increment(zombie, place, stale)).rejects.toEqual(unavailable);
    await expect(increment(zombie, place)).rejects.toEqual(unavailable);

    expect(await read(place)).toEqual({ document: { count: 1 }, revision: attempt('call', 2) });
  });

  it('throws NOT_FOUND for a missing document', async () => {
    await expect(increment(attempt('call'), newPlace())).rejects.toEqual(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  it('throws SERVICE_UNAVAILABLE after too many conflicts', async () => {
    const place = await newCounter();
    let others = 0;
    const overtaken = async () => {
      const found = await read(place);
      others += 1;
      await increment(attempt(`other ${others}`), place);
      return found;
    };

    await expect(increment(attempt('slow'), place, overtaken)).rejects.toEqual(unavailable);

    expect(await countAt(place)).toBe(others);
  });

  it('commits all writes or none, including audit entries', async () => {
    const [place, told] = [await newCounter(), newPlace()];
    const before = await read(place);
    await increment(attempt('other'), place);
    let tries = 0;

    await updateWithRetry(
      attempt('call'),
      async () => (tries === 0 ? before : read(place)),
      ({ document, revision }) => {
        tries += 1;
        const next = { count: document.count + 1 };
        return [
          writeDocument(TABLE, place, next, { expectedRevision: revision, by: attempt('call') }),
          putDocument('audit', told, next),
        ];
      },
    );

    expect([tries, await countAt(place)]).toEqual([2, 2]);
    expect(await readDocument('audit', told, Counter)).toEqual({ count: 2 });
  });

  it('applies a call once, however its attempts crash, repeat and overlap', async () => {
    const attempts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });

    await fc.assert(
      fc.asyncProperty(attempts, async (attempts) => {
        const place = await newCounter();
        let newest = 0;
        for (const number of attempts) {
          const done = increment(attempt('call', number), place);
          if (number <= newest) await expect(done).rejects.toEqual(unavailable);
          else await done;
          // A retry finds the work done and writes nothing, so the attempt that wrote is the one to outdo.
          newest = newest === 0 ? number : newest;
        }

        expect(await countAt(place)).toBe(1);
      }),
      { numRuns: 30 },
    );
  });
});
