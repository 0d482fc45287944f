import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { exportStore } from '../../../functions/chargeback/exports/job/export.store.ts';
import { BeginInput } from '../../../functions/chargeback/exports/steps/begin.ts';
import { FailInput } from '../../../functions/chargeback/exports/steps/fail.ts';
import { FinishInput } from '../../../functions/chargeback/exports/steps/finish.ts';
import { GatherInput } from '../../../functions/chargeback/exports/steps/gather.ts';
import { MergeInput, mergePartitions } from '../../../functions/chargeback/exports/steps/mergePartitions.ts';
import { WriteInput, write } from '../../../functions/chargeback/exports/steps/write.ts';
import { startTables } from '../../support/tables.ts';
import { simulatedBuckets } from './simulatedBucket.ts';

/** The JSON of a document, or the bytes of a file of lines. */
const Document = z.union([z.record(z.string(), z.unknown()), z.base64()]);

/**
 * The inputs of the steps of release 0.1, and the documents that an execution of it left in the work bucket. An execution
 * runs for up to hours, so its steps run in two versions during a deployment, and after a rollback. A release adds a file,
 * and removes the oldest of three.
 */
const released = z
  .object({
    inputs: z.record(z.string(), z.record(z.string(), z.unknown())),
    documents: z.record(z.string(), Document),
  })
  .parse(JSON.parse(readFileSync(new URL('execution-0.1.json', import.meta.url), 'utf8')));

const readers: Readonly<Record<string, z.ZodType>> = {
  begin: BeginInput,
  gather: GatherInput,
  merge: MergeInput,
  write: WriteInput,
  finish: FinishInput,
  fail: FailInput,
};

const live = await startTables();
afterAll(() => live.stop());

it.each(Object.entries(released.inputs))(
  'reads the input of the step %s of the last release',
  (step, input) => {
    const reader = readers[step];

    expect(reader?.parse(input)).toEqual(input);
    expect(reader?.parse({ ...input, added_later: { by: 'the next release' } })).toEqual(input);
  },
);

it('has an input for every step', () => {
  expect(Object.keys(released.inputs).sort()).toEqual(Object.keys(readers).sort());
});

/** The bytes of an object. `extend` adds a member to a document. */
const bytesOf = (document: z.infer<typeof Document>, extend: object): Buffer =>
  typeof document === 'string'
    ? Buffer.from(document, 'base64')
    : Buffer.from(JSON.stringify({ ...document, ...extend }));

it.each([
  ['the last release', {}],
  ['the next release, which adds a member', { added_later: 1 }],
])('merges and writes the same files from partitions that %s has gathered', async (_, extend) => {
  const buckets = simulatedBuckets();
  const gathered = Object.entries(released.documents).filter(([key]) => !key.includes('/merge-'));
  for (const [key, document] of gathered) buckets.workObjects.set(key, bytesOf(document, extend));
  const stores = {
    ...buckets,
    exports: exportStore('exports'),
    attempt: () => '1',
  };

  const merged = await mergePartitions(stores)(MergeInput.parse(released.inputs['merge']));
  for (const range of merged.ranges) await write(stores)(range);

  const written = [...buckets.workObjects]
    .filter(([key]) => key.includes('/merge-'))
    .map(([key, bytes]) => [key, JSON.parse(bytes.toString('utf8'))]);
  // The documents have the digests of the files.
  expect(Object.fromEntries(written)).toEqual(
    Object.fromEntries(Object.entries(released.documents).filter(([key]) => key.includes('/merge-'))),
  );
  expect(buckets.stored.size).toBe(2);
});
