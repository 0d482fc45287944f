import type { SQSRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DeadLetter, scrubDeadLetter } from '../../../functions/ingest/events/deadLetter.ts';
import { decideRedrive } from '../../../functions/ingest/events/redrive.ts';
import { scrubExhausted } from '../../../functions/ingest/events/scrubExhausted.ts';
import { isExhausted } from '../../../functions/platform/queue/failure.ts';

const ACCEPTED = 'arn:aws:sqs:us-east-1:000000000000:accepted';
const INGESTION = 'arn:aws:sqs:us-east-1:000000000000:ingestion';
const PROMPT = 'kanarie prompt';
const EVENT = JSON.stringify({ event_id: 'evt-1', provider: 'openai', messages: [{ content: PROMPT }] });

let letters: DeadLetter[];
let isQueueDown: boolean;

beforeEach(() => {
  letters = [];
  isQueueDown = false;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const deadLetters = {
  put: async (letter: DeadLetter) => {
    if (isQueueDown) throw new Error('no queue');
    letters.push(scrubDeadLetter(letter));
  },
};
const messageOf = (received: number, body = EVENT, eventSourceARN = INGESTION): SQSRecord => ({
  messageId: 'message',
  body,
  receiptHandle: 'handle',
  attributes: {
    ApproximateReceiveCount: String(received),
    SentTimestamp: '1773576000000',
    SenderId: 'AROAROLE:session',
    ApproximateFirstReceiveTimestamp: '1773576000001',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion: 'us-east-1',
});
const scrub = scrubExhausted({ deadLetters, trustedSource: ACCEPTED, isExhausted });
const setAside = (message: SQSRecord) => scrub(message, new Error('no answer'));

it.each([1, 9])('leaves a producer message to the queue when receive %d of 10 fails', async (received) => {
  expect(await setAside(messageOf(received))).toBe(false);
  expect(letters).toEqual([]);
});

it('dead-letters a producer message without its prompt when the last receive fails, and acknowledges it', async () => {
  expect(await setAside(messageOf(10))).toBe(true);

  expect(letters).toMatchObject([
    {
      reason: 'retries_exhausted',
      tenant_id: null,
      sender: 'AROAROLE',
      received_at: 1_773_576_000_000,
      events: [{ event_id: 'evt-1', provider: 'openai' }],
    },
  ]);
  expect(JSON.stringify(letters)).not.toContain(PROMPT);
});

it('can be redriven with the sender that determines its tenant', async () => {
  await setAside(messageOf(10));

  const decision = decideRedrive({
    body: JSON.stringify(letters[0]),
    trusted: true,
    senderId: 'AIDASTACK',
    sentAt: 0,
  });

  expect(decision).toMatchObject({ kind: 'sender', reason: 'retries_exhausted', sender: 'AROAROLE' });
});

it('keeps only a digest of a body that is not JSON', async () => {
  await setAside(messageOf(10, PROMPT));

  expect(letters).toMatchObject([{ events: [], digest: expect.stringMatching(/^sha256:/) }]);
  expect(JSON.stringify(letters)).not.toContain(PROMPT);
});

it('leaves messages of the API to SQS, because the API has scrubbed them', async () => {
  expect(await setAside(messageOf(10, EVENT, ACCEPTED))).toBe(false);
  expect(letters).toEqual([]);
});

it('fails when the dead letter cannot be written', async () => {
  isQueueDown = true;

  await expect(setAside(messageOf(10))).rejects.toThrow('no queue');
});
