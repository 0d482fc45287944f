import { expect, it } from 'vitest';
import { callRows, consumptionOf, difference } from '../../bench/consumption.ts';

const usage = (invocations: number, puts: number) => ({
  UnitsIngestionFunction0A1B2C3D: {
    invocations,
    cpuMicros: invocations * 1_000,
    calls: { 'dynamodb PutItemCommand': { calls: puts, capacity: puts * 2 } },
  },
});

it('counts only what happened between two counts', () => {
  const used = difference(usage(10, 5), usage(30, 25));

  expect(used['UnitsIngestionFunction0A1B2C3D']).toEqual({
    invocations: 20,
    cpuMicros: 20_000,
    calls: { 'dynamodb PutItemCommand': { calls: 20, capacity: 40 } },
  });
  expect(callRows(used, 20)).toEqual([
    { function: 'UnitsIngestion', operation: 'dynamodb PutItem', calls: 1, units: 2 },
  ]);
});

it('bills a message when it is sent, a tenth of a receive and a tenth of a delete', () => {
  const traffic = { events: 100, httpRequests: 100, messages: 100, messageBytes: 500 };

  expect(consumptionOf(usage(100, 100), traffic)).toMatchObject({
    httpRequests: 1,
    writeUnits: 2,
    indexWriteUnits: 0,
    sqsRequests: 1.2,
  });
});

it('bills receives by what they carry when messages are large', () => {
  const traffic = { events: 1_000, httpRequests: 10, messages: 10, messageBytes: 60 * 1_024 };

  const { sqsRequests } = consumptionOf(usage(10, 10), traffic);

  expect(sqsRequests * 1_000).toBeCloseTo(10 + (10 * 60) / 64 + 1, 9);
});
