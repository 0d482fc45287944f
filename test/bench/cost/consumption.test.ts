import { expect, it } from 'vitest';
import { billedRequests, consumptionOf, type Traffic } from '../../../bench/cost/consumption.ts';

const usage = {
  UnitsIngestFunction0A1B2C3D: {
    invocations: 100,
    cpuMicros: 200_000,
    activeMicros: 200_000,
    calls: {
      'dynamodb PutItemCommand': { calls: 100, capacity: 100 },
      'sqs SendMessageCommand': { calls: 100, capacity: 0 },
    },
  },
  WorkersAttributionFunction4E5F6A7B: {
    invocations: 50,
    cpuMicros: 50_000,
    activeMicros: 50_000,
    calls: { 'dynamodb PutItemCommand': { calls: 200, capacity: 200 } },
  },
};

const singles: Traffic = {
  events: 100,
  httpRequests: 100,
  responseBytes: 20_000,
  messages: 100,
  messageBytes: 60_000,
  sends: 100,
  messagesPerBatch: 2,
  logBytes: 0,
  infrequent: { writeUnits: 100, readUnits: 0 },
};

const memory = { ingestion: 384, worker: 1_024 };

it('counts one send plus a share of a receive and a delete per single event', () => {
  expect(consumptionOf(usage, singles, memory)).toMatchObject({
    httpRequests: 1,
    writeUnits: 3,
    readUnits: 0,
    infrequent: { writeUnits: 1, readUnits: 0 },
    indexWriteUnits: 0,
    sqsRequests: 2,
    logBytes: 145,
    bytesOut: 700,
  });
});

it('counts the calls of an ingestion request and of a worker event as sequential waits', () => {
  const { functions } = consumptionOf(usage, singles, memory);

  expect(functions).toEqual([
    {
      name: 'ingestion',
      memoryMegabytes: 384,
      invocations: 1,
      cpuSeconds: 0.002,
      waits: 2,
    },
    {
      name: 'attribution worker',
      memoryMegabytes: 1_024,
      invocations: 0.5,
      cpuSeconds: 0.0005,
      waits: 1,
    },
  ]);
});

it('adds worker waits for calls that every event makes, but not for rare calls', () => {
  const { WorkersAttributionFunction4E5F6A7B: worker } = usage;
  const calls = { ...worker.calls, 'dynamodb Query': { calls: 200, capacity: 200 } };
  const rare = { ...calls, 'dynamodb GetItem': { calls: 3, capacity: 3 } };

  const { functions } = consumptionOf(
    { ...usage, WorkersAttributionFunction4E5F6A7B: { ...worker, calls: rare } },
    singles,
    memory,
  );

  expect(functions[1]).toMatchObject({ invocations: 0.5, waits: 2 });
});

it('multiplies worker waits for every 16 events of a message', () => {
  const packed = { ...singles, messages: 2, sends: 1, messagesPerBatch: 1 };

  const { functions } = consumptionOf(usage, packed, memory);

  expect(functions[1]).toMatchObject({ invocations: 0.02, waits: 0.02 * 2 * 4 });
});

it('has no ingestion function when producers send to the queue', () => {
  const { WorkersAttributionFunction4E5F6A7B } = usage;

  const { functions, httpRequests } = consumptionOf(
    { WorkersAttributionFunction4E5F6A7B },
    { ...singles, httpRequests: 0, responseBytes: 0 },
    memory,
  );

  expect(functions.map(({ name }) => name)).toEqual(['attribution worker']);
  expect(httpRequests).toBe(0);
});

it.each([
  [1, 500, 1],
  [1, 64 * 1_024, 1],
  [1, 64 * 1_024 + 1, 2],
  [10, 10 * 200 * 1_024, 40],
  [0, 0, 0],
])('bills %d requests with %d bytes in total as %d requests', (requests, bytes, billed) => {
  expect(billedRequests(requests, bytes)).toBe(billed);
});
