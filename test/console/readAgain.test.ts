import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readAgain } from '../../console/src/api/readAgain.ts';

it.each([
  ['the first reading', 0],
  ['a later reading', 1],
])('shows a change that was made while %s was on its way', async (_, earlier) => {
  const queries = new QueryClient();
  const answers: ((rows: readonly string[]) => void)[] = [];
  const budgets = new QueryObserver<readonly string[]>(queries, {
    queryKey: ['budgets'],
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const stop = budgets.subscribe(() => {});
  const answer = async (index: number, rows: readonly string[]) => {
    await expect.poll(() => answers.length).toBeGreaterThan(index);
    answers[index]?.(rows);
  };
  if (earlier > 0) {
    await answer(0, []);
    await expect.poll(() => budgets.getCurrentResult().data).toEqual([]);
    budgets.refetch();
    await expect.poll(() => answers.length).toBe(2);
  }

  const done = readAgain(queries);
  await answer(earlier, []);
  await answer(earlier + 1, ['after the change']);
  await done;

  expect(budgets.getCurrentResult().data).toEqual(['after the change']);
  stop();
});
