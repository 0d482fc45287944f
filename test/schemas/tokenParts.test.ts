import { expect, it } from 'vitest';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { TOKEN_PARTS } from '../../schemas/ingest/tokenParts.ts';

const REQUIRED = {
  event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
  ingestion_layer: 'gateway',
  ingestion_timestamp: '2026-03-01T09:30:00.000Z',
  provider: 'openai',
  requested_model: 'gpt-4o',
};

const cases = TOKEN_PARTS.flatMap(({ whole, parts }) => parts.map((part) => ({ whole, part, parts })));

it.each(cases)('accepts $part up to $whole, and without it', ({ whole, part }) => {
  expect(InvocationEvent.safeParse({ ...REQUIRED, [whole]: 5, [part]: 5 }).success).toBe(true);
  expect(InvocationEvent.safeParse({ ...REQUIRED, [part]: 5 }).success).toBe(true);
});

it.each(cases)('names $part when it exceeds $whole', ({ whole, part }) => {
  const { error } = InvocationEvent.safeParse({ ...REQUIRED, [whole]: 5, [part]: 6 });

  expect(error?.issues).toEqual([
    expect.objectContaining({
      path: [part],
      message: `${part} is part of ${whole} and must not exceed it`,
    }),
  ]);
});

it.each(TOKEN_PARTS.filter(({ parts }) => parts.length > 1))(
  'names all parts of $whole when their sum exceeds it: $parts',
  ({ whole, parts }) => {
    const counts = Object.fromEntries(parts.map((part) => [part, 3]));
    const { error } = InvocationEvent.safeParse({ ...REQUIRED, [whole]: 5, ...counts });

    expect(error?.issues).toEqual([
      expect.objectContaining({
        message: `${parts.join(' and ')} are parts of ${whole}. Their sum must not exceed it`,
      }),
    ]);
  },
);
