import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsByVersions } from '../../../../functions/ledger/rollups/checks/findDifferences.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';

const HOUR = Date.parse('2026-05-20T12:00:00Z');
const MINUTES = HOUR_MS / MINUTE_MS;
const MAXIMUM = 20_000;

it('divides an hour into parts of whole minutes that are read in bounded time, and into one if little was recorded', () => {
  const counts = fc.array(fc.oneof(fc.nat(10), fc.nat(30_000)), { minLength: MINUTES, maxLength: MINUTES });
  fc.assert(
    fc.property(counts, (versions) => {
      const heads = versions.map((count, minute) => ({
        start: HOUR + minute * MINUTE_MS,
        content: { versions: count, digest: '' },
      }));
      const parts = partsByVersions({ from: HOUR, to: HOUR + HOUR_MS }, heads);

      expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([HOUR, HOUR + HOUR_MS]);
      for (const [index, { from, to }] of parts.entries()) {
        expect(parts[index + 1]?.from ?? to).toBe(to);
        const inPart = versions.slice((from - HOUR) / MINUTE_MS, (to - HOUR) / MINUTE_MS);
        const sum = inPart.reduce((total, count) => total + count, 0);
        expect(sum <= MAXIMUM || inPart.length === 1).toBe(true);
      }
      const all = versions.reduce((total, count) => total + count, 0);
      if (all <= MAXIMUM) expect(parts).toHaveLength(1);
    }),
  );
});
