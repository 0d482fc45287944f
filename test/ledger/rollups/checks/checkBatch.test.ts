import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkBatch } from '../../../../functions/ledger/rollups/checks/checkBatch.ts';
import { aTenant } from '../../../attribution/engine/events.ts';

const TIME = 50;
const RESERVE = 10;

it('carries out each check once, and no batch takes longer than one check beyond the time', async () => {
  const durations = fc.array(fc.integer({ min: 1, max: RESERVE }), { minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(durations, async (each) => {
      const done: number[] = [];
      let left = each.map((_, from) => ({
        tenant_id: 'acme',
        check: { from, to: from + 1, isRepeated: false },
      }));
      let batches = 0;
      while (left.length > 0) {
        let elapsed = 0;
        const check = async (_: unknown, { from }: { readonly from: number }) => {
          elapsed += each[from] ?? 0;
          done.push(from);
        };
        left = [...(await checkBatch(check, aTenant(), left, () => elapsed < TIME - RESERVE))];
        // The batch is not received again as a whole.
        expect(elapsed).toBeLessThanOrEqual(TIME);
        batches += 1;
      }

      expect(done).toEqual(each.map((_, from) => from));
      expect(batches).toBeLessThanOrEqual(each.length);
    }),
  );
});

it('makes progress also if the time is over before it begins', async () => {
  const checks = [1, 2].map((from) => ({
    tenant_id: 'acme',
    check: { from, to: from + 1, isRepeated: false },
  }));
  const done: number[] = [];

  const left = await checkBatch(
    async (_, { from }) => void done.push(from),
    aTenant(),
    checks,
    () => false,
  );

  expect([done, left]).toEqual([[1], checks.slice(1)]);
});
