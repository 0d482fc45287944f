import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
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
} from '../../../functions/platform/shared/aws/document.store.ts';
import { startTables } from '../../support/tables.ts';

const Note = z.object({ text: z.string() });
const TABLE = 'access';
const by = (claim: string, attempt = 1): Revision => ({ claim, attempt });

const live = await startTables();
afterAll(() => live.stop());

let keyCount = 0;
const newKey = () => {
  keyCount += 1;
  return { pk: `key ${keyCount}`, sk: 'note' };
};
type Key = ReturnType<typeof newKey>;
const write = (key: Key, text: string, expectedRevision: Revision | null, writer: Revision) =>
  commit([writeDocument(TABLE, key, { text }, { expectedRevision, by: writer })]);
const read = (key: Key) => readVersioned(TABLE, key, Note);

describe('document.store', () => {
  it('returns a document with its revision', async () => {
    const key = newKey();

    const written = await write(key, 'first', null, by('one'));

    expect(written).toBe(true);
    expect(await read(key)).toEqual({ document: { text: 'first' }, revision: by('one') });
    expect(await readDocument(TABLE, key, Note)).toEqual({ text: 'first' });
  });

  it('returns null for a missing document', async () => {
    expect(await read(newKey())).toBeNull();
  });

  it('throws for a document that does not match its schema', async () => {
    const key = newKey();
    await commit([putDocument(TABLE, key, { other: 1 })]);

    await expect(read(key)).rejects.toThrow(z.ZodError);
  });

  it('creates a document once with concurrent writers', async () => {
    const key = newKey();

    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) => write(key, `${index}`, null, by(`${index}`))),
    );

    expect(created.filter(Boolean)).toHaveLength(1);
    expect((await read(key))?.document).toEqual({ text: String(created.indexOf(true)) });
  });

  it.each<[string, Revision | null]>([
    ['no document', null],
    ['the previous revision', by('one')],
    ['another attempt of its writer', by('two', 2)],
    ['an attempt of another writer', by('three')],
  ])('rejects a write after reading %s', async (_, expectedRevision) => {
    const key = newKey();
    await write(key, 'first', null, by('one'));
    await write(key, 'second', by('one'), by('two'));

    expect(await write(key, 'late', expectedRevision, by('late'))).toBe(false);
    expect(await read(key)).toEqual({ document: { text: 'second' }, revision: by('two') });
  });

  it('accepts a change of a document that was written without a revision', async () => {
    const key = newKey();
    const Item = { pk: { S: key.pk }, sk: { S: key.sk }, document: { S: '{"text":"old"}' } };
    await live.client.send(new PutItemCommand({ TableName: TABLE, Item }));

    const found = await read(key);

    expect(found).toEqual({ document: { text: 'old' }, revision: { claim: '', attempt: 0 } });
  });

  it('returns a deleted document to exactly one of several callers', async () => {
    const key = newKey();
    await write(key, 'first', null, by('one'));

    const deleted = await Promise.all(Array.from({ length: 8 }, () => deleteAndReturn(TABLE, key, Note)));

    expect(deleted.filter((note) => note !== null)).toEqual([{ text: 'first' }]);
    expect(await read(key)).toBeNull();
  });
});

describe('commit', () => {
  it('commits all writes or none', async () => {
    const [there, absent] = [newKey(), newKey()];
    await write(there, 'first', null, by('one'));

    const done = await commit([
      writeDocument(TABLE, absent, { text: 'new' }, { expectedRevision: null, by: by('two') }),
      writeDocument(TABLE, there, { text: 'new' }, { expectedRevision: by('stale'), by: by('two') }),
    ]);

    expect(done).toBe(false);
    expect([await read(absent), (await read(there))?.document]).toEqual([null, { text: 'first' }]);
  });

  it('writes to several tables', async () => {
    const [one, other] = [newKey(), newKey()];

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
    await expect(commit([putDocument('nowhere', newKey(), { text: 'lost' })])).rejects.toThrow();
  });

  it('commits exactly one of several concurrent transactions as a whole', async () => {
    const [left, right] = [newKey(), newKey()];

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
        const { pk } = newKey();
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
    const { pk } = newKey();
    const large = 'x'.repeat(300_000);
    for (const sk of ['1', '2', '3', '4', '5', '6']) {
      await commit([putDocument(TABLE, { pk, sk }, { text: sk + large })]);
    }

    const found = await listDocuments(TABLE, pk, { descending: false, limit: 5 }, Note);

    expect(found.map(({ text }) => text.charAt(0))).toEqual(['1', '2', '3', '4', '5']);
  });
});
