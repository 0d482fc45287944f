import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  commit,
  deleteAndReturn,
  listDocuments,
  putDocument,
  type Revision,
  readDocument,
  readVersioned,
  writeDocument,
} from '../../functions/shared/aws/document.store.ts';
import { type LiveTables, startTables } from './tables.ts';

const Note = z.object({ text: z.string() });
const TABLE = 'access';
const by = (claim: string, attempt = 1): Revision => ({ claim, attempt });

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

let places = 0;
const newPlace = () => {
  places += 1;
  return { pk: `place ${places}`, sk: 'note' };
};
type Place = ReturnType<typeof newPlace>;
const write = (place: Place, text: string, seen: Revision | null, writer: Revision) =>
  commit([writeDocument(TABLE, place, { text }, { expectedRevision: seen, by: writer })]);
const read = (place: Place) => readVersioned(TABLE, place, Note);

describe('document.store', () => {
  it('returns a document with its revision', async () => {
    const place = newPlace();

    const written = await write(place, 'first', null, by('one'));

    expect(written).toBe(true);
    expect(await read(place)).toEqual({ document: { text: 'first' }, revision: by('one') });
    expect(await readDocument(TABLE, place, Note)).toEqual({ text: 'first' });
  });

  it('returns null for a missing document', async () => {
    expect(await read(newPlace())).toBeNull();
  });

  it('throws for a document that does not match its schema', async () => {
    const place = newPlace();
    await commit([putDocument(TABLE, place, { other: 1 })]);

    await expect(read(place)).rejects.toThrow(z.ZodError);
  });

  it('creates a document once with concurrent writers', async () => {
    const place = newPlace();

    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => write(place, `${index}`, null, by(`${index}`))),
    );

    expect(made.filter(Boolean)).toHaveLength(1);
    expect((await read(place))?.document).toEqual({ text: String(made.indexOf(true)) });
  });

  it.each<[string, Revision | null]>([
    ['nothing', null],
    ['the revision before', by('one')],
    ['another attempt of its writer', by('two', 2)],
    ['an attempt of another writer', by('three')],
  ])('rejects a write after reading %s', async (_, seen) => {
    const place = newPlace();
    await write(place, 'first', null, by('one'));
    await write(place, 'second', by('one'), by('two'));

    expect(await write(place, 'late', seen, by('late'))).toBe(false);
    expect(await read(place)).toEqual({ document: { text: 'second' }, revision: by('two') });
  });

  it('accepts a change of a document that was written without a revision', async () => {
    const place = newPlace();
    const Item = { pk: { S: place.pk }, sk: { S: place.sk }, document: { S: '{"text":"old"}' } };
    await live.client.send(new PutItemCommand({ TableName: TABLE, Item }));

    const found = await read(place);

    expect(found).toEqual({ document: { text: 'old' }, revision: { claim: '', attempt: 0 } });
  });

  it('returns a deleted document to exactly one of several callers', async () => {
    const place = newPlace();
    await write(place, 'first', null, by('one'));

    const taken = await Promise.all(Array.from({ length: 8 }, () => deleteAndReturn(TABLE, place, Note)));

    expect(taken.filter((note) => note !== null)).toEqual([{ text: 'first' }]);
    expect(await read(place)).toBeNull();
  });
});

describe('commit', () => {
  it('commits all writes or none', async () => {
    const [there, absent] = [newPlace(), newPlace()];
    await write(there, 'first', null, by('one'));

    const done = await commit([
      writeDocument(TABLE, absent, { text: 'new' }, { expectedRevision: null, by: by('two') }),
      writeDocument(TABLE, there, { text: 'new' }, { expectedRevision: by('stale'), by: by('two') }),
    ]);

    expect(done).toBe(false);
    expect([await read(absent), (await read(there))?.document]).toEqual([null, { text: 'first' }]);
  });

  it('writes to several tables', async () => {
    const [one, other] = [newPlace(), newPlace()];

    await commit([
      writeDocument('access', one, { text: 'one' }, { expectedRevision: null, by: by('two') }),
      putDocument('audit', other, { text: 'other' }),
    ]);

    expect([await readDocument('access', one, Note), await readDocument('audit', other, Note)]).toEqual([
      { text: 'one' },
      { text: 'other' },
    ]);
  });

  it('throws for an unavailable table instead of returning false', async () => {
    await expect(commit([putDocument('nowhere', newPlace(), { text: 'lost' })])).rejects.toThrow();
  });

  it('commits exactly one of several concurrent transactions as a whole', async () => {
    const [left, right] = [newPlace(), newPlace()];

    const done = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        commit([
          writeDocument(TABLE, left, { text: `${index}` }, { expectedRevision: null, by: by(`${index}`) }),
          writeDocument(TABLE, right, { text: `${index}` }, { expectedRevision: null, by: by(`${index}`) }),
        ]),
      ),
    );

    const winner = String(done.indexOf(true));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect([await read(left), await read(right)].map((found) => found?.document.text)).toEqual([
      winner,
      winner,
    ]);
  });
});

describe('listDocuments', () => {
  it('returns documents after a sort key, in order, up to the limit', async () => {
    const scenes = fc.record({
      keys: fc.uniqueArray(fc.stringMatching(/^[a-e]{1,3}$/), { maxLength: 12 }),
      after: fc.option(fc.stringMatching(/^[a-e]{1,3}$/), { nil: undefined }),
      descending: fc.boolean(),
      limit: fc.integer({ min: 1, max: 6 }),
    });

    await fc.assert(
      fc.asyncProperty(scenes, async ({ keys, after, descending, limit }) => {
        const { pk } = newPlace();
        await Promise.all(keys.map((sk) => commit([putDocument(TABLE, { pk, sk }, { text: sk })])));

        const found = await listDocuments(TABLE, pk, { after, descending, limit }, Note);

        const sorted = descending ? keys.toSorted().reverse() : keys.toSorted();
        const behind = sorted.filter(
          (key) => after === undefined || (descending ? key < after : key > after),
        );
        expect(found.map(({ text }) => text)).toEqual(behind.slice(0, limit));
      }),
      { numRuns: 40 },
    );
  });

  it('is complete when one response cannot hold it', async () => {
    const { pk } = newPlace();
    const large = 'x'.repeat(300_000);
    for (const sk of ['1', '2', '3', '4', '5', '6']) {
      await commit([putDocument(TABLE, { pk, sk }, { text: sk + large })]);
    }

    const found = await listDocuments(TABLE, pk, { descending: false, limit: 5 }, Note);

    expect(found.map(({ text }) => text.charAt(0))).toEqual(['1', '2', '3', '4', '5']);
  });
});
