import { expect, it } from 'vitest';
import { noisyGroups, quietFirst, shareAfter } from '../../../../local/engines/sqsS3/noisyGroups.ts';

const inFlight = (loud: number, quiet: number): (string | undefined)[] => [
  ...Array.from({ length: loud }, () => 'loud'),
  ...Array.from({ length: quiet }, (_, index) => `quiet-${index}`),
];

it('calls a group noisy with 30 messages in flight and more than a tenth of all', () => {
  expect([...noisyGroups(inFlight(30, 5), new Map(), 0)]).toEqual([['loud', 30]]);
  expect(noisyGroups(inFlight(29, 5), new Map(), 0).size).toBe(0);
  expect(noisyGroups(inFlight(30, 270), new Map(), 0).size).toBe(0);
});

it('calls a group noisy that used more than a tenth of the recent processing time, until that time is past', () => {
  const loads = new Map([
    ['loud', shareAfter(undefined, 60_000, 0)],
    ['quiet', shareAfter(undefined, 900, 0)],
  ]);

  expect([...noisyGroups([], loads, 0)]).toEqual([['loud', 0]]);
  expect(noisyGroups([], loads, 10 * 60_000).size).toBe(0);
});

it('never calls messages without a group noisy', () => {
  const without = Array.from({ length: 100 }, () => undefined);

  expect(noisyGroups(without, new Map(), 0).size).toBe(0);
});

it('puts messages of quiet groups first, and keeps the order among them', () => {
  const message = (messageGroupId: string | undefined, id: number) => ({ messageGroupId, id });
  const messages = [message('loud', 1), message('loud', 2), message('a', 3), message(undefined, 4)];
  quietFirst(messages, new Map([['loud', 40]]), 10);

  expect(messages.map(({ id }) => id)).toEqual([3, 4, 1, 2]);
});

it('receives from the noisy group with the fewest messages in flight when no quiet group has any', () => {
  const loud = Array.from({ length: 50 }, (_, id) => ({ messageGroupId: 'loud', id }));
  const messages = [...loud, { messageGroupId: 'less', id: 50 }, { messageGroupId: 'less', id: 51 }];
  const noisy = new Map([
    ['loud', 40],
    ['less', 4],
  ]);
  quietFirst(messages, noisy, 3);

  expect(messages.slice(0, 4).map(({ id }) => id)).toEqual([50, 51, 0, 1]);
  expect(messages).toHaveLength(52);
});
