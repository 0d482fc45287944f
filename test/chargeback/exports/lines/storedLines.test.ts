import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { withDatabase } from '../../../../functions/chargeback/exports/lines/database.ts';
import { createLineTable } from '../../../../functions/chargeback/exports/lines/lineTable.ts';
import { loadLines, storeLines } from '../../../../functions/chargeback/exports/lines/storedLines.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { aLine } from '../lines.ts';
import { simulatedBuckets } from '../simulatedBucket.ts';

const Merged = z.object({
  chargeStart: z.string(),
  text0: z.string(),
  records: z.coerce.number(),
});

it('merges lines with equal keys in the order of their keys, for any division into files and slices', async () => {
  const day = Date.parse('2026-10-01');
  const lines = fc.array(
    fc.record({
      hour: fc.nat({ max: 60 }),
      owner: fc.oneof(fc.constantFrom('a', 'b', 'ä '), fc.stringMatching(/^[a-z]{2}$/)),
      part: fc.nat({ max: 2 }),
    }),
    { maxLength: 30 },
  );
  const from = day + 3 * 3_600_000;
  await withDatabase((database) =>
    fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), async (all, sliceLines) => {
        const { work } = simulatedBuckets();
        const keys: string[] = [];
        const counted = new Map<number, number>();
        for (const part of [0, 1, 2]) {
          const table = await createLineTable(database);
          for (const line of all)
            if (line.part === part)
              table.add(aLine({ start: day + line.hour * 3_600_000, owner: line.owner }));
          table.end();
          const stored = await storeLines(database, work, `part-${part}`);
          for (const [start, count] of stored.days) counted.set(start, (counted.get(start) ?? 0) + count);
          if (stored.days.length > 0) keys.push(stored.key);
        }
        await loadLines(database, work, keys, { from, to: Number.MAX_SAFE_INTEGER }, ['owner'], sliceLines);

        const merged = await database.rows('SELECT * FROM charges', Merged);

        const expected = Map.groupBy(
          all.filter(({ hour }) => hour >= 3),
          ({ hour, owner }) => `${day + hour * 3_600_000} ${owner}`,
        );
        expect(merged.map((row) => [`${row.chargeStart} ${row.text0}`, row.records])).toEqual(
          [...expected]
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, same]) => [key, same.length]),
        );
        expect([...counted.keys()].every((start) => start % DAY_MS === 0)).toBe(true);
      }),
      { numRuns: 30 },
    ),
  );
});
