import { afterAll, expect, it, vi } from 'vitest';
import {
  unarchivedDays,
  unarchivedDayWriter,
} from '../../../functions/ledger/records/unarchivedDay.store.ts';
import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { startTables } from '../../support/tables.ts';

const MARCH = Date.parse('2026-03-15T12:00:00Z');

const live = await startTables();
afterAll(() => live.stop());

const listedDays = async () => {
  const days = [];
  let after: string | null = null;
  do {
    const page = await unarchivedDays('ledger').page('2026-03-16', after, 10);
    days.push(...page.items);
    after = page.next;
  } while (after !== null);
  return days;
};

it('lists a day with one read and one write, however many events of it a process records at once, and again after ten minutes', async () => {
  let now = MARCH;
  const list = unarchivedDayWriter('ledger', () => now);
  const send = vi.spyOn(dynamodb, 'send');
  const listAll = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        list('tenant', ulidOf(MARCH - (index % 2) * DAY_MS, new Uint8Array(10).fill(index)), MARCH + index),
      ),
    );

  await listAll();
  await listAll();
  expect(send).toHaveBeenCalledTimes(4);

  const items = await listedDays();
  const listed = { tenant_id: 'tenant', written: '2026-03-15' };
  expect(items).toEqual([
    { ...listed, day: '2026-03-14' },
    { ...listed, day: '2026-03-15' },
  ]);

  for (const item of items) await unarchivedDays('ledger').remove(item);
  now += 11 * MINUTE_MS;
  await listAll();
  expect(await listedDays()).toEqual(items);
});
