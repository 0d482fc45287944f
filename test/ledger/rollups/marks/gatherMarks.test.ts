import { expect, it } from 'vitest';
import { gatherMarks } from '../../../../functions/ledger/rollups/marks/gatherMarks.ts';

const startGatherer = () => {
  const marked: [string, readonly number[]][] = [];
  const marks = gatherMarks(async (tenantId, instants) => {
    marked.push([tenantId, instants]);
  });
  return { marked, marks };
};

it('marks each tenant once with the instants of all its calls', async () => {
  const { marked, marks } = startGatherer();
  await marks.add('acme', [1, 2]);
  await marks.add('acme', [2, 3]);
  await marks.add('globex', [4]);
  await marks.add('empty', []);

  await marks.flush();

  expect(marked).toEqual([
    ['acme', [1, 2, 2, 3]],
    ['globex', [4]],
  ]);
});

it('marks nothing again after a flush', async () => {
  const { marked, marks } = startGatherer();
  await marks.add('acme', [1]);
  await marks.flush();

  await marks.flush();

  expect(marked).toHaveLength(1);
});

it('rejects when a mark cannot be sent', async () => {
  const marks = gatherMarks(async () => {
    throw new Error('the queue does not respond');
  });
  await marks.add('acme', [1]);

  await expect(marks.flush()).rejects.toThrow('the queue does not respond');
});
